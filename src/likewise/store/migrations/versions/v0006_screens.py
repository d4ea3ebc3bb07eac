"""Answers to grids and picks, each one event; the tables stay as they are.

It marks the version from which a project may hold such answers: older versions, which would set them aside, must refuse
it.
"""

from __future__ import annotations

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Nothing to change."""
