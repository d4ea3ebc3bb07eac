"""Checks of whole matrices in one pass."""

import numpy as np
from numpy.typing import NDArray

from likewise.kernels.kernel import kernel
from likewise.kernels.threads import BLOCK, run_blocks


def find_asymmetry(D: NDArray[np.float64], rtol: float, atol: float) -> tuple[float, int, int]:
    """Largest gap |D[i, j] - D[j, i]| beyond rtol·max(|·|) + atol: (gap or 0, i, j). D (n, n). O(n²), tiled."""
    n_blocks = -(-D.shape[0] // BLOCK)
    worst = np.zeros(n_blocks)
    where = np.zeros((n_blocks, 2), np.int64)
    run_blocks(lambda start, stop: compare_sides(D, rtol, atol, start, stop, worst, where), D.shape[0], D.size)
    best = np.argmax(worst)
    return float(worst[best]), int(where[best, 0]), int(where[best, 1])


@kernel(nogil=True)
def compare_sides(D, rtol, atol, start, stop, worst, where):
    """Worst gap of the rows start … stop left of the diagonal, into its place in worst and where. O(n)."""
    block = start // BLOCK
    for left in range(0, stop, BLOCK):
        for i in range(start, stop):
            for j in range(left, min(i, left + BLOCK)):
                gap = abs(D[i, j] - D[j, i])
                if gap > worst[block] and gap > atol + rtol * max(abs(D[i, j]), abs(D[j, i])):
                    worst[block] = gap
                    where[block, 0] = j
                    where[block, 1] = i
