"""Label hierarchies from incomplete tags: one file a method."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from likewise.hierarchy.binary_relevance import BinaryRelevance
    from likewise.hierarchy.dependence_tree import chow_liu
    from likewise.hierarchy.drawing import draw_tree, tree_document
    from likewise.hierarchy.fasttag import FastTag
    from likewise.hierarchy.label_hierarchy import LabelHierarchy
    from likewise.hierarchy.trees import maximum_arborescence

__all__ = [
    "BinaryRelevance",
    "FastTag",
    "LabelHierarchy",
    "chow_liu",
    "draw_tree",
    "maximum_arborescence",
    "tree_document",
]

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "binary_relevance": ["BinaryRelevance"],
        "dependence_tree": ["chow_liu"],
        "drawing": ["draw_tree", "tree_document"],
        "fasttag": ["FastTag"],
        "label_hierarchy": ["LabelHierarchy"],
        "trees": ["maximum_arborescence"],
    },
)
