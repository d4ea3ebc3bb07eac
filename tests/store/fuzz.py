"""Every field of every kind of event, bent: whatever is accepted, the project opens again, exports, archives, restores.

The quick size is in the tests; ``python -m benchmarks.hostile fuzz`` runs the long one.
"""

import csv
import io
import json
import math
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, seed, settings, strategies as st

from likewise.app.exporting import take_snapshot
from likewise.app.project_log import ProjectLog, answers_asked_for
from likewise.app.studies import Studies
from likewise.app.verification import verify
from likewise.formats.registry import export, exporters
from likewise.store import Store
from likewise.store.archive import read_archive, write_archive
from tests.store.test_store_payloads import PAYLOADS

N_ITEMS = 64
ITEM_FIELDS = [
    "items",
    "odd",
    "kept",
    "taken",
    "target",
    "source",
    "groups",
    "hits",
    "marks",
    "questions",
    "memberships",
    "seen",
]
HANDED = ("key", "annotator", "seconds")


def nested(depth, leaf=1):
    for k in range(depth):
        leaf = {"a": leaf} if k % 2 else [leaf]
    return leaf


HOSTILE = st.one_of(
    st.sampled_from([12, 30, 31, 32, 33, 64, 200, 900, 3000]).map(nested),
    st.sampled_from([math.nan, math.inf, -math.inf, 1e308, -0.0, 5e-324, 2**31, 2**63, 10**308, 10**400, -1, True]),
    st.sampled_from(["\ud800", "\udfff", "a\0b", "\u202e", "\ufeff", "\r\n", "=1+1", "é" * 999, "x" * 70_000, "", " "]),
    st.sampled_from([None, [], {}, [[]], b"x", [None], {"": None}, {"\ud800": 1}, {"gold": "same"}, {"overlap": "x"}]),
    st.sampled_from([{"overlap": 10**30}, {"check": 10**400}, {"check": "x"}, {"gold": ["a"]}, {"overlap": [1]}]),
    st.text(max_size=5),
    st.integers(-5, 2**70),
)


def places(value, path=()):
    """All paths in a payload, so that any part of it can be bent."""
    yield path
    if len(path) > 6:  # what was bent before is deep
        return
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places(each, (*path, key))


def bent(value, path, to):
    """A payload with another value in one place."""
    if not path:
        return to
    first, *rest = path
    if isinstance(value, dict):
        return {**value, first: bent(value[first], rest, to)}
    return [*value[:first], bent(value[first], rest, to), *value[first + 1 :]]


def small(value, seen):
    """Numbers of items brought into the range that there is, different ones to different ones."""
    if isinstance(value, list | tuple):
        return [small(each, seen) for each in value]
    if type(value) is int:
        return seen.setdefault(value, len(seen))
    return value


@st.composite
def events(draw):
    kind = draw(st.sampled_from(sorted(PAYLOADS)))
    payload, seen = draw(PAYLOADS[kind]), {}
    payload = json.loads(json.dumps({k: small(v, seen) if k in ITEM_FIELDS else v for k, v in payload.items()}))
    if kind == "withdraw":
        payload["events"] = [draw(st.integers(1, 6))]
    handed = {"key": None, "annotator": draw(st.sampled_from(["ann", "bob", ""])), "seconds": None}
    bends = draw(st.integers(0, 2))
    for _ in range(bends):
        if draw(st.integers(0, 9)) == 0:
            handed[draw(st.sampled_from(HANDED))] = draw(HOSTILE)
        elif isinstance(payload, dict):
            payload = bent(payload, draw(st.sampled_from(list(places(payload)))), draw(HOSTILE))
    return kind, payload, handed


def store_and_come_back(where, url, batch):
    """Append what is accepted, then do with the project all that people do; how many were accepted."""
    accepted = 0
    with Store.open(url, folder=where) as store:
        project = store.create_project(f"p{len(store.projects())}")
        project.add_items(f"{k}.jpg" for k in range(N_ITEMS))
        for kind, payload, handed in batch:
            try:
                project.append(kind, payload, **handed)
                accepted += 1
            except (ValueError, TypeError):  # refused, with a sentence
                continue
        name = project.name
    with Store.open(url, folder=where) as store:
        project = store.project(name)
        written = project.events()
        assert len(written) == accepted
        assert project.set_aside() == []
        log = ProjectLog(project)
        log.follow()
        log.rebuild()
        for event in written:
            answers_asked_for(event)
            json.dumps(event.as_dict(), allow_nan=False)
        project.answers(), project.names(), project.confirmed(), project.bad_images(), log.snapshot().groups()
        Studies(project).follow()
        export_all(project, where)
        assert [each for each in verify(store, project, where) if not each.startswith("the vectors")] == []
        archive = where / "archive.zip"
        write_archive(project, archive, None)
        with tempfile.TemporaryDirectory() as other, Store.open(other) as restored:
            assert read_archive(restored, archive).events() == written
    return accepted


def export_all(project, where):
    """Write the tables that need no clusters, and read them."""
    snapshot = take_snapshot(project, where, None, None)
    for name in ("jsonl", "tables", "parquet", "csv"):
        written = export(exporters()[name], snapshot, where / f"out-{name}", force=True).path
        for file in [written] if written.is_file() else written.glob("*.csv"):
            if name != "parquet":
                list(csv.reader(io.StringIO(file.read_bytes().decode(), newline="")))


def fuzz(url, examples, number=1, batch=12, failures=None):
    """Run so many batches; how many events were sent and accepted.

    A batch that fails stops it, or is noted in the list of failures where one is given.
    """
    counts = {"sent": 0, "accepted": 0}

    @seed(number)
    @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(events(), min_size=1, max_size=batch))
    def run(batch):
        with tempfile.TemporaryDirectory() as folder:
            where = Path(folder)
            try:
                counts["accepted"] += store_and_come_back(where, folder if url is None else url, batch)
            except Exception as error:
                if failures is None:
                    raise
                failures.append(f"{type(error).__name__}: {error}"[:200])
            counts["sent"] += len(batch)

    run()
    return counts
