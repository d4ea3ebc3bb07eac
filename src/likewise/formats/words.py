"""What is asked about, in words: pictures in clusters or, in a project of faces, faces of people.

Texts are written about pictures; all that is said of faces instead is here, and of the page in web/src/state/words.ts.
"""

from __future__ import annotations

import re

__all__ = ["NOUNS", "SENTENCES", "say_of_faces", "worded"]

NOUNS = {
    "picture": "face",
    "pictures": "faces",
    "cluster": "person",
    "clusters": "people",
    "group": "person",
    "groups": "people",
}

SENTENCES = {
    "a folder for each cluster with its pictures": "a folder for each person with the photographs they are in",
    "one JSON file with categories, images and annotations": "one JSON file with people, photographs and boxes",
    "clusters, answers, annotators and images as CSV, for statistics": (
        "people, answers, annotators and faces as CSV, for statistics"
    ),
    "pictures and labels.json, an image classification dataset": (
        "faces, cut out, and labels.json, an image classification dataset"
    ),
    "train and val with a folder a class, for Ultralytics": "faces, cut out, in train and val, a folder a person",
    "Class folders": "Folders of people",
    "clusters, largest first": "people, those with most faces first",
    "smaller clusters are not listed": "people with fewer faces are not listed",
    "the clusters are made without them": "people are told apart without them",
    "Size of each cluster": "Number of faces of each person",
    "all pictures of the cluster are selected: leave at least one behind": (
        "all faces of the person are selected: leave at least one behind"
    ),
    "all pictures of the cluster are odd: leave at least one": (
        "all faces of the person are said to be of others: leave at least one"
    ),
    "a cluster cannot be merged with itself": "a person cannot be merged with themselves",
    "every pair of pictures is known, or follows from what was said": (
        "of every two faces it is known whether they are of one person, or follows from what was said"
    ),
}

# Names that people gave are quoted; words of paths have a slash, a dot or the like beside them.
_PART = re.compile(
    r"""(?<!\w)'(?:[^'\\]|\\.)*'(?!\w) | "(?:[^"\\]|\\.)*" | “[^”]*”
    | (?<![\w./\\#-])(?P<noun>pictures?|clusters?|groups?)(?![\w/\\#-]|\.\w)""",
    re.VERBOSE | re.IGNORECASE,
)


def say_of_faces(text: str) -> str:
    """A text about pictures as it is said of faces; what is quoted stays.

    Examples
    --------
    >>> say_of_faces("Moved 3 pictures to 'my pictures'")
    "Moved 3 faces to 'my pictures'"
    """
    return SENTENCES.get(text) or _PART.sub(_other_word, text)


def worded(text: str, of_faces: bool) -> str:
    """A text about what is asked about: as it is, or as it is said of faces."""
    return say_of_faces(text) if of_faces else text


def _other_word(found: re.Match[str]) -> str:
    noun = found["noun"]
    if noun is None:
        return found[0]
    word = NOUNS[noun.lower()]
    return word.capitalize() if noun[0].isupper() else word
