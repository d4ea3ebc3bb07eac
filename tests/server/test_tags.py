"""Tags: events like any other, the tree learned from them in the background, suggestions that a word settles."""

import numpy as np
from typer.testing import CliRunner

from likewise.app.live import LiveProject
from likewise.app.location import Location
from likewise.cli import app
from likewise.server.routes.tags import learn_tree, words_of

TRUTH = np.repeat(np.arange(4), 6)
MEMBERS = [np.flatnonzero(k == TRUTH).tolist() for k in range(4)]


def tag(page, items, name, value="yes", **more):
    return page.post("tags", items=items, name=name, value=value, **more)


def tag_all(page):
    """Plants above oak and fern, stones beside them; one oak and one fern lack the upper tag."""
    tag(page, MEMBERS[0][1:] + MEMBERS[1][1:], "plant")
    tag(page, MEMBERS[0], "oak")
    tag(page, MEMBERS[1], "fern")
    tag(page, MEMBERS[2] + MEMBERS[3][:-1], "stone")


def learn(page):
    page.post("tags/learn")
    page.client.app.state.background.wait("tree", 240)
    found = page.get("tags")
    assert not found["problem"]
    return found


def test_several_tags_a_picture_and_undo(page):
    tag(page, [0, 1, 2], "oak")
    tag(page, [0, 5], "  green \n tree ")
    tag(page, [1], "oak", "open")
    assert page.get("tags/pictures", items=[0, 1]) == {
        "n": 2,
        "tags": [{"name": "green tree", "yes": 1, "no": 0}, {"name": "oak", "yes": 1, "no": 0}],
    }
    page.post("undo")
    assert page.get("tags/pictures", items=[1])["tags"] == [{"name": "oak", "yes": 1, "no": 0}]
    assert {each["name"]: each["count"] for each in page.get("tags")["tags"]} == {"oak": 3, "green tree": 2}
    assert page.live.n_answers == 0  # tags say nothing of pairs
    first = tag(page, [7], "oak", key="tag-key-one")
    assert tag(page, [7], "oak", key="tag-key-one") == first


def test_what_is_not_taken(page):
    for wrong in ({"name": "  "}, {"items": []}, {"value": "maybe"}, {"name": "x" * 101}):
        page.post("tags", status=422, **({"items": [0], "name": "oak", "value": "yes"} | wrong))
    assert page.get("tags")["tags"] == []


def test_the_tree_and_its_suggestions(page):
    assert not page.get("tags")["can_learn"]
    page.post("tags/learn", status=409)
    tag_all(page)
    assert page.get("tags")["can_learn"]
    found = learn(page)
    parent = {each["name"]: each["parent_name"] for each in found["tree"]["tags"]}
    assert parent == {"plant": None, "stone": None, "oak": "plant", "fern": "plant"}
    assert found["svg"].startswith("<svg")
    assert not found["stale"]
    given = page.get("tags/suggestions")
    pairs = {(each["image"], each["tag"]) for each in given["suggestions"]}
    assert {(MEMBERS[0][0], "plant"), (MEMBERS[1][0], "plant"), (MEMBERS[3][-1], "stone")} <= pairs
    assert given["total"] == found["suggested"] == len(given["suggestions"])
    only = page.get("tags/suggestions", tag="stone")["suggestions"]
    assert {each["tag"] for each in only} == {"stone"}


def test_a_rejection_sticks(page):
    tag_all(page)
    learn(page)
    tag(page, [MEMBERS[0][0]], "plant", "no")
    tag(page, [MEMBERS[1][0]], "plant")

    def asked():
        given = page.get("tags/suggestions")["suggestions"]
        return {each["image"] for each in given if each["tag"] == "plant"}

    assert asked() & {MEMBERS[0][0], MEMBERS[1][0]} == set()
    assert page.get("tags")["stale"]  # the accepted one is a tag more
    learn(page)
    assert MEMBERS[0][0] not in asked()
    page.post("undo")
    page.post("undo")
    learn(page)
    assert MEMBERS[0][0] in asked()


def test_what_was_rejected_is_not_a_tag(page, location):
    tag_all(page)
    tag(page, [MEMBERS[2][0]], "never", "no")
    words = words_of(page.live.log())
    assert words[MEMBERS[2][0]] == {"stone": "yes", "never": "no"}
    found = learn_tree(location, words, range(24))
    assert "never" not in {each["name"] for each in found["document"]["tags"]}


def test_tags_from_a_list(tmp_path):
    folder, home = tmp_path / "photos", tmp_path / "home"
    folder.mkdir()
    location = Location(str(home), str(home), folder.name, "test")
    live = LiveProject(location)
    live.project.add_images(["a.jpg", "b.jpg", "sub/c.jpg"])
    live.stop()
    source = tmp_path / "tags.csv"
    source.write_text("path,tags\na.jpg,oak; plant\nsub/c.jpg,fern|plant\nnowhere.jpg,oak\n")
    command = ["tags", str(folder), str(source), "--project", str(home), "--json"]
    refused = CliRunner().invoke(app, command)
    assert refused.exit_code != 0
    assert "nowhere.jpg" in refused.output
    taken = CliRunner().invoke(app, [*command, "--skip-bad"])
    assert taken.exit_code == 0, taken.output
    assert '"new": 3' in taken.output
    again = CliRunner().invoke(app, [*command, "--skip-bad"])
    assert '"new": 0' in again.output
    with location.open_store() as store:
        log = location.find(store).log()
    assert words_of(log) == {0: {"oak": "yes", "plant": "yes"}, 2: {"fern": "yes", "plant": "yes"}}
    assert {event.annotator for event in log.standing()} == {"import"}
