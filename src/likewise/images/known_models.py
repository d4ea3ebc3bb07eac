"""Networks with a name: where each is on the Hugging Face hub, at which revision, and what its files must hash to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["KNOWN", "HubFile", "KnownModel"]

Triple = tuple[float, float, float]
IMAGENET: tuple[Triple, Triple] = ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
OPENAI: tuple[Triple, Triple] = ((0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711))
HALVES: tuple[Triple, Triple] = ((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))


@dataclass(frozen=True)
class HubFile:
    """One file of a repository: its path there, its length and its SHA-256."""

    path: str
    n_bytes: int
    sha256: str


@dataclass(frozen=True)
class KnownModel:
    """A network that can be asked for by name.

    - `repository`, `revision`: On the hub; the revision is a commit, which never changes.
    - `picture`: The network that takes pictures.
    - `text`, `tokenizer`: The network that takes words, and how words become numbers; None where it knows none.
    - `dimension`: Length of a vector.
    - `fit`, `crop`, `colours`: How a picture becomes the network's input, as of
      :class:`likewise.images.network.OnnxEmbedder`; mean and deviation of the colours.
    - `output`: The output that is taken.
    - `licence`: Of the weights, as their makers state it.
    - `good_at`: In a few words.
    """

    repository: str
    revision: str
    picture: HubFile
    dimension: int
    output: str
    licence: str
    good_at: str
    fit: Literal["crop", "squash"] = "crop"
    crop: float = 0.875
    colours: tuple[Triple, Triple] = IMAGENET
    text: HubFile | None = None
    tokenizer: HubFile | None = None

    @property
    def files(self) -> list[HubFile]:
        """All that is fetched."""
        return [file for file in (self.picture, self.text, self.tokenizer) if file is not None]

    @property
    def n_bytes(self) -> int:
        """Length of all that is fetched."""
        return sum(file.n_bytes for file in self.files)


KNOWN = {
    "dinov2-small": KnownModel(
        repository="onnx-community/dinov2-small",
        revision="8b1f705a3a7f6f062f6bdd21986c1583d3ef105d",
        picture=HubFile(
            "onnx/model.onnx", 88_532_934, "f22797eabf810a75e41de68d378541ebea372122b25c4ce3ef25ff618250c20a"
        ),
        dimension=384,
        output="last_hidden_state",
        licence="Apache-2.0",
        good_at="species, individuals, textures: how a thing looks, learned without labels",
    ),
    "dinov2-base": KnownModel(
        repository="onnx-community/dinov2-base",
        revision="31ef06cac16d5d301c5930d147002a058c85a5e4",
        picture=HubFile(
            "onnx/model.onnx", 346_627_111, "320d1012a6fc65b101fc85ca30ee7a47b2e4f6a2e8bd78fb9d7036def0e30cb0"
        ),
        dimension=768,
        output="last_hidden_state",
        licence="Apache-2.0",
        good_at="as dinov2-small, finer and about four times slower",
    ),
    "clip-vit-b-32": KnownModel(
        repository="Xenova/clip-vit-base-patch32",
        revision="d15189d7028b43f1d3e65039190477f6af591c2a",
        picture=HubFile(
            "onnx/vision_model.onnx", 351_685_709, "fd6e1402a588279d1723c7534d4bcba5bc0b14b47dfab0e46f8c47b8270d7d40"
        ),
        text=HubFile(
            "onnx/text_model.onnx", 254_058_553, "3f6571f5bad13a97c469c1622e1cfc4d9aef78b79fdbfcff804ca357bfada8cc"
        ),
        tokenizer=HubFile(
            "tokenizer.json", 2_224_119, "f7f3b7af117d467b58374797691a6438d3e6b9e9cef800dfd5dced7f697a90cd"
        ),
        dimension=512,
        output="image_embeds",
        licence="MIT",
        good_at="what a picture shows, everyday things and scenes; search by words (English)",
        crop=1.0,
        colours=OPENAI,
    ),
    "siglip-base": KnownModel(
        repository="Xenova/siglip-base-patch16-224",
        revision="4649052661e53c7000355844105f8a1792088239",
        picture=HubFile(
            "onnx/vision_model.onnx", 371_819_850, "f89d41bac7f4d4b87e010a467d93f98689d708916ed22f5a07f96fdfa26f475f"
        ),
        dimension=768,
        output="pooler_output",
        licence="Apache-2.0",
        good_at="as clip-vit-b-32, finer and slower; pictures only, not words",
        fit="squash",
        colours=HALVES,
    ),
}
"""By name. Revisions and checksums are those that several independent projects publish for these files."""
