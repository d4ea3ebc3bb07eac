"""Crowd work through the API: pages handed out, keywords and groups kept, exported and fitted."""

import csv
import json
from collections import Counter
from datetime import UTC, datetime

import numpy as np
import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from likewise.app.crowd_pages import HELD_FOR, HitLists, make_hits
from likewise.app.live import LiveProject
from likewise.cli import app as commands
from likewise.crowd import read_hits
from likewise.server.application import create_app
from tests.app.page import TRUTH, NoPictures, Page

PEOPLE = tuple(f"p{k}" for k in range(9))


@pytest.fixture
def desk(location, tmp_path):
    """A page on a project of 24 pictures that no engine works on."""
    (tmp_path / "leaves").mkdir()
    live = LiveProject(location)
    live.project.add_images([f"{k}.jpg" for k in range(24)])
    client = TestClient(create_app(live, NoPictures(live)), base_url="http://127.0.0.1")
    yield Page(client, live)
    client.close()
    live.stop()


def command(*parts):
    run = CliRunner().invoke(commands, [str(part) for part in parts])
    assert run.exit_code == 0, run.output
    return run


def take(page, who, name="w1"):
    return page.post(f"crowd/{name}/next", annotator=who)["hit"]


def keywords(hit, words=lambda item: [f"class {TRUTH[item]}", "leaf"]):
    return [{"item": item, "words": words(item)} for item in hit["items"]]


def send(page, who, hit, *, name="w1", **form):
    return page.post(f"crowd/{name}/hits", annotator=who, hit=hit["number"], seconds=9.5, **form)


def work(page, people, form_of, name="w1"):
    """Everybody takes pages in turn until there is none; who did which."""
    did, left = Counter(), list(people)
    while left:
        for who in list(left):
            hit = take(page, who, name)
            if hit is None:
                left.remove(who)
                continue
            send(page, who, hit, name=name, **form_of(hit))
            did[hit["number"]] += 1
    return did


def test_every_page_goes_to_as_many_different_people_as_was_asked_for(desk):
    make_hits(desk.live.project, "w1", "keywords", per_hit=6, rounds=2, overlap=3)
    did = work(desk, PEOPLE, lambda hit: {"keywords": keywords(hit)})
    assert did == dict.fromkeys(range(8), 3)
    assert desk.post("crowd/w1/next", annotator="late")["finished"]
    lists = HitLists(desk.live.project)
    assert len(lists.hit_list("w1").done) == 24


def test_a_page_in_somebodys_hands_is_not_given_to_another_until_it_is_too_late(desk, monkeypatch):
    make_hits(desk.live.project, "w1", "keywords", per_hit=24, rounds=1, overlap=1)
    hit = take(desk, "ann")
    assert take(desk, "ann") == hit, "who has one keeps it"
    assert take(desk, "bob") is None
    later = datetime.now(UTC) + 2 * HELD_FOR
    monkeypatch.setattr("likewise.app.crowd_pages.now", lambda: later)
    assert take(desk, "bob") == hit
    send(desk, "bob", hit, keywords=keywords(hit))
    send(desk, "ann", hit, keywords=keywords(hit))  # late, but work that was done is kept
    assert len(HitLists(desk.live.project).hit_list("w1").done) == 2


def test_keywords_from_the_page_to_the_clusters(desk, tmp_path):
    pictures, out = tmp_path / "leaves", tmp_path / "hits.csv"
    made = command(
        *("crowd", "hits", pictures, "--project", tmp_path, "--name", "w1", "--kind", "keywords"),
        *("--per-hit", 8, "--rounds", 5, "--overlap", 3, "--random-state", 0, "--json"),
    )
    assert json.loads(made.stdout)["hits"] == 15
    habits = {who: k % 2 for k, who in enumerate(PEOPLE)}

    def said(hit):
        return {"keywords": keywords(hit, lambda item: [f" Class  {TRUTH[item]}", f"class {TRUTH[item]}"])}

    work(desk, habits, said)
    for items in ("path", "number"):
        command(
            *("crowd", "export", pictures, "--project", tmp_path, "--name", "w1"), *("--out", out, "--items", items)
        )
        with open(out, newline="") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == 24 * 5 * 3, "a keyword that is given twice counts once"
        names = [f"{k}.jpg" for k in range(24)] if items == "path" else None
        hits = read_hits(out, names)
        assert {mark for _, _, mark in hits} == {f"class {k}" for k in range(4)}
        assert len({hit for hit, _, _ in hits}) == 45
        vectors = tmp_path / ("x.npy" if names is None else "x.csv")
        X = np.random.default_rng(0).normal(size=(24, 4)) * 0.05 + np.eye(4)[TRUTH]
        if names is None:
            np.save(vectors, X)
        else:
            lines = [",".join([name, *map(str, row)]) for name, row in zip(names, X, strict=True)]
            vectors.write_text("\n".join(["id,x0,x1,x2,x3", *lines]))
        fitted = command("crowd", "fit", out, "--vectors", vectors, "-k", 4, "--json")
        labels = np.array(json.loads(fitted.stdout)["labels"])
        assert len({(a, b) for a, b in zip(TRUTH, labels, strict=True)}) == 4


def test_groups_from_the_page_to_the_clusters(desk, tmp_path):
    make_hits(desk.live.project, "w1", "grouping", per_hit=12, rounds=6, overlap=1)

    def sorted_out(hit):
        groups = [[i for i in hit["items"] if TRUTH[i] == k] for k in range(4)]
        return {"groups": [group for group in groups if len(group) > 1]}

    work(desk, PEOPLE, sorted_out)
    out = tmp_path / "hits.csv"
    command("crowd", "export", tmp_path / "leaves", "--project", tmp_path, "--name", "w1", "--out", out)
    hits = read_hits(out, [f"{k}.jpg" for k in range(24)])
    assert len({(hit, item) for hit, item, _ in hits}) == len(hits) == 24 * 6
    by_group = {}
    for hit, item, group in hits:
        if group is not None:
            by_group.setdefault((hit, group), set()).add(TRUTH[item])
    assert by_group
    assert all(len(classes) == 1 for classes in by_group.values())
    X = np.random.default_rng(0).normal(size=(24, 4)) * 0.05 + np.eye(4)[TRUTH]
    np.save(tmp_path / "x.npy", X)
    command(
        *("crowd", "export", tmp_path / "leaves", "--project", tmp_path, "--name", "w1"),
        *("--out", out, "--items", "number"),
    )
    fitted = command("crowd", "fit", out, "--vectors", tmp_path / "x.npy", "-k", 4, "--json")
    labels = json.loads(fitted.stdout)["labels"]
    assert len({(a, b) for a, b in zip(TRUTH, labels, strict=True)}) == 4


def test_the_last_page_is_taken_back_and_sent_again(desk):
    make_hits(desk.live.project, "w1", "keywords", per_hit=6, rounds=1, overlap=1)
    assert "no page" in desk.post("crowd/w1/back", status=409)["detail"]
    first = take(desk, "ann")
    send(desk, "ann", first, keywords=keywords(first))
    second = take(desk, "ann")
    send(desk, "ann", second, keywords=keywords(second))
    back = desk.post("crowd/w1/back", key="one-way-back")
    assert back["hit"] == second
    assert set(back["before"]) == {str(item) for item in second["items"]}
    assert desk.post("crowd/w1/back", key="one-way-back")["done"] == 1, "sent twice is done once"
    send(desk, "ann", second, keywords=keywords(second, lambda item: ["tree"]))
    works = HitLists(desk.live.project).hit_list("w1")
    (event,) = (e for (hit, _), e in works.done.items() if hit == second["number"])
    assert event.payload.marks[0][1] == ("tree",)
    assert [e.kind for e in desk.live.project.events()].count("crowd-hit") == 3, "nothing is forgotten"


def test_what_is_wrong_is_refused_in_one_sentence(desk):
    make_hits(desk.live.project, "w1", "keywords", per_hit=6, rounds=1)
    make_hits(desk.live.project, "g1", "grouping", per_hit=6, rounds=1)

    def refused(status, name, hit, **form):
        said = desk.post(f"crowd/{name}/hits", status=status, hit=hit["number"], seconds=1.0, **form)["detail"]
        assert "\n" not in said
        return said

    hit, page = take(desk, "ann"), take(desk, "ann", "g1")
    good = keywords(hit)
    first = hit["items"][0]

    def with_words(*words):
        return [each | ({"words": list(words)} if each["item"] == first else {}) for each in good]

    assert "no list of hits 'nope'" in desk.post("crowd/nope/next", status=404)["detail"]
    assert "no list of hits" in desk.client.get("/api/crowd/<i>").json()["detail"]
    for word in ("<b>leaf</b>", "a\nb", "\x07", "</script>"):
        assert "plain text" in refused(422, "w1", hit, keywords=with_words(word))
    assert "one keyword at a time" in refused(422, "w1", hit, keywords=with_words("red, leaf"))
    assert "at most 20" in refused(422, "w1", hit, keywords=with_words(*map(str, range(21))))
    assert "100 characters" in refused(422, "w1", hit, keywords=with_words("x" * 101))
    assert "not the pictures" in refused(409, "w1", hit, keywords=good[1:])
    assert "not the pictures" in refused(409, "w1", hit, keywords=[*good, good[0]])
    assert "for keywords" in refused(422, "w1", hit, groups=[hit["items"]])
    assert "for groups" in refused(422, "g1", page, keywords=keywords(page))
    assert "two groups" in refused(422, "g1", page, groups=[page["items"][:2], page["items"][1:]])
    other = next(k for k in range(24) if k not in page["items"])
    assert "not on this page" in refused(409, "g1", page, groups=[[page["items"][0], other]])
    assert "not given to you" in refused(409, "w1", hit, keywords=good, annotator="bob")
    assert "not given to you" in refused(409, "w1", {"number": 99}, keywords=good)
    form = {"keywords": good, "key": "the-same-key"}
    assert send(desk, "ann", hit, **form)["seq"] == send(desk, "ann", hit, **form)["seq"]
    assert "something else" in refused(409, "w1", hit, key="the-same-key", keywords=with_words("oak"))
    assert "sent this page already" in refused(409, "w1", hit, keywords=good)
    empty = send(desk, "ann", page, name="g1", groups=[[], page["items"][:2]])
    assert empty["done"] == 1
    with pytest.raises(ValueError, match="already"):
        make_hits(desk.live.project, "w1", "keywords")
    run = CliRunner().invoke(commands, ["crowd", "hits", "/nowhere", "--name", "x"])
    assert run.exit_code == 2
