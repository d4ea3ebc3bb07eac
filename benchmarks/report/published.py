"""Figures that the papers print, each with its section. Curves that are only drawn there have no figures and are not here.

The tables of Xiong et al. are beside their benchmark (`benchmarks.papers.xiong2014_urasc.figures`).
"""

from __future__ import annotations

from typing import NamedTuple


class Printed(NamedTuple):
    """A printed figure, and its section or table."""

    value: float
    source: str


# A. Biswas, Semi-supervised and Active Image Clustering with Pairwise Constraints from Humans, 2014
LEAF_1042 = Printed(0.8152, "§3.3.1, Fig. 5c: Leaf-1042 after 3,782 questions, H1 and H2")
LEAF_1042_QUESTIONS = 3782
SECONDS_A_QUESTION = Printed(60.0, "§3.3.1: about a minute, 1,042 items, H1 and H2, Matlab")
IRIS_WITHIN_THREE = Printed(0.97, "§3.3.1: iris, within three questions")
REAL_ANSWERS = {
    "leaf-250": Printed(0.5, "§3.3.2: highest, Leaf-250, answers of people"),
    "faces-250": Printed(0.35, "§3.3.2: highest, Face-250, answers of people"),
}
# 1 − error: with DistLQP, and the second best
DISTLQP = {
    "leaf-990": (Printed(0.62, "§2.3.1, Fig. 3a: Leaf-1042, 5,000 constraints"), 0.58),
    "faces-400": (Printed(0.33, "§2.3.1, Fig. 3b: Face-1000, 5,000 constraints"), 0.28),
}
# accuracy of COP-KMeans, and with DistLQP
TRACKS = {
    "BF0502-subset-1": (0.3865, Printed(0.4035, "Table 2.2")),
    "BF0502-subset-2": (0.2603, Printed(0.2695, "Table 2.2")),
}
DISTLQP_SECONDS = Printed(240.0, "§2.3.1: about 4 minutes, 1,042 items, 5,000 constraints, Matlab")
DISTLQP_LARGE_SECONDS = Printed(2400.0, "§2.3.1: about 40 minutes, 10,000 items, 25,000 constraints, Matlab")
SUBCLUSTERING = {
    "BBC-S": Printed(0.5023, "Table 4.1"),
    "K-medoids": Printed(0.5778, "Table 4.1"),
    "normalised cut": Printed(0.6037, "Table 4.1"),
    "Fast-PAM": Printed(0.6103, "Table 4.1"),
    "Subclustering": Printed(0.6159, "Table 4.1"),
}
SUBCLUSTERING_SECONDS = {"Fast-PAM": 77.32, "Subclustering": 9.7857}  # Table 4.1
ACTIVE_SUBCLUSTERING = (Printed(0.92, "§4.6.3: Face-200"), 143_000)
FAST_PAM_SECONDS = Printed(420.0, "§4.5: around 7 minutes, over 10,000 items, Matlab")

# Y. Pei, Learning with Partial Supervision for Clustering and Classification, 2017
BIRDSONG_SECONDS = Printed(120.0, "§3.3.5: under 2 minutes, 4,998 × 38, 1,500 constraints, Matlab")
# pairs that would close a cycle and tell more than the one asked, at the 60th question: Info, Uncertain
DROPPED_PAIRS = {"sonar": (0.6, 0.2), "balance-scale": (2.9, 0.0), "letters-IJ": (0.7, 0.0), "digits-389": (0.3, 0.0)}
DROPPED_PAIRS_PLACE = "Table 4.2, mean of 30 runs"

# J. Yi et al., Semi-Crowdsourced Clustering, 2012: seconds on ImageNet at n = 1,000
CROWD_SECONDS = {
    "RDML": Printed(11.2, "Table 1"),
    "DCA": Printed(20.7, "Table 1"),
    "RCA": Printed(23.6, "Table 1"),
    "Matrix completion": Printed(1916.0, "Table 1"),
    "ITML": Printed(3081.0, "Table 1"),
    "LMNN": Printed(9957.0, "Table 1"),
    "GDM": Printed(25155.0, "Table 1"),
}

# The best of four askers in trials before the default asker was built (ARI after so many answers, rough, not from a paper).
TRIALS = {
    "digits": {50: 0.87, 200: 0.96, 400: 0.98},
    "orl-faces": {50: 0.87, 100: 0.92, 200: 0.96, 400: 0.99, 800: 1.0},
    "flowers-17": {50: 0.57, 200: 0.72, 800: 0.85, 1200: 0.93},
    "leaf-99-features": {50: 0.71, 400: 0.75, 1600: 0.82},
}
