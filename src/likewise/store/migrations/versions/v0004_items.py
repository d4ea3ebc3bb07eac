"""Items in place of images: regions are possible, and the state of files is the catalogue's."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

ITEMS = """
INSERT INTO item (project_id, id, path, digest, added_at)
SELECT project_id, "position", path, path_digest, added_at FROM image
"""
STATES = """
INSERT INTO file_state (project_id, item_id, status, reason, width, height)
SELECT project_id, "position", status, reason, width, height FROM image
WHERE status <> 'present' OR reason <> '' OR width IS NOT NULL OR height IS NOT NULL
"""
REGION = """
(x IS NULL AND y IS NULL AND w IS NULL AND h IS NULL) OR (x >= 0 AND y >= 0 AND w > 0 AND h > 0)
"""


def upgrade() -> None:
    """Make the tables and fill them from the old one; the position of an image is the id of its item."""
    op.create_table(
        "item",
        sa.Column("project_id", sa.Integer, nullable=False),
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("path", sa.LargeBinary, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        *(sa.Column(name, sa.Integer) for name in "xywh"),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("project_id", "id", name="pk_item"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_item_project_id"),
        sa.UniqueConstraint("project_id", "digest", name="uq_item_project_id_digest"),
        sa.CheckConstraint("id >= 0", name="ck_item_id"),
        sa.CheckConstraint(REGION.strip(), name="ck_item_region"),
    )
    op.create_table(
        "file_state",
        sa.Column("project_id", sa.Integer, nullable=False),
        sa.Column("item_id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("width", sa.Integer),
        sa.Column("height", sa.Integer),
        sa.Column("content", sa.LargeBinary),
        sa.PrimaryKeyConstraint("project_id", "item_id", name="pk_file_state"),
        sa.ForeignKeyConstraint(
            ["project_id", "item_id"], ["item.project_id", "item.id"], name="fk_file_state_project_id_item_id"
        ),
        sa.CheckConstraint("status IN ('present', 'gone', 'unreadable')", name="ck_file_state_status"),
    )
    op.execute(ITEMS)
    op.execute(STATES)
    op.drop_table("image")
