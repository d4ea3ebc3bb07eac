"""Networks of the packages timm and open_clip, where they are installed with PyTorch."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

__all__ = ["TorchEmbedder", "load_packaged"]


def load_packaged(name: str) -> TorchEmbedder:
    """Give the network ``timm:NAME`` or ``open_clip:NAME/WEIGHTS``, with the weights that the package fetches.

    - `name`: As the package calls it; the weights of open_clip are among those that ``open_clip.list_pretrained()``
      lists for the network.

    Raises
    ------
    ImportError
        When the package, or PyTorch, is not installed.
    ValueError
        When the package has no such network, or cannot load it.
    """
    package, _, rest = name.partition(":")
    try:
        importlib.import_module("torch")
        module = importlib.import_module(package)
    except ImportError:
        raise ImportError(f"{name} needs {package} and PyTorch: pip install {PIP[package]}") from None
    try:
        return LOADERS[package](module, rest)
    except Exception as error:  # an unknown name, no network, no memory: each package has classes of its own
        said = " ".join(str(error).split())[:200] or type(error).__name__
        raise ValueError(f"{package} cannot load {rest!r}: {said}") from None


class TorchEmbedder:
    """A PyTorch network as an embedder.

    - `run`: Gives the vectors of a batch of inputs, as an array.
    - `transform`: Makes the network's input of a picture.
    - `read_size`: Shorter side at which pictures need to be read.
    - `run_text`: Gives the vectors of texts, or None where it knows no words.
    """

    def __init__(
        self,
        run: Callable[[NDArray[Any]], NDArray[Any]],
        transform: Callable[[Image.Image], Any],
        read_size: int,
        run_text: Callable[[list[str]], NDArray[Any]] | None = None,
    ) -> None:
        self._run = run
        self._transform = transform
        self._run_text = run_text
        self._lock = threading.Lock()  # PyTorch runs on all processors by itself
        self.read_size = read_size
        grey = Image.new("RGB", (read_size, read_size), (127, 127, 127))
        vectors = self.embed(self.prepare(grey)[None])
        if not np.isfinite(vectors).all():
            raise ValueError("it gives what is no number for a grey picture")
        self.dimension = int(vectors.shape[1])

    def prepare(self, image: Image.Image) -> NDArray[Any]:
        """Make the network's input of one RGB picture."""
        return np.asarray(self._transform(image), np.float32)

    def embed(self, batch: NDArray[Any]) -> NDArray[np.float32]:
        """Give the vectors (n, dimension) of a batch of inputs."""
        with self._lock:
            vectors = np.asarray(self._run(batch), np.float32)
        if vectors.ndim != 2 or len(vectors) != len(batch):
            raise ValueError(f"it gives {vectors.shape} for {len(batch)} pictures, not a vector each")
        return vectors

    @property
    def knows_words(self) -> bool:
        """Whether it makes vectors of words too."""
        return self._run_text is not None

    def embed_text(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Give the vectors (n, dimension) of words, to compare with those of pictures."""
        if self._run_text is None:
            raise ValueError("this network knows no words")
        with self._lock:
            return np.asarray(self._run_text(list(texts)), np.float32)


def _load_timm(timm: Any, name: str) -> TorchEmbedder:
    import torch

    network = timm.create_model(name, pretrained=True, num_classes=0).eval()
    config = timm.data.resolve_model_data_config(network)
    transform = timm.data.create_transform(**config, is_training=False)

    def run(batch: NDArray[Any]) -> NDArray[Any]:
        with torch.no_grad():
            return np.asarray(network(torch.from_numpy(batch)))

    return TorchEmbedder(run, transform, _read_size(config["input_size"][-1], config.get("crop_pct") or 1.0))


def _load_open_clip(open_clip: Any, name: str) -> TorchEmbedder:
    import torch

    architecture, _, weights = name.partition("/")
    network, _, transform = open_clip.create_model_and_transforms(architecture, pretrained=weights or None)
    network.eval()
    tokenizer = open_clip.get_tokenizer(architecture)
    side = network.visual.image_size

    def run(batch: NDArray[Any]) -> NDArray[Any]:
        with torch.no_grad():
            return np.asarray(network.encode_image(torch.from_numpy(batch)))

    def run_text(texts: list[str]) -> NDArray[Any]:
        with torch.no_grad():
            return np.asarray(network.encode_text(tokenizer(texts)))

    return TorchEmbedder(run, transform, _read_size(side[0] if isinstance(side, tuple) else side, 1.0), run_text)


def _read_size(side: int, crop: float) -> int:
    return int(np.ceil(side / crop))


PIP = {"timm": "timm", "open_clip": "open_clip_torch"}
LOADERS: dict[str, Callable[[Any, str], TorchEmbedder]] = {"timm": _load_timm, "open_clip": _load_open_clip}
