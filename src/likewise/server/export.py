"""What goes out of a served project: clusters as rows, and everything people said."""

from __future__ import annotations

import json
from collections.abc import Iterator

from likewise.formats.tables import ClusterRow, write_csv
from likewise.server.live import LiveProject


def cluster_rows(live: LiveProject) -> Iterator[ClusterRow]:
    """One row a picture: where it is, its cluster and name, and whether that was confirmed or is suggested."""
    path_of = {image.position: image.path for image in live.project.images()}
    for cluster in sorted(live.wall.clusters.values(), key=lambda c: c.id):
        state = "confirmed" if cluster.confirmed else "found"
        for image in cluster.images.tolist():
            yield ClusterRow(image, path_of[image], cluster.id, cluster.name, state)
        for image in cluster.suggested.tolist():
            yield ClusterRow(image, path_of[image], cluster.id, cluster.name, "suggested")


def clusters_csv(live: LiveProject) -> str:
    """The clusters as a table."""
    return write_csv(cluster_rows(live))


def events_jsonl(live: LiveProject) -> str:
    """All events, one a line, taken back or not."""
    return "".join(json.dumps(event.as_dict()) + "\n" for event in live.project.events())
