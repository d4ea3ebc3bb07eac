"""Builds the page before a wheel or source archive is made; an editable install leaves that to `make page`."""

from __future__ import annotations

import os
import re
import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

REPOSITORY = "LIKEWISE_REPOSITORY"  # its address: set where a release is made


class PageBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the built page into the package."""

    PLUGIN_NAME = "custom"

    def _builder(self) -> dict[str, Any]:
        return runpy.run_path(str(Path(self.root) / "web" / "build.py"))

    def dependencies(self) -> list[str]:
        """Node from PyPI where the system has none that will do, and the page is still to be built."""
        builder = self._builder()
        return [] if builder["is_built"]() or builder["system_node"]() else [builder["WHEEL"]]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page."""
        if version != "editable":
            self._builder()["build"]()


class ReadmeHook(MetadataHookInterface):
    """Gives the README and the addresses of the project: on a package index, relative links lead nowhere."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set readme and urls."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        repository = os.environ.get(REPOSITORY, "").rstrip("/")
        if repository:
            text = absolute_links(text, repository)
            changes = f"{repository}/blob/main/CHANGELOG.md"
            metadata["urls"] = {"Repository": repository, "Issues": f"{repository}/issues", "Changelog": changes}
        metadata["readme"] = {"text": text, "content-type": "text/markdown"}


def absolute_links(text: str, repository: str) -> str:
    """A README whose pictures and links lead to the repository."""
    pictures = re.sub(r"(!\[[^]]*\]\()(?!https?:|#)", rf"\1{repository}/raw/main/", text)
    return re.sub(r"((?<!!)\[[^]]*\]\()(?!https?:|#)", rf"\1{repository}/blob/main/", pictures)
