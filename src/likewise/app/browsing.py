"""Browsing: n good examples of every class, from the clusters of now or from how the pictures look alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from likewise.app.location import Location
from likewise.app.placing import number_labels
from likewise.app.reduction import DIMENSIONS, reduce_vectors
from likewise.app.wall import ClusterOf, Wall

RESTRICTED = 400
"""Pictures of a cluster that may be the centre of its examples."""
Group = list[int]


def members_hash(wall: Wall) -> int:
    """A number that stays the same as long as every cluster has the same pictures."""
    cluster_of = ClusterOf.read(wall.cluster_of)
    clusters, n_clusters = number_labels(cluster_of.of(cluster_of.images))
    first = np.zeros(n_clusters, np.int64)  # of each cluster: where its first picture is, whatever its number
    first[clusters[::-1]] = np.arange(len(clusters))[::-1]
    return hash((cluster_of.images.tobytes(), first[clusters].tobytes()))


def examples_of_groups(location: Location, examples: int, groups: Sequence[Group]) -> list[Group]:
    """The pictures around the densest spot of every group, the one in the middle first."""
    from likewise.cluster import Subclustering

    images, X = read_vectors(location, [image for group in groups for image in group])
    row_of = {image: row for row, image in enumerate(images)}
    found = []
    for group in groups:
        rows = np.array([row_of[image] for image in group if image in row_of], np.int64)
        if not len(rows):
            continue
        if len(rows) > examples:
            model = Subclustering(1, size=examples, restricted=min(RESTRICTED, len(rows)), random_state=0)
            rows = rows[model.fit(X[rows]).subclusters_[0]]
        found.append([images[row] for row in rows.tolist()])
    return found


def examples_by_looks(location: Location, examples: int, group: Group, classes: int) -> list[Group]:
    """So many subclusters of all pictures, the middle of each first."""
    from likewise.cluster import Subclustering

    images, X = read_vectors(location, group)
    model = Subclustering(min(classes, len(images)), size=examples, dtype="float32", random_state=0).fit(X)
    return [[images[row] for row in members] for members in model.subclusters_.tolist()]


def read_vectors(location: Location, images: Sequence[int]) -> tuple[list[int], Any]:
    """Those of the images that have vectors, ascending, and their vectors as the engine takes them."""
    with location.open_store(create=False) as store:
        vectors = location.find(store).vectors(location.model)
        present = vectors.present()
        there = sorted(image for image in images if image < len(present) and present[image])
        return there, reduce_vectors(vectors.rows_of(there), DIMENSIONS)
