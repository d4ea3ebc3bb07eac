"""Builds the page before a wheel or source archive is made; an editable install leaves that to `make page`."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


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
