"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "project",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("uid", sa.String(32), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created_at", moment, nullable=False),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_project"),
        sa.UniqueConstraint("uid", name="uq_project_uid"),
        sa.UniqueConstraint("name", name="uq_project_name"),
    )
    op.create_table(
        "image",
        sa.Column("project_id", sa.Integer, nullable=False),
        sa.Column("position", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("path", sa.LargeBinary, nullable=False),
        sa.Column("path_digest", sa.LargeBinary, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("width", sa.Integer),
        sa.Column("height", sa.Integer),
        sa.Column("added_at", moment, nullable=False),
        sa.PrimaryKeyConstraint("project_id", "position", name="pk_image"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_image_project_id"),
        sa.UniqueConstraint("project_id", "path_digest", name="uq_image_project_id_path_digest"),
        sa.CheckConstraint("position >= 0", name="ck_image_position"),
        sa.CheckConstraint("status IN ('present', 'gone', 'unreadable')", name="ck_image_status"),
    )
    op.create_table(
        "annotator",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("project_id", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created_at", moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_annotator"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_annotator_project_id"),
        sa.UniqueConstraint("project_id", "name", name="uq_annotator_project_id_name"),
    )
    op.create_table(
        "event",
        sa.Column("project_id", sa.Integer, nullable=False),
        sa.Column("seq", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("annotator_id", sa.Integer, nullable=False),
        sa.Column("at", moment, nullable=False),
        sa.Column("seconds", sa.Float),
        sa.Column("payload", sa.JSON, nullable=False),
        sa.Column("key", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("project_id", "seq", name="pk_event"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_event_project_id"),
        sa.ForeignKeyConstraint(["annotator_id"], ["annotator.id"], name="fk_event_annotator_id"),
        sa.UniqueConstraint("project_id", "key", name="uq_event_project_id_key"),
        sa.CheckConstraint("seq >= 1", name="ck_event_seq"),
        sa.CheckConstraint("seconds >= 0", name="ck_event_seconds"),
    )
