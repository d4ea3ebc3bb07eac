"""Hooks of mkdocs: the changelog, which is beside the documentation, becomes a page; wide formulas scroll."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the changelog; its links lead to pages of the site."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").replace("](docs/", "](")
    files.append(File.generated(config, "changelog.md", content=text))
    return files


def on_page_content(html: str, **_: Any) -> str:
    """Give every formula on a line of its own a box that scrolls where it is wider than the page."""
    return re.sub(r'(<math display="block".*?</math>)', r'<div class="formula">\1</div>', html, flags=re.DOTALL)
