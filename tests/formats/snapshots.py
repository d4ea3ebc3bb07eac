"""A small snapshot with everything awkward in it: names with markup, slashes and newlines, files of one name."""

from pathlib import Path

from PIL import Image

from likewise.formats import AnnotatorRow, AnswerRow, ClusterRow, ImageRow, Snapshot

ROWS = [
    (0, "a.jpg", 1, "red/oak", "confirmed"),
    (1, "sub/a.jpg", 1, "red/oak", "confirmed"),
    (2, "b.png", 1, "red/oak", "suggested"),
    (3, "c.jpg", 2, "RED\\OAK", "found"),
    (4, "A.png", 3, "", "found"),
    (5, "sub/d <i>.jpg", 3, "", "found"),
    (6, "line\nbreak.jpg", 4, "..", "found"),
    (7, "e.jpg", 5, '<b>x</b>\n,"y"', "found"),
]


STACKS = {0: "a.jpg", 1: "a.jpg"}


def make_snapshot(folder: Path) -> Snapshot:
    """Pictures of different sizes in a folder, and a snapshot of them."""
    for k, path, *_ in ROWS:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (8 + k, 6), (20 * k, 40, 60)).save(folder / path)
    rows = [ClusterRow(*row, STACKS.get(row[0], "")) for row in ROWS]
    # the size of one is not kept: it is read off the file
    images = [ImageRow(k, path, "present", *((8 + k, 6) if k else (None, None))) for k, path, *_ in ROWS]
    answers = [
        AnswerRow(
            1, "answer", "2026-01-02T03:04:05+00:00", "ann", "pair", "a.jpg", "c.jpg", "", "same", 1.5, "different"
        ),
        AnswerRow(2, "answer", "2026-01-02T03:05:05+00:00", "<bob>", "pair", "a.jpg", "b.png", "", "same", 2.5, ""),
        AnswerRow(
            3, "answer", "2026-01-02T03:06:05+00:00", "ann", "triplet", "a.jpg", "b.png", "c.jpg", "ab", None, "ab"
        ),
    ]
    people = [AnnotatorRow("ann", 2, 0, 1.5, 2, 1, 0.5, 1.0, 0.8), AnnotatorRow("<bob>", 1)]
    events = [{"seq": 1, "kind": "answer", "annotator": "ann", "payload": {"items": [0, 3]}}]
    return Snapshot("leaves <1>", folder, rows, images, events, answers, people, {"alpha": 0.25})
