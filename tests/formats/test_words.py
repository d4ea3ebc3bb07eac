"""What is said of faces instead of pictures: the same nouns as on the page, and never another name than people gave."""

import re
from pathlib import Path

import pytest

from likewise.app.settings import ASKERS
from likewise.formats.registry import BUILT_IN
from likewise.formats.words import NOUNS, say_of_faces, worded
from likewise.query.dendrogram import grids, picks, recheck, recheck_grids

PAGE = Path(__file__).parents[2] / "web" / "src" / "state" / "words.ts"
NOUN = re.compile(r"\b(pictures?|clusters?|groups?)\b", re.IGNORECASE)
UNGRAMMATICAL = re.compile(r"\b(a|an|one|this|each|every|another) (faces|people)\b", re.IGNORECASE)


def test_the_page_has_the_same_nouns():
    if not PAGE.exists():
        pytest.skip("the sources of the page are not here")
    table = re.search(r"NOUNS[^{]*\{([^}]*)\}", PAGE.read_text())[1]
    assert dict(re.findall(r'(\w+): "(\w+)"', table)) == NOUNS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Moved 3 pictures to 'my pictures'", "Moved 3 faces to 'my pictures'"),
        ('Named group 3 "Ann\'s pictures"', 'Named person 3 "Ann\'s pictures"'),
        ("Clusters of Ann's group", "People of Ann's person"),
        ("pictures/a.jpg, cluster-3 and group.txt are files", "pictures/a.jpg, cluster-3 and group.txt are files"),
        ("One picture. Two groups.", "One face. Two people."),
    ],
)
def test_nouns_change_and_names_and_paths_stay(text, said):
    assert say_of_faces(text) == said
    assert worded(text, False) == text


def test_formats_and_reasons_are_about_faces():
    texts = [text for each in BUILT_IN for text in (each.title, each.about)]
    texts += ASKERS.values()
    texts += [module.REASON for module in (grids, picks, recheck, recheck_grids)]
    for text in texts:
        said = say_of_faces(text)
        assert not NOUN.search(said), said
        assert not UNGRAMMATICAL.search(said), said
