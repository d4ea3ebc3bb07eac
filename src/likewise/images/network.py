"""Any ONNX network that takes pictures, as an embedder."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from PIL import Image

if TYPE_CHECKING:
    from likewise.images.words import TextTower

__all__ = ["Fit", "OnnxEmbedder", "fit_square", "open_network"]

Fit = Literal["crop", "squash", "pad"]
IMAGENET_MEAN = (0.485, 0.456, 0.406)
IMAGENET_STD = (0.229, 0.224, 0.225)


class OnnxEmbedder:
    """Vectors from an ``.onnx`` file by ONNX Runtime.

    The network's one input takes pictures, as (n, 3, height, width) or (n, height, width, 3). A uint8 input gets
    RGB as it is; a float input gets it divided by 255, less ``mean``, over ``std``. An output with
    positions left in it, (n, d, height, width), is averaged over them; of one with tokens, (n, m, d), as transformers
    give it, the first is taken, which stands for the whole picture.

    Where ``NAME.text.onnx`` and ``NAME.tokenizer.json`` are beside ``NAME.onnx``, the network knows words:
    :meth:`embed_text` gives vectors that can be compared with those of pictures.

    Each call runs on one thread, and any number of threads may call: that is faster than one call on all of them,
    and no number depends on how many there are.

    - `path`, path-like: The file.
    - `size`, int or None: Side of the square the network takes; by default what the file gives, or 224.
    - `fit`, "crop", "squash" or "pad": How a picture becomes a square: its middle, all of it out of proportion, or
      all of it with grey beside.
    - `crop`, float or None: Share of the shorter side that ``fit="crop"`` keeps; by default what the file gives
      (``likewise.crop`` of its metadata), or 0.875.
    - `mean`, `std`, sequence of three floats: Of a float input's colours; by default those of ImageNet.
    - `output`, str or None: Which output to take; by default the first, or where that has tokens in it the first
      one that has a vector a picture.
    - `text`, pair of path-like or None: The network for words and its vocabulary; by default those beside the file.
    - `dimension`: Length of a vector.
    - `read_size`: Shorter side at which pictures need to be read.

    Examples
    --------
    >>> from likewise.images.efficientnet import efficientnet_lite0
    >>> embedder = OnnxEmbedder(efficientnet_lite0(), fit="pad")
    >>> batch = embedder.prepare(Image.new("RGB", (80, 40), "red"))[None]
    >>> batch.shape, embedder.embed(batch).shape
    ((1, 224, 224, 3), (1, 1280))
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        size: int | None = None,
        fit: Fit = "crop",
        crop: float | None = None,
        mean: tuple[float, float, float] = IMAGENET_MEAN,
        std: tuple[float, float, float] = IMAGENET_STD,
        output: str | None = None,
        text: tuple[str | os.PathLike[str], str | os.PathLike[str]] | None = None,
    ) -> None:
        if fit not in get_args(Fit):
            raise ValueError(f"fit must be one of {', '.join(get_args(Fit))}, got {fit!r}")
        self._path = os.fspath(path)
        self._session = open_network(path)
        facts = self._session.get_modelmeta().custom_metadata_map
        self._input, self.channels_first, self.as_bytes, fixed = _picture_input(self._session, path)
        n_fixed = self._session.get_inputs()[0].shape[0]
        self._at_once = n_fixed if isinstance(n_fixed, int) and n_fixed > 0 else None
        self.size = size or fixed or int(facts.get("likewise.size", 224))
        self.fit: Fit = fit
        self.crop = crop if crop is not None else float(facts.get("likewise.crop", 0.875))
        if not 0 < self.crop <= 1:
            raise ValueError(f"crop must be above 0 and at most 1, got {self.crop}")
        scale = 255.0 * np.asarray(std)
        self._factor = (1.0 / scale).astype(np.float32)
        self._offset = (-255.0 * np.asarray(mean) / scale).astype(np.float32)
        self._output = self._choose_output(output)
        self.read_size = math.ceil(self.size / self.crop) if fit == "crop" else self.size
        self.dimension = self._try_out()
        self._text = text or _beside(self._path)
        self._tower: TextTower | None = None

    def _choose_output(self, output: str | None) -> str:
        ranks = {str(each.name): len(each.shape) for each in self._session.get_outputs()}
        if output is not None and output not in ranks:
            raise ValueError(f"the network has no output {output!r}: choose from {', '.join(ranks)}")
        first = next(iter(ranks))
        plain = [name for name, rank in ranks.items() if rank == 2]
        return output or (plain[0] if ranks[first] == 3 and plain else first)

    def _try_out(self) -> int:
        """Length of the vector of a grey picture; a word where the network gives none."""
        vectors = self.embed(self.prepare(Image.new("RGB", (self.size, self.size), (127, 127, 127)))[None])
        if not vectors.size:
            raise ValueError(f"{self._path!r} gives vectors of no numbers")
        if not np.isfinite(vectors).all():
            raise ValueError(f"{self._path!r} gives what is no number for a grey picture: it cannot be used")
        return int(vectors.shape[1])

    def prepare(self, image: Image.Image) -> NDArray[Any]:
        """Make the network's input of one RGB picture."""
        pixels = np.asarray(fit_square(image, self.size, fit=self.fit, crop=self.crop))
        if not self.as_bytes:
            pixels = pixels * self._factor + self._offset
        return np.ascontiguousarray(np.moveaxis(pixels, -1, 0)) if self.channels_first else pixels

    def embed(self, batch: NDArray[Any]) -> NDArray[np.float32]:
        """Give the vectors (n, dimension) of a batch of inputs."""
        if self._at_once is None or len(batch) == self._at_once:
            return self._run(batch)
        parts = []
        for start in range(0, len(batch), self._at_once):
            part = batch[start : start + self._at_once]
            short = self._at_once - len(part)
            padded = np.concatenate([part, np.repeat(part[-1:], short, axis=0)]) if short else part
            parts.append(self._run(padded)[: len(part)])
        return np.concatenate(parts)

    def _run(self, batch: NDArray[Any]) -> NDArray[np.float32]:
        try:
            (found,) = self._session.run([self._output], {self._input: batch})
        except Exception as error:  # ONNX Runtime's own classes share no public base
            raise ValueError(f"{self._path!r} fails on pictures: {_one_line(error)}") from None
        vectors = np.asarray(found, np.float32)
        if vectors.ndim == 4:
            vectors = vectors.mean(axis=(2, 3))
        elif vectors.ndim == 3 and vectors.shape[1]:
            vectors = vectors[:, 0]
        if vectors.ndim != 2 or len(vectors) != len(batch):
            raise ValueError(f"{self._path!r} gives {np.shape(found)} for {len(batch)} pictures, not a vector each")
        return vectors

    @property
    def knows_words(self) -> bool:
        """Whether it makes vectors of words too."""
        return self._text is not None

    def embed_text(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Give the vectors (n, dimension) of words, to compare with those of pictures."""
        from likewise.images.words import TextTower

        if self._text is None:
            raise ValueError(f"{self._path!r} knows no words")
        if self._tower is None:
            self._tower = TextTower(*self._text, self.dimension)
        return self._tower.embed(texts)


def fit_square(image: Image.Image, size: int, *, fit: Fit = "crop", crop: float = 1.0) -> Image.Image:
    """Make a square of a picture: its middle, all of it out of proportion, or all of it with grey beside.

    - `image`, PIL.Image.Image: RGB.
    - `size`: Side of the square.
    - `fit`, "crop", "squash" or "pad": Which of the three.
    - `crop`: Share of the shorter side that a crop keeps.

    Examples
    --------
    >>> wide = Image.new("RGB", (4, 2), "red")
    >>> fit_square(wide, 4, fit="pad").getpixel((0, 0)), fit_square(wide, 4, fit="squash").getpixel((0, 0))
    ((127, 127, 127), (255, 0, 0))
    """
    width, height = image.size
    bicubic = Image.Resampling.BICUBIC
    if fit == "squash":
        return image.resize((size, size), bicubic)
    if fit == "pad":
        factor = size / max(width, height)
        inner = image.resize((max(1, round(width * factor)), max(1, round(height * factor))), bicubic)
        square = Image.new("RGB", (size, size), (127, 127, 127))
        square.paste(inner, ((size - inner.width) // 2, (size - inner.height) // 2))
        return square
    side = crop * min(width, height)
    left, top = (width - side) / 2, (height - side) / 2
    return image.resize((size, size), bicubic, box=(left, top, left + side, top + side))


def open_network(path: str | os.PathLike[str]) -> Any:
    """Open an ONNX file with ONNX Runtime, to be run on one thread a call; one sentence where that fails."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # read when it is loaded: nothing here contacts another host
    try:
        import onnxruntime
    except ImportError:
        raise ImportError("embedding needs onnxruntime: pip install onnxruntime") from None
    if not os.path.isfile(path):
        raise FileNotFoundError(f"there is no network {os.fspath(path)!r}")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(os.fspath(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime's own classes share no public base
        raise ValueError(f"{os.fspath(path)!r} is no network ONNX Runtime can run: {_one_line(error)}") from None


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]


def _beside(path: str) -> tuple[str, str] | None:
    """The network for words and the vocabulary beside a file, where both are there."""
    stem = path.removesuffix(".onnx")
    text, vocabulary = f"{stem}.text.onnx", f"{stem}.tokenizer.json"
    return (text, vocabulary) if os.path.isfile(text) and os.path.isfile(vocabulary) else None


def _picture_input(session: Any, path: str | os.PathLike[str]) -> tuple[str, bool, bool, int | None]:
    """Name of the input, whether colours come first, whether it takes bytes, and its side where that is fixed."""
    inputs = session.get_inputs()
    shape = inputs[0].shape
    kind = inputs[0].type
    if len(inputs) != 1 or len(shape) != 4 or kind not in ("tensor(uint8)", "tensor(float)"):
        raise ValueError(f"{os.fspath(path)!r} does not take one batch of pictures, as float32 or uint8")
    channels_first = shape[1] == 3 or shape[3] != 3
    sides = [n for n in (shape[2:] if channels_first else shape[1:3]) if isinstance(n, int)]
    if len(set(sides)) > 1:
        raise ValueError(f"{os.fspath(path)!r} takes pictures of {sides[1]} × {sides[0]}, not square ones")
    return inputs[0].name, channels_first, kind == "tensor(uint8)", sides[0] if sides else None
