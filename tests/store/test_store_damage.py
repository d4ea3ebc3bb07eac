"""No stored event keeps a project from opening: what cannot be read is set aside, counted, and can be withdrawn."""

import json
import sqlite3
from contextlib import closing

import pytest
import sqlalchemy as sa

from likewise.query.question import Answer
from likewise.store import Store, StoreError, schema
from likewise.store.archive import read_archive, write_archive
from likewise.store.event_rows import MOST_BYTES, SET_ASIDE, SetAside
from likewise.store.fields import MOST_DEPTH

SAME = {"kind": "pair", "items": [0, 1], "value": "same"}


def nested(depth):
    value = {}
    for _ in range(depth):
        value = {"a": value}
    return value


def text_of_depth(depth):
    return '{"items":[0,1],"kind":"pair","shown":' + '{"a":' * depth + "1" + "}" * depth + ',"value":"same"}'


def without_triggers(connection):
    if connection.dialect.name == "sqlite":
        connection.execute(sa.text("DROP TRIGGER event_UPDATE"))
        connection.execute(sa.text("DROP TRIGGER event_DELETE"))
    else:
        connection.execute(sa.text("DROP TRIGGER event_append_only ON event"))


def change(store, sql, **values):
    """Do to the table of events what a damaged disk or an older version would have done."""
    with store._database.write() as connection:
        without_triggers(connection)
        connection.execute(sa.text(sql), values)


def put(project, store, seq, kind, text):
    """A row that an older version wrote: with the checksum that a migration gives it."""
    from likewise.store.checksums import moment_bytes, own_checksum

    with store._database.write() as connection:
        number = connection.scalar(sa.select(schema.annotator.c.id).limit(1))
        at = project.created_at
        texts = (moment_bytes(at), kind.encode(), f"k{seq}".encode(), text.encode())
        own = own_checksum(project.id, seq, number, None, *texts)
        values = {"p": project.id, "s": seq, "k": kind, "n": number, "at": at, "t": text, "key": f"k{seq}"}
        row = sa.text(
            "INSERT INTO event (project_id, seq, kind, annotator_id, at, payload, key, checksum)"
            " VALUES (:p, :s, :k, :n, :at, :t, :key, :c)"
        ).bindparams(sa.bindparam("at", type_=schema.Moment), sa.bindparam("t", type_=sa.JSON))
        from likewise.store.database import JsonText

        connection.execute(row, values | {"t": JsonText(text), "c": own + bytes(16)})


@pytest.mark.parametrize("depth", [MOST_DEPTH, 200, 935, 5000])
def test_what_is_nested_too_deep_is_refused_wherever_it_comes_in(project, depth):
    with pytest.raises(ValueError, match=r"nested more than 32 deep|cannot be written as JSON"):
        project.append("answer", {**SAME, "shown": nested(depth)})
    with pytest.raises(ValueError, match=r"nested more than 32 deep|cannot be written as JSON"):
        project.update_settings({"x": nested(depth)})
    assert project.events() == []
    assert project.append("answer", {**SAME, "shown": nested(MOST_DEPTH - 1)}).seq == 1


def test_what_is_too_large_is_refused_and_large_edits_pass(store):
    project = store.create_project("many")
    with pytest.raises(ValueError, match="answer: shown takes 70,008 bytes as JSON, at most 65,536 are kept"):
        project.append("answer", {**SAME, "shown": {"a": "x" * 70_000}})
    with pytest.raises(ValueError, match="settings takes"):
        project.update_settings({"a": "x" * 70_000})
    project._n_items = 3_000_000  # as if they had been added
    split = project.append("split", {"kept": [0], "taken": range(1, 100_001)}, annotator="ann")
    assert split.seq == 1
    with pytest.raises(ValueError, match=f"at most {MOST_BYTES:,} are kept"):
        project.append("confirm", {"items": range(2_000_000)}, annotator="ann")
    assert project.append("confirm", {"items": range(100_000)}, annotator="ann").seq == 2


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("answer", text_of_depth(935)),
        ("answer", text_of_depth(3000)),
        ("wiggle", "{}"),
        ("answer", "[]"),
        ("answer", '{"items":[0,1],"kind":"pair","value":"perhaps"}'),
        ("answer", '{"items":["a",{}],"kind":"pair","value":"same"}'),
        ("bad", '{"items":[99]}'),
        ("withdraw", '{"events":[7],"how":"choice"}'),
        ("withdraw", '{"events":[2],"how":"choice"}'),
        ("study", '{"name":"s","plan":' + '{"a":' * 900 + "1" + "}" * 900 + "}"),
    ],
    ids=lambda value: value[:40],
)
def test_an_event_that_cannot_be_read_is_set_aside(project, store, kind, text):
    first = project.append("answer", SAME, annotator="ann", key="k1")
    put(project, store, 2, kind, text)
    opened = store.project("leaves")
    last = opened.append("answer", {**SAME, "items": [2, 3]}, annotator="ann")
    events = opened.events()
    assert [event.seq for event in events] == [1, 2, 3]
    assert events[0] == first
    assert events[2] == last
    assert events[1].kind == SET_ASIDE
    assert events[1].payload.was == kind
    assert events[1].payload.reason
    assert events[1].payload.text == text[: len(events[1].payload.text)]
    assert [event.seq for event in opened.set_aside()] == [2]
    assert [answer.items for answer in opened.answers()] == [(0, 1), (2, 3)]
    assert json.loads(json.dumps(events[1].as_dict()))["key"] == "k2"
    assert opened.undo("ann").payload.events == (3,)
    taken_back = opened.append("withdraw", {"events": [2]}, annotator="bob")
    assert not opened.log().in_force(2)
    assert taken_back.seq == 5


def test_an_archive_keeps_what_was_set_aside(project, store, tmp_path):
    project.append("answer", SAME, annotator="ann", key="k1")
    put(project, store, 2, "answer", text_of_depth(935))
    project.append("withdraw", {"events": [2]}, annotator="ann")
    project.append("answer", {**SAME, "items": [2, 3]}, annotator="ann")
    write_archive(project, tmp_path / "a.zip", None)
    with Store.open(tmp_path / "other") as other:
        read = read_archive(other, tmp_path / "a.zip")
        assert read.events() == project.events()
        assert [event.seq for event in read.set_aside()] == [2]
        assert read.events()[1].payload.text == text_of_depth(935)
        write_archive(read, tmp_path / "b.zip", None)
    with Store.open(tmp_path / "third") as third:
        assert read_archive(third, tmp_path / "b.zip").events() == project.events()


def test_nobody_can_append_what_was_set_aside(project):
    with pytest.raises(ValueError, match="there is no event of the kind 'unreadable'"):
        project.append(SET_ASIDE, {"reason": "x", "was": "", "text": ""})


DAMAGE = {
    "value": "UPDATE event SET payload = replace(CAST(payload AS TEXT), 'same', 'different'){json} WHERE seq = 2",
    "kind": "UPDATE event SET kind = 'gold' WHERE seq = 2",
    "key": "UPDATE event SET key = 'other' WHERE seq = 2",
    "seconds": "UPDATE event SET seconds = 3 WHERE seq = 2",
    "annotator": "UPDATE event SET annotator_id = (SELECT max(id) FROM annotator) WHERE seq = 2",
    "at": "UPDATE event SET at = '2001-01-01 00:00:00' WHERE seq = 2",
    "gone": "DELETE FROM event WHERE seq = 2",
    "checksum": "UPDATE event SET checksum = NULL WHERE seq = 2",
}


@pytest.mark.parametrize("what", DAMAGE)
def test_a_row_that_was_changed_is_set_aside(project, store, what):
    for k, who in enumerate(["ann", "ann", "bob"]):
        project.append("answer", {**SAME, "items": [k, k + 1]}, annotator=who, seconds=1.5)
    sqlite = store._database.is_sqlite
    sql = DAMAGE[what].format(json="" if sqlite else "::json")
    change(store, sql)
    opened = store.project("leaves")
    assert [event.seq for event in opened.set_aside()] == [2]
    assert opened.answers() == [Answer("pair", (0, 1), "same", "ann", 1.5), Answer("pair", (2, 3), "same", "bob", 1.5)]
    assert opened.append("bad", {"items": [5]}, annotator="ann").seq == 4


def test_a_flipped_bit_in_a_checksum_costs_no_answer(project, store):
    for k in range(3):
        project.append("answer", {**SAME, "items": [k, k + 1]}, annotator="ann")
    with store._database.read() as connection:
        whole = bytes(connection.scalar(sa.text("SELECT checksum FROM event WHERE seq = 2")))
    for at in range(len(whole)):
        flipped = whole[:at] + bytes([whole[at] ^ 16]) + whole[at + 1 :]
        with store._database.write() as connection:
            if at == 0:
                without_triggers(connection)
            connection.execute(sa.text("UPDATE event SET checksum = :c WHERE seq = 2"), {"c": flipped})
        assert store.project("leaves").set_aside() == []


def test_every_flipped_bit_of_a_row_is_noticed(tmp_path):
    """In the file itself, bit by bit over one event's row: no other answer, and never an error."""
    with Store.open(tmp_path) as store:
        project = store.create_project("leaves")
        project.add_items(f"{i}.jpg" for i in range(10))
        for k in range(3):
            project.append("answer", {**SAME, "items": [k, k + 1]}, annotator="ann", key=f"key-of-event-{k}", seconds=2)
        right = project.answers()
    with closing(sqlite3.connect(tmp_path / "likewise.db")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = (tmp_path / "likewise.db").read_bytes()
    payload = b'{"items":[1,2],"kind":"pair","shown":{},"value":"same"}'
    at = content.index(payload)
    assert content.count(payload) == 1
    wrong = []
    for bit in range(0, 8 * len(payload), 3):
        damaged = bytearray(content)
        damaged[at + bit // 8] ^= 1 << bit % 8
        (tmp_path / "likewise.db").write_bytes(damaged)
        with Store.open(tmp_path) as store:
            found = store.project()
            if found.answers() != [right[0], right[2]] or [each.seq for each in found.set_aside()] != [2]:
                wrong.append(bit)
    assert wrong == []


def test_a_damaged_description_of_the_tables_is_one_sentence(tmp_path):
    Store.open(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "likewise.db")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = (tmp_path / "likewise.db").read_bytes()
    (tmp_path / "likewise.db").write_bytes(content.replace(b"CREATE TABLE event", b"CREATE TAB\xacE event"))
    with pytest.raises(StoreError):
        Store.open(tmp_path)


def test_many_missing_numbers_are_said_in_one_sentence(project, store):
    project.append("answer", SAME, annotator="ann")
    project.append("answer", SAME, annotator="ann")
    change(store, "UPDATE event SET seq = 1000000000 WHERE seq = 2")
    with pytest.raises(RuntimeError, match="event 2 is missing: after it comes 1000000000; the database is damaged"):
        store.project("leaves").events()


def test_the_placeholder_says_nothing():
    payload = SetAside(reason="it is damaged", was="answer", text="{")
    assert payload.images() == ()
    assert payload.judgements() == []
    assert payload.outside_session
