"""Check questions: pairs drawn at random from the clusters, from whose answers follows how good these are."""

from __future__ import annotations

from zlib import crc32

import numpy as np

from likewise.app.live import LiveProject
from likewise.query.question import Question

CHECK = "drawn at random, to see how good the clusters are"
FIRST = 10  # answers before there is anything worth checking
TRIES = 20


def draw_check(live: LiveProject, annotator: str) -> Question | None:
    """A pair drawn evenly from those of one cluster of which nothing is known, when it is time; None otherwise.

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
    known = live.desk.constraints.known
    clusters = [cluster.images for cluster in live.wall.clusters.values() if len(cluster.images) > 1]
    pairs = np.array([len(images) * (len(images) - 1.0) for images in clusters])
    for at in rng.choice(len(pairs), size=TRIES, p=pairs / pairs.sum()) if clusters else ():
        one, other = (int(image) for image in rng.choice(clusters[at], size=2, replace=False))
        if known(one, other) is None:
            return Question("pair", (one, other), reason=CHECK)
    return None
