"""Pictures taken out of their stacks, each time one event; the tables stay as they are.

It marks the version from which a project may hold such events: older versions, which would set them aside, must refuse
it.
"""

from __future__ import annotations

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Nothing to change."""
