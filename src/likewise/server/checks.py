"""Check questions: pairs drawn at random from the clusters, from whose answers follows how good these are."""

from __future__ import annotations

from zlib import crc32

import numpy as np

from likewise.query.base import Question
from likewise.server.live import LiveProject

CHECK = "drawn at random, to see how good the clusters are"
FIRST = 10  # answers before there is anything worth checking
TRIES = 20


def draw_check(live: LiveProject, annotator: str) -> Question | None:
    """A pair of one cluster of which nothing is known, when it is time for one; None otherwise.

    Whether it is time depends on the seed, the number of answers and the annotator: asked twice, it is said twice.

    Parameters
    ----------
    live : LiveProject
        Its setting ``check_rate`` is the share of such questions.
    annotator : str
        Who would answer.
    """
    answers, settings = live.n_answers, live.settings
    if answers < FIRST or settings["kind"] != "pair":
        return None
    rng = np.random.default_rng([int(settings["seed"]), answers, crc32(annotator.encode())])
    if rng.random() >= settings["check_rate"]:
        return None
    wall, known = live.wall, live.desk.constraints.known
    images = list(wall.cluster_of)
    for _ in range(TRIES if images else 0):
        one = images[rng.integers(len(images))]
        members = wall.clusters[wall.cluster_of[one]].images
        other = int(members[rng.integers(len(members))])
        if other != one and known(one, other) is None:
            return Question("pair", (one, other), reason=CHECK)
    return None
