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

# Texts, and parts of texts, for which other nouns do not suffice.
SENTENCES = {
    "needs no number of clusters": "nobody has to say how many people there are",
    "For chains and odd shapes: groups grow from picture to nearest picture.": (
        "For people who look different at different times: faces are joined from one to the nearest."
    ),
    "For a few large groups that blend into each other": "For a few people with many faces that look alike",
    "For very many pictures: makes small groups that are pure, not all of each.": (
        "For very many faces: finds some of each person, and hardly one of somebody else."
    ),
    "For a known number of groups that are compact and well apart.": "For a known number of people who look different.",
    "they tell how good the clusters are": "they tell how well people are told apart",
    "items are not known to belong to their cluster": "faces are not known to be of their person",
    "about these two groups may be a slip": "about these two may be a slip",
    "it may be one of these, which all differ, or none of them": "it may be one of these people, or none of them",
    "number of the group that A belongs to": "number of the person who A is",
    " do not belong to group ": " are not of person ",
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
_QUOTED = r"""(?<!\w)'(?:[^'\\]|\\.)*'(?!\w)|"(?:[^"\\]|\\.)*"|“[^”]*”"""
_SENTENCE = "|".join(re.escape(text) for text in sorted(SENTENCES, key=len, reverse=True))
_NOUN = r"(?<![\w./\\#-])(?i:pictures?|clusters?|groups?)(?![\w/\\#-]|\.\w)"
_PART = re.compile(f"{_QUOTED}|(?P<sentence>{_SENTENCE})|(?P<noun>{_NOUN})")


def say_of_faces(text: str) -> str:
    """A text about pictures as it is said of faces; what is quoted stays.

    Examples
    --------
    >>> say_of_faces("Moved 3 pictures to 'my pictures'")
    "Moved 3 faces to 'my pictures'"
    """
    return _PART.sub(_in_other_words, text)


def worded(text: str, of_faces: bool) -> str:
    """A text about what is asked about: as it is, or as it is said of faces."""
    return say_of_faces(text) if of_faces else text


def _in_other_words(found: re.Match[str]) -> str:
    noun = found["noun"]
    if noun is None:
        return SENTENCES.get(found["sentence"], found[0])
    word = NOUNS[noun.lower()]
    return word.capitalize() if noun[0].isupper() else word
