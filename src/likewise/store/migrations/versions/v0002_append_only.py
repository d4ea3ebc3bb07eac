"""The database itself refuses to change or delete an event."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"

SQLITE = """
CREATE TRIGGER event_{verb} BEFORE {verb} ON event
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END
"""
FUNCTION = """
CREATE FUNCTION refuse_event_change() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN RAISE EXCEPTION 'events are append-only'; END $$
"""
POSTGRESQL = """
CREATE TRIGGER event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON event
FOR EACH STATEMENT EXECUTE FUNCTION refuse_event_change()
"""


def upgrade() -> None:
    """Put the triggers in place."""
    if op.get_bind().dialect.name == "sqlite":
        for verb in ("UPDATE", "DELETE"):
            op.execute(SQLITE.format(verb=verb))
    else:
        op.execute(FUNCTION)
        op.execute(POSTGRESQL)
