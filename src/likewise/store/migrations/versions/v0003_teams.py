"""Invitations and the keys that sign them; with it come the events of teams, studies and crowd work."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the tables; new kinds of events need none, but older versions must refuse them."""
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "secret",
        sa.Column("project_id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("value", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("project_id", "name", name="pk_secret"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_secret_project_id"),
    )
    op.create_table(
        "invite",
        sa.Column("project_id", sa.Integer, nullable=False),
        sa.Column("uid", sa.String(32), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created_at", moment, nullable=False),
        sa.Column("expires_at", moment, nullable=False),
        sa.Column("revoked_at", moment),
        sa.PrimaryKeyConstraint("project_id", "uid", name="pk_invite"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_invite_project_id"),
    )
