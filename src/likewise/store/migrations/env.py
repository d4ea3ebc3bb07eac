"""Run by Alembic: the steps go through the connection that :mod:`likewise.store.migration` holds."""

from __future__ import annotations

from alembic import context


def run() -> None:
    """Run the steps inside the transaction that is already open."""
    context.configure(connection=context.config.attributes["connection"], render_as_batch=True, transactional_ddl=True)
    context.run_migrations()


if __name__ == "env_py":  # the name under which Alembic runs this file; others only import it
    run()
