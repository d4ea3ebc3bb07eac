"""What ``python -m benchmarks`` runs: the module, its arguments, about how many minutes it takes, and the data it cannot do without."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import NamedTuple

# Embeddings that several benchmarks share.
KEPT = str(Path(tempfile.gettempdir()) / "likewise-embeddings")


class Run(NamedTuple):
    """One benchmark; `minutes` are of two cores that do nothing else."""

    module: str
    minutes: float
    arguments: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """As it is typed, without the folder of embeddings."""
        shown = [a for a in self.arguments if a not in ("--kept", KEPT)]
        return " ".join([self.module.removeprefix("benchmarks."), *shown])

    def missing(self) -> list[str]:
        """What it needs below LIKEWISE_DATA and is not there; without it a result would be overwritten by less."""
        root = os.environ.get("LIKEWISE_DATA")
        return [part for part in self.needs if not root or not Path(root, part).exists()]


FLOWERS, LEAVES, FACES, SCENES = (f"images/{name}" for name in ("flowers-17", "leaf-99", "orl-faces", "scene-300"))
TABLES, CIFAR = "tables", "images/cifar-50k.tar.gz"

WINE = Run("benchmarks.papers.xiong2014_urasc", 1, ("wine", "--seeds", "20", "--others", "20"), (TABLES,))

# Each writes what the full run would write too: a short run never leaves fewer seeds than were kept.
SHORT = (
    Run("benchmarks.speed.hacc", 1),
    Run("benchmarks.speed.kmeans", 2),
    Run("benchmarks.speed.active_hacc", 2),
    Run("benchmarks.speed.auto", 2),
    Run("benchmarks.speed.bayesian", 1, needs=(TABLES,)),
    Run("benchmarks.speed.completion", 1),
    Run("benchmarks.speed.discriminative", 1),
    Run("benchmarks.speed.hierarchy", 1),
    Run("benchmarks.speed.pcca", 1),
    Run("benchmarks.speed.subclustering", 1),
    Run("benchmarks.speed.urasc", 3, ("--kept", KEPT), (FLOWERS,)),
    Run("benchmarks.papers.biswas2014_active", 1, ("iris", "iris-chi2")),
    Run("benchmarks.papers.biswas2014_subclustering", 1, ("digits",)),
    WINE,
)
FULL = (
    *(run for run in SHORT if run.module.startswith("benchmarks.speed.")),
    Run("benchmarks.speed.distlqp", 5),
    Run("benchmarks.speed.embedding", 4),
    Run("benchmarks.speed.server", 5, needs=(FLOWERS,)),
    Run("benchmarks.speed.first_question", 2, needs=(FLOWERS,)),
    Run("benchmarks.speed.subclustering", 3, ("--million",)),
    Run("benchmarks.speed.wall", 3),
    Run("benchmarks.speed.app_large", 5),
    Run("benchmarks.speed.app_growth", 40, needs=("images/cifar-50k.tar.gz",)),
    Run("benchmarks.speed.large_loop", 40),
    Run("benchmarks.speed.neighbours", 5),
    Run("benchmarks.images", 20, needs=(FLOWERS, LEAVES, FACES, SCENES)),
    Run("benchmarks.images.stacks", 8, needs=(FLOWERS, LEAVES, FACES, SCENES)),
    Run("benchmarks.images.faces", 6, needs=(FACES,)),
    Run("benchmarks.crowd.product_pairs", 1, needs=("crowd/product-pairs.csv",)),
    Run("benchmarks.crowd.fitted_workers", 1, needs=("crowd/product-pairs.csv",)),
    Run("benchmarks.peers.active_semi_clustering", 15, needs=(TABLES,)),
    Run("benchmarks.peers.kmedoids", 3),
    Run("benchmarks.peers.metric_learn", 2),
    Run("benchmarks.papers.biswas2014_active", 240, needs=(TABLES, FACES, SCENES)),
    Run("benchmarks.papers.biswas2014_active.orders", 4),
    Run("benchmarks.papers.biswas2014_active.halves", 5, needs=(FACES,)),
    Run("benchmarks.papers.biswas2014_active.groups", 10, needs=(TABLES,)),
    Run("benchmarks.papers.biswas2014_active.causes", 20, needs=(TABLES, FACES, SCENES)),
    Run("benchmarks.papers.biswas2014_active.doubts", 2, needs=(TABLES, FACES, SCENES)),
    Run("benchmarks.papers.biswas2014_distlqp", 60, needs=(TABLES, FACES)),
    Run("benchmarks.papers.biswas2014_distlqp.vectors", 4, needs=(TABLES, FACES)),
    Run("benchmarks.papers.biswas2014_subclustering", 5, needs=(TABLES, FLOWERS)),
    Run("benchmarks.papers.biswas2014_subclustering.active", 15),
    Run("benchmarks.papers.biswas2014_subclustering.sweeps", 5, needs=(FLOWERS,)),
    Run("benchmarks.papers.grira2005_pcca", 30, needs=(FLOWERS,)),
    Run("benchmarks.papers.grira2005_pcca.told", 1, needs=(FLOWERS,)),
    Run("benchmarks.papers.grira2005_pcca.same_number", 1, needs=(FLOWERS,)),
    Run("benchmarks.papers.pei2014_bags", 20, needs=("multilabel/letter-bags", TABLES)),
    Run("benchmarks.papers.pei2014_bags.alpha", 5, needs=("multilabel/letter-bags", TABLES)),
    Run("benchmarks.papers.pei2015_bayesian", 400, needs=(TABLES,)),
    Run("benchmarks.papers.pei2015_bayesian.strengths", 20, needs=(TABLES,)),
    Run("benchmarks.papers.pei2016_unified", 120, ("--kept", KEPT), (TABLES, FLOWERS)),
    Run("benchmarks.papers.pei2016_unified.soft", 1, needs=(TABLES,)),
    Run("benchmarks.papers.pei2016_unified.people", 4, ("--kept", KEPT), (FLOWERS,)),
    Run("benchmarks.papers.pei2016_unified.zappos", 5, needs=("crowd/zappos-triplets",)),
    Run("benchmarks.papers.pei2017_hierarchy", 15, needs=("multilabel", SCENES)),
    Run("benchmarks.papers.pei2017_hierarchy", 15, ("--epsilon", "0.05"), ("multilabel", SCENES)),
    Run("benchmarks.papers.pei2017_hierarchy.known", 4, needs=("multilabel", SCENES)),
    Run("benchmarks.papers.xiong2014_urasc", 400, ("--others", "5", "--kept", KEPT), (TABLES, FACES, LEAVES, FLOWERS)),
    WINE,
    Run("benchmarks.papers.xiong2014_urasc.choice", 30, needs=(TABLES,)),
    Run("benchmarks.papers.xiong2014_urasc.protocol", 30, needs=(TABLES, FACES)),
    Run(
        "benchmarks.papers.xiong2014_urasc.protocol",
        5,
        ("wine", "sonar", "faces-20", "cho-yeast", "--wide"),
        (TABLES, FACES),
    ),
    Run("benchmarks.papers.xiong2014_urasc.learners", 1, needs=(TABLES,)),
    Run("benchmarks.papers.xiong2014_urasc.ends", 6, needs=(TABLES,)),
    Run("benchmarks.papers.xiong2014_urasc", 5, ("faces-20", "--error-rate", "0.02", "--kept", KEPT), (FACES,)),
    Run(
        "benchmarks.papers.xiong2014_urasc",
        5,
        ("faces-20", "--unknown", "--methods", "URASC+N", "--kept", KEPT),
        (FACES,),
    ),
    Run("benchmarks.papers.yi2012_semicrowd", 20, needs=(FLOWERS,)),
    Run("benchmarks.papers.yi2012_semicrowd.all_pairs", 1),
    Run("benchmarks.askers.ends", 10, ("--kept", KEPT), (TABLES, FLOWERS)),
    Run("benchmarks.askers.forms_floor", 10, ("--kept", KEPT), (TABLES, FLOWERS, LEAVES, FACES, SCENES)),
    Run("benchmarks.images.learned_start", 15, ("--kept", KEPT), (FLOWERS, LEAVES, FACES, SCENES)),
    Run("benchmarks.askers.large", 60, ("--kept", KEPT), (CIFAR,)),
    Run("benchmarks.askers.wrong_answers", 300, ("--kept", KEPT), (TABLES, FLOWERS, FACES, SCENES)),
    Run("benchmarks.askers.stop_rule", 30, ("--kept", KEPT), (TABLES, FLOWERS, LEAVES)),
    Run("benchmarks.askers", 600, ("--limit", "300", "--kept", KEPT), (TABLES, FLOWERS, LEAVES, FACES, SCENES)),
    Run("benchmarks.askers", 60, ("--error-rate", "0.02", "--kept", KEPT), (TABLES, FLOWERS, LEAVES, FACES, SCENES)),
)
PAGES = (Run("benchmarks.askers.report", 0.2), Run("benchmarks.report", 0.2))
