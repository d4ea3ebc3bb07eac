"""Versions of the tables: models and migrations agree, old data is carried over, newer data is refused."""

import hashlib
import re
import shutil
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from likewise.query.question import Answer
from likewise.store import NewerVersionError, ProjectInUseError, Store, StoreError, migration, schema
from likewise.store.database import Database
from likewise.store.migration import HEAD, MIGRATIONS, bring_up_to_date

PATH = b"b\xff/caf\xc3\xa9\n.jpg"


def config_for(connection):
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def differences(database, metadata):
    with database.read() as connection:
        return compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), metadata)


def test_models_and_migrations_agree(store):
    database = store._database
    assert differences(database, schema.metadata) == []
    other = sa.MetaData(naming_convention=schema.NAMING)
    for table in schema.metadata.tables.values():
        table.to_metadata(other)
    other.tables["event"].append_column(sa.Column("mood", sa.Text))
    assert [difference[0] for difference in differences(database, other)] == ["add_column"]
    with database.read() as connection:
        inspector = sa.inspect(connection)
        for name, table in schema.metadata.tables.items():
            rules = {
                rule["name"]: set(re.findall(r"\w+", rule["sqltext"])) for rule in inspector.get_check_constraints(name)
            }
            models = {c.name for c in table.constraints if isinstance(c, sa.CheckConstraint)}
            assert set(rules) == models
            status = rules.get("ck_file_state_status", set(schema.STATES))
            assert set(schema.STATES) <= status


def test_versions_are_numbered_without_gaps():
    script = ScriptDirectory(str(MIGRATIONS))
    steps = list(script.walk_revisions())[::-1]
    assert [step.revision for step in steps] == [f"{n:04}" for n in range(1, len(steps) + 1)]
    assert script.get_current_head() == HEAD


def make_first_version(where):
    """A database as the first version made it, written to without the store."""
    now = datetime(2024, 2, 29, 23, 59, 59, 999999, tzinfo=UTC)
    paths = [PATH + bytes([letter]) for letter in b"ABC"]
    said = [
        {"kind": "pair", "items": [0, 1], "value": "same", "shown": {}},
        {"kind": "triplet", "items": [0, 1, 2], "value": "ab", "shown": {"strip": [2]}},
    ]
    with closing(Database(where)) as database:
        if database.file:
            database.file.parent.mkdir(parents=True)
        with database.write() as connection:
            command.upgrade(config_for(connection), "0001")
            tables = sa.MetaData()
            tables.reflect(connection)

            def insert(table, *values):
                connection.execute(tables.tables[table].insert().values(values))

            insert("project", 7, "u7", "leaves 🍂", now, {"seed": 5})
            for i, path in enumerate(paths):
                digest = hashlib.sha256(path).digest()
                insert("image", 7, i, path, digest, "present", "", 640, None, now)
            insert("annotator", 3, 7, "ann", now)
            for seq, payload in enumerate(said, 1):
                insert("event", 7, seq, "answer", 3, now, 1.5, payload, f"k{seq}")
    return now


def rows(connection, table):
    columns = [column for column in schema.metadata.tables[table].c if column.name != "checksum"]  # came with 0005
    return [tuple(row) for row in connection.execute(sa.select(*columns))]


def snapshot(where):
    """What was in the tables of the first version, whatever others there are now."""
    with closing(Database(where)) as database, database.read() as connection:
        return {name: rows(connection, name) for name in ("project", "annotator", "event")} | {
            "items": item_rows(connection)
        }


def item_rows(connection):
    """Items and the states of their files: images in the first versions."""
    if sa.inspect(connection).has_table("image"):
        query = 'SELECT project_id, "position", path, path_digest, added_at, status, reason, width, height FROM image'
    else:
        query = (
            "SELECT i.project_id, id, path, digest, added_at, coalesce(status, 'present'), coalesce(reason, ''),"
            " width, height FROM item i LEFT JOIN file_state s ON s.project_id = i.project_id AND s.item_id = i.id"
        )
    return sorted((row[:2], *map(bytes, row[2:4]), *row[4:]) for row in connection.execute(sa.text(query)))


def test_the_first_version_is_upgraded_and_nothing_is_lost(where):
    now = make_first_version(where)
    before = snapshot(where)
    with Store.open(where) as store:
        assert snapshot(where) == before
        project = store.project("leaves 🍂")
        assert (project.id, project.uid, project.created_at) == (7, "u7", now)
        assert project.settings() == {"seed": 5}
        assert [image.path.encode(errors="surrogateescape") for image in project.items()] == [
            PATH + b"A",
            PATH + b"B",
            PATH + b"C",
        ]
        assert project.answers() == [
            Answer("pair", (0, 1), "same", "ann", 1.5),
            Answer("triplet", (0, 1, 2), "ab", "ann", 1.5),
        ]
        assert project.append("bad", {"items": [1]}, annotator="bob").seq == 3
        assert project.add_items([PATH + b"B", "new.jpg"]) == [1, 3]
        if store._database.file:
            copy = store.upgraded_from
            assert copy.name == "likewise-0001.backup.db"
            assert snapshot(f"sqlite:///{copy}") == before
            with closing(sqlite3.connect(copy)) as connection:
                assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)
        else:
            assert store.upgraded_from is None
    with Store.open(where) as store:
        assert store.upgraded_from is None
        assert len(store.project().events()) == 3


def test_an_upgrade_waits_for_another_and_is_refused_while_the_project_is_served(where, monkeypatch):
    make_first_version(where)
    database = Database(where)
    with database.lock(7, "the project"):
        monkeypatch.setattr(migration, "PATIENCE_SECONDS", 0.2)
        with pytest.raises(ProjectInUseError, match="is to be upgraded, but is already open in process"):
            Store.open(where)
    monkeypatch.undo()
    database.close()
    copies = []

    def upgrade():
        with Store.open(where) as store:
            copies.append(store.upgraded_from)

    threads = [threading.Thread(target=upgrade) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(copies) == 3
    assert sum(copy is not None for copy in copies) == (1 if database.file else 0)


def test_a_newer_version_is_refused_and_left_alone(where):
    Store.open(where).close()
    database = Database(where)
    with database.write() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0999'"))
    before = snapshot(where)
    with pytest.raises(NewerVersionError, match=r"newer version of likewise \(tables 0999, this version knows 0"):
        Store.open(where)
    assert snapshot(where) == before
    with database.write() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '1b2c3d'"))
    with pytest.raises(StoreError, match="another program"):
        Store.open(where)
    with database.write() as connection:
        connection.execute(sa.text("DROP TABLE alembic_version"))
    with pytest.raises(StoreError, match="another program"):
        Store.open(where)
    database.close()


NEXT_HEAD = f"{int(HEAD) + 1:04}"
NEXT = f"""
import sqlalchemy as sa
from alembic import op
revision, down_revision = "{NEXT_HEAD}", "{HEAD}"

def upgrade():
    with op.batch_alter_table("project") as table:
        table.add_column(sa.Column("mood", sa.Text))
        table.alter_column("name", new_column_name="title")
    with op.batch_alter_table("event") as table:
        table.add_column(sa.Column("weight", sa.Float))
"""


def next_version(tmp_path, end=""):
    folder = tmp_path / "migrations 100%"
    shutil.copytree(MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "versions" / f"v{NEXT_HEAD}_next.py").write_text(NEXT + end)
    return folder


def test_tables_that_others_refer_to_can_be_rebuilt(where, tmp_path):
    make_first_version(where)
    before = snapshot(where)
    database = Database(where)
    bring_up_to_date(database, next_version(tmp_path), NEXT_HEAD)
    with database.read() as connection:
        projects = [tuple(row) for row in connection.execute(sa.text("SELECT id, title, mood FROM project"))]
        assert projects == [(7, "leaves 🍂", None)]
        assert rows(connection, "event") == before["event"]
        assert item_rows(connection) == before["items"]
    with pytest.raises(StoreError), database.write() as connection:
        connection.execute(sa.text("INSERT INTO annotator VALUES (9, 8, 'eve', CURRENT_TIMESTAMP, NULL)"))
    database.close()


def test_a_failing_upgrade_leaves_all_as_it_was(where, tmp_path):
    make_first_version(where)
    before = snapshot(where)
    database = Database(where)
    with pytest.raises(ZeroDivisionError):
        bring_up_to_date(database, next_version(tmp_path, "    1 / 0\n"), NEXT_HEAD)
    database.close()
    assert snapshot(where) == before
    with Store.open(where) as store:
        assert len(store.project().events()) == 2


def test_a_copy_that_fails_stops_the_upgrade(tmp_path, monkeypatch):
    make_first_version(str(tmp_path / "project"))
    (tmp_path / "project" / "likewise-0001.backup.db.unfinished").mkdir()
    with pytest.raises((StoreError, OSError)):
        Store.open(tmp_path / "project")
    (tmp_path / "project" / "likewise-0001.backup.db.unfinished").rmdir()
    (tmp_path / "project" / "likewise-0001.backup.db").write_text("the user's own")
    with Store.open(tmp_path / "project") as store:
        assert store.upgraded_from.name == "likewise-0001.backup-2.db"
    assert (tmp_path / "project" / "likewise-0001.backup.db").read_text() == "the user's own"


def test_the_database_refuses_to_change_an_event(project, store):
    project.append("bad", {"items": [1]})
    before = project.events()
    verbs = ["UPDATE event SET seconds = 0", "DELETE FROM event"]
    for verb in verbs if store._database.is_sqlite else [*verbs, "TRUNCATE event"]:
        with pytest.raises(StoreError, match="events are append-only"), store._database.write() as connection:
            connection.execute(sa.text(verb))
    assert project.events() == before
