"""The simulated person whom peers ask; only NumPy, since peers run on versions of their own."""

from time import monotonic

import numpy as np


class TimeIsUpError(Exception):
    """The peer took longer than it was given."""


class Person:
    """Answers from the classes; a share of the answers is wrong, each pair always in the same way.

    The same pairs are answered wrongly whoever asks: see ``likewise.simulate.SimulatedAnnotator``.
    """

    def __init__(self, given):
        self.truth, self.error_rate, self.seed = (given["truth"], float(given["error_rate"]), int(given["seed"]))
        self.until = monotonic() + float(given["limit"])
        self.count = 0

    def same(self, i, j):
        """Whether the two are the same, as this person says."""
        if monotonic() > self.until:
            raise TimeIsUpError
        self.count += 1
        right = bool(self.truth[i] == self.truth[j])
        if not self.error_rate:
            return right
        rng = np.random.default_rng([self.seed, *sorted((int(i), int(j)))])
        rng.random()  # the draw by which our simulated person is unsure
        return right != bool(rng.random() < self.error_rate)
