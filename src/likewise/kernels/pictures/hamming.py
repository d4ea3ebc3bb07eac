"""Bit strings as rows of 64-bit words, and the pairs of them that differ in few bits."""

import numpy as np
from numba import njit


@njit(cache=True)
def count_bits(word):
    """Number of ones in a uint64. O(1)."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(cache=True)
def hamming_distance(words, i, j):
    """Bits in which rows i and j differ; words (n, w) uint64. O(w)."""
    total = 0
    for k in range(words.shape[1]):
        total += count_bits(words[i, k] ^ words[j, k])
    return total


@njit(cache=True)
def pairs_in_runs(words, keys, band, order, radius, pairs, distances, start):
    """Write the pairs of equal key in ``band`` (and in none before) within the radius; the count afterwards.

    words (n, w) uint64, keys (n, b) uint64, order (n,) int64 sorting keys[:, band], pairs (room, 2) int64,
    distances (room,) int64. Counts on past the room without writing. O(n + w · pairs in the runs).
    """
    n = order.shape[0]
    count = start
    first = 0
    while first < n:
        last = first + 1
        while last < n and keys[order[last], band] == keys[order[first], band]:
            last += 1
        for a in range(first, last):
            for b in range(a + 1, last):
                i, j = min(order[a], order[b]), max(order[a], order[b])
                distance = hamming_distance(words, i, j)
                if distance > radius:
                    continue
                known = False
                for k in range(band):
                    if keys[i, k] == keys[j, k]:
                        known = True
                        break
                if known:
                    continue
                if count < pairs.shape[0]:
                    pairs[count, 0] = i
                    pairs[count, 1] = j
                    distances[count] = distance
                count += 1
        first = last
    return count
