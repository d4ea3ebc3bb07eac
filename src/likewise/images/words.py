"""Words for networks that know them: CLIP's byte pairs, and the network that makes a vector of them."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["BytePairs", "TextTower"]

LENGTH = 77  # numbers a text, its ends among them
WORD_END = "</w>"
START, STOP = "<|startoftext|>", "<|endoftext|>"
CLITICS = ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d")


class BytePairs:
    """Text as the numbers that CLIP takes, by the vocabulary of a ``tokenizer.json``.

    Text is put in lower case and cut into runs of letters, single digits and runs of other signs; the bytes of each
    are joined pair by pair, the pair that was learned first before all others.

    - `path`, path-like: The file.

    References
    ----------
    R. Sennrich, B. Haddow and A. Birch, "Neural Machine Translation of Rare Words with Subword Units", ACL 2016,
    section 3.2; over bytes and with an end-of-word mark as in A. Radford et al., "Learning Transferable Visual Models
    From Natural Language Supervision", ICML 2021.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        try:
            with open(path, encoding="utf-8") as file:
                model = json.load(file)["model"]
            self.numbers: dict[str, int] = dict(model["vocab"])
            pairs = [tuple(each.split(" ") if isinstance(each, str) else each) for each in model["merges"]]
            self.start, self.stop = self.numbers[START], self.numbers[STOP]
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ValueError(f"{os.fspath(path)!r} is no vocabulary of byte pairs") from None
        self._rank = {pair: k for k, pair in enumerate(pairs)}
        self._letter_of = byte_letters()

    def __call__(self, text: str) -> list[int]:
        """Give the numbers of a text, the ends included, at most 77."""
        found: list[int] = []
        for word in split_words(text):
            letters = [self._letter_of[byte] for byte in word.encode("utf-8", "replace")]
            found += [self.numbers[piece] for piece in self._join(letters) if piece in self.numbers]
        return [self.start, *found[: LENGTH - 2], self.stop]

    def _join(self, letters: list[str]) -> list[str]:
        """Join neighbours, the pair of lowest rank first and everywhere, until no pair is known."""
        pieces = [*letters[:-1], letters[-1] + WORD_END]
        while len(pieces) > 1:
            pairs = list(pairwise(pieces))
            best = min(pairs, key=lambda pair: self._rank.get(pair, len(self._rank)))
            if best not in self._rank:
                break
            joined: list[str] = []
            for piece in pieces:
                if joined and (joined[-1], piece) == best:
                    joined[-1] = joined[-1] + piece
                else:
                    joined.append(piece)
            pieces = joined
        return pieces


def split_words(text: str) -> list[str]:
    """Cut a text into what byte pairs are made of.

    Examples
    --------
    >>> split_words("Two dogs' tails, it's  1987!")
    ['two', 'dogs', "'", 'tails', ',', 'it', "'s", '1', '9', '8', '7', '!']
    """
    rest = unicodedata.normalize("NFC", text).lower()
    words: list[str] = []
    at = 0
    while at < len(rest):
        kind = _kind(rest[at])
        clitic = next((each for each in CLITICS if rest.startswith(each, at)), None)
        stop = at + 1
        if clitic is not None:
            stop = at + len(clitic)
        elif kind in ("letter", "sign"):
            while stop < len(rest) and _kind(rest[stop]) == kind:
                stop += 1
        if kind != "space":
            words.append(rest[at:stop])
        at = stop
    return words


def _kind(sign: str) -> str:
    if sign.isspace():
        return "space"
    return {"L": "letter", "N": "digit"}.get(unicodedata.category(sign)[0], "sign")


@lru_cache
def byte_letters() -> list[str]:
    """The letter that stands for each byte: itself where it can be printed, else one from above 255.

    Examples
    --------
    >>> byte_letters()[ord("a")], byte_letters()[0], byte_letters()[ord(" ")]
    ('a', 'Ā', 'Ġ')
    """
    printed = {*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)}
    letters, n_above = [], 0
    for byte in range(256):
        letters.append(chr(byte if byte in printed else 256 + n_above))
        n_above += byte not in printed
    return letters


class TextTower:
    """The half of a network that makes vectors of words.

    - `network`, path-like: ONNX; takes ``input_ids`` of shape (n, m), and ``attention_mask`` where it asks for one.
    - `vocabulary`, path-like: ``tokenizer.json``.
    - `dimension`: Length that the vectors must have: that of the pictures.
    """

    def __init__(self, network: str | os.PathLike[str], vocabulary: str | os.PathLike[str], dimension: int) -> None:
        from likewise.images.network import open_network

        self._session = open_network(network)
        self._read = BytePairs(vocabulary)
        inputs = [each.name for each in self._session.get_inputs()]
        outputs = [each.name for each in self._session.get_outputs()]
        if inputs not in (["input_ids"], ["input_ids", "attention_mask"]):
            raise ValueError(f"{os.fspath(network)!r} does not take the numbers of a text")
        self._with_mask = len(inputs) > 1
        self._output = "text_embeds" if "text_embeds" in outputs else outputs[0]
        found = self.embed(["a"]).shape
        if found != (1, dimension):
            raise ValueError(f"{os.fspath(network)!r} gives {found} for a text, not {(1, dimension)} as for a picture")

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Give one vector a text."""
        rows = [self._read(text) for text in texts]
        width = max(map(len, rows))
        ids = np.array([[*row, *[self._read.stop] * (width - len(row))] for row in rows], np.int64)
        given: dict[str, Any] = {"input_ids": ids}
        if self._with_mask:
            given["attention_mask"] = np.array([[k < len(row) for k in range(width)] for row in rows], np.int64)
        (found,) = self._session.run([self._output], given)
        return np.asarray(found, np.float32)
