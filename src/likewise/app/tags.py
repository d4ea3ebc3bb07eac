"""Tags of pictures: the latest value of each, the tree learned from them, and what is probably missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from likewise.app.browsing import read_vectors
from likewise.app.location import Location
from likewise.store import Log
from likewise.store.payloads import Tagged

FEWEST_IMAGES, FEWEST_TAGS = 5, 2  # to learn a tree from
MOST_SUGGESTIONS = 5000
Words = dict[int, dict[str, str]]  # image -> tag -> "yes" or "no"


def words_of(log: Log) -> Words:
    """The latest value of every picture and tag, where it is not open again."""
    words: Words = {}
    for event in log.standing():
        if isinstance(event.payload, Tagged):
            for image in event.payload.items:
                words.setdefault(image, {})[event.payload.name] = event.payload.value
    kept = {image: {t: v for t, v in values.items() if v != "open"} for image, values in words.items()}
    return {image: values for image, values in kept.items() if values}


def open_suggestions(tree: Mapping[str, Any] | None, words: Words) -> list[dict[str, Any]]:
    """Suggestions that nobody has accepted or rejected."""
    if tree is None:
        return []
    return [each for each in tree["suggestions"] if each["tag"] not in words.get(each["image"], {})]


def count_tags(words: Words) -> dict[str, int]:
    """How many pictures have each tag, the most frequent first."""
    counts: dict[str, int] = {}
    for values in words.values():
        for name, value in values.items():
            counts[name] = counts.get(name, 0) + (value == "yes")
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))


def is_enough(words: Words) -> bool:
    """Whether a tree can be learned."""
    tagged = sum("yes" in values.values() for values in words.values())
    return tagged >= FEWEST_IMAGES and sum(n > 0 for n in count_tags(words).values()) >= FEWEST_TAGS


def tags_hash(words: Words) -> int:
    """A number that changes when somebody tags; a rejection changes what is suggested, not what is learned."""
    return hash(frozenset((image, t) for image, values in words.items() for t, v in values.items() if v == "yes"))


def learn_tree(location: Location, words: Words, images: Iterable[int]) -> dict[str, Any]:
    """The tree, its drawing and the suggestions: learned from the pictures that have tags, suggested for all."""
    from likewise.hierarchy import LabelHierarchy, draw_tree, tree_document

    names = [name for name, n in count_tags(words).items() if n > 0]
    there, X = read_vectors(location, sorted({*images, *words}))
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
    # A picture without any tag has not been tagged yet, so only its looks count.
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
