"""Tags, several a picture and some of them missing: who has which, the tree learned from them, and what to add."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

import numpy as np
from fastapi import APIRouter, Query, Request
from pydantic import AfterValidator, StringConstraints

from likewise.app.location import Place
from likewise.app.studies import OutOfTurnError
from likewise.server.routes.browse import background_of, read_vectors
from likewise.server.routes.questions import live_of
from likewise.server.schemas import Form, Ids
from likewise.store import Log
from likewise.store.payloads import Tagged, tidy_tag

router = APIRouter(prefix="/tags")
FEWEST_IMAGES, FEWEST_TAGS = 5, 2  # to learn a tree from
MOST_SUGGESTIONS = 5000
TagName = Annotated[str, StringConstraints(max_length=100, pattern=r"\S"), AfterValidator(tidy_tag)]
Words = dict[int, dict[str, str]]  # image -> tag -> "yes" or "no"


class TagForm(Form):
    """A tag for pictures: it is right, it is wrong, or nothing is said of it any more."""

    items: Ids
    name: TagName
    value: Literal["yes", "no", "open"] = "yes"


def words_of(log: Log) -> Words:
    """The last word on every picture and tag, where it is not open again."""
    words: Words = {}
    for event in log.standing():
        if isinstance(event.payload, Tagged):
            for image in event.payload.items:
                words.setdefault(image, {})[event.payload.name] = event.payload.value
    kept = {image: {t: v for t, v in said.items() if v != "open"} for image, said in words.items()}
    return {image: said for image, said in kept.items() if said}


@router.get("")
def get_tags(request: Request) -> dict[str, Any]:
    """All tags with how often they are there, and the tree that was learned last; `stale` when tags changed since."""
    live, background = live_of(request), background_of(request)
    words = words_of(live.log())
    counts = count_tags(words)
    kept = background.last("tree")
    tree = None if kept is None or kept.result is None else kept.result
    return {
        "tags": [{"name": name, "count": n} for name, n in counts.items()],
        "tagged": sum("yes" in said.values() for said in words.values()),
        "can_learn": is_enough(words),
        "working": background.works("tree"),
        "stale": tree is None or kept is None or kept.key != _key(words),
        "problem": "" if kept is None else kept.problem,
        "tree": None if tree is None else tree["document"],
        "svg": None if tree is None else tree["svg"],
        "suggested": len(open_suggestions(tree, words)),
    }


@router.post("")
def post_tag(form: TagForm, request: Request) -> dict[str, Any]:
    """Store what was said of a tag and some pictures."""
    live = live_of(request)
    payload = {"items": list(dict.fromkeys(form.items)), "name": form.name, "value": form.value}
    return {"seq": live.append("tag", payload, annotator=form.annotator, key=form.key).seq}


@router.get("/pictures")
def get_pictures(
    request: Request, items: Annotated[list[int], Query(min_length=1, max_length=2000)]
) -> dict[str, Any]:
    """The tags of some pictures: how many of them have each, and how many are said not to."""
    words = words_of(live_of(request).log())
    said = [words.get(image, {}) for image in items]
    names = sorted({name for each in said for name in each}, key=str.casefold)
    values = {name: [each.get(name) for each in said] for name in names}
    return {
        "n": len(items),
        "tags": [
            {"name": name, "yes": values[name].count("yes"), "no": values[name].count("no")} for name in names
        ],
    }


@router.post("/learn")
def post_learn(request: Request) -> dict[str, Any]:
    """Learn the tree from the tags of now, in the background."""
    live, background = live_of(request), background_of(request)
    words = words_of(live.log())
    if not is_enough(words):
        raise OutOfTurnError(f"tag at least {FEWEST_IMAGES} pictures with at least {FEWEST_TAGS} tags first")
    left_out = set(live.log().bad())
    images = [image for image in live.wall.cluster_of if image not in left_out]
    background.ask("tree", _key(words), learn_tree, live.place, words, images)
    return {"working": background.works("tree")}


@router.get("/suggestions")
def get_suggestions(
    request: Request,
    tag: str | None = None,
    offset: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 60,
) -> dict[str, Any]:
    """Tags that are probably missing, the surest first, without those that were accepted or rejected since."""
    kept = background_of(request).last("tree")
    words = words_of(live_of(request).log())
    found = open_suggestions(None if kept is None else kept.result, words)
    found = [each for each in found if tag is None or each["tag"] == tag]
    return {"total": len(found), "suggestions": found[offset : offset + limit]}


def open_suggestions(tree: Mapping[str, Any] | None, words: Words) -> list[dict[str, Any]]:
    """Suggestions on which nobody has had a word."""
    if tree is None:
        return []
    return [each for each in tree["suggestions"] if each["tag"] not in words.get(each["image"], {})]


def count_tags(words: Words) -> dict[str, int]:
    """How many pictures have each tag, the most frequent first."""
    counts: dict[str, int] = {}
    for said in words.values():
        for name, value in said.items():
            counts[name] = counts.get(name, 0) + (value == "yes")
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))


def is_enough(words: Words) -> bool:
    """Whether a tree can be learned."""
    tagged = sum("yes" in said.values() for said in words.values())
    return tagged >= FEWEST_IMAGES and sum(n > 0 for n in count_tags(words).values()) >= FEWEST_TAGS


def _key(words: Words) -> int:
    """A number that changes when somebody tags; a rejection changes what is suggested, not what is learned."""
    return hash(frozenset((image, t) for image, said in words.items() for t, v in said.items() if v == "yes"))


def learn_tree(place: Place, words: Words, images: Iterable[int]) -> dict[str, Any]:
    """The tree, its drawing and the suggestions: learned from the pictures that have tags, told of all."""
    from likewise.hierarchy import LabelHierarchy, draw_tree, tree_document

    names = [name for name, n in count_tags(words).items() if n > 0]
    there, X = read_vectors(place, sorted({*images, *words}))
    X = X / (X.std() or 1.0)
    column = {name: k for k, name in enumerate(names)}
    Z = np.zeros((len(there), len(names)), bool)
    for row, image in enumerate(there):
        for name, value in words.get(image, {}).items():
            if value == "yes":
                Z[row, column[name]] = True
    tagged = Z.any(axis=1)
    if tagged.sum() < FEWEST_IMAGES:
        raise ValueError("too few of the tagged pictures have been read: wait for the others")
    model = LabelHierarchy(random_state=0).fit(X[tagged], Z[tagged])
    # Of a picture without any tag nobody has said yet what it lacks: there only its looks count.
    chance = model.predict_proba(X)
    chance[tagged] = model.posterior(X[tagged], Z[tagged])
    rows, columns = np.nonzero(~Z & (chance > 0.5))
    order = np.argsort(-chance[rows, columns], kind="stable")[:MOST_SUGGESTIONS]
    suggestions = [
        {
            "image": there[rows[at]],
            "tag": names[columns[at]],
            "probability": round(float(chance[rows[at], columns[at]]), 4),
        }
        for at in order.tolist()
    ]
    document = tree_document(model.edges_, names, counts=Z.sum(axis=0).tolist(), alpha=model.alpha_)
    return {"document": document, "svg": draw_tree(document), "suggestions": suggestions}
