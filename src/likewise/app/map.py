"""The map: pictures in the plane, by the two main axes of their vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from likewise.app.live import LiveProject
from likewise.app.reduction import reduce_vectors

MOST_EDGES = 5000


def map_of(live: LiveProject) -> dict[str, Any]:
    """Places of the pictures between 0 and 1, their clusters, and the last pairs that were asked."""
    home = live.wall.cluster_of
    images = np.array(sorted(home), np.int64)
    places = np.zeros((len(images), 2))
    if len(images):
        rows = live.project.vectors(live.location.model).rows[images]
        plane = reduce_vectors(rows, 2)[:, :2]
        span = np.ptp(plane, axis=0)
        places[:, : plane.shape[1]] = (plane - plane.min(axis=0)) / np.where(span > 0, span, 1.0)
    edges = [
        [*answer.items, answer.value]
        for event, answer in live.log().said()
        if answer.kind == "pair" and answer.value != "unsure"
    ]
    return {
        "version": live.wall.version,
        "images": images.tolist(),
        "x": np.round(places[:, 0], 4).tolist(),
        "y": np.round(places[:, 1], 4).tolist(),
        "cluster": [home[image] for image in images.tolist()],
        "edges": edges[-MOST_EDGES:],
    }
