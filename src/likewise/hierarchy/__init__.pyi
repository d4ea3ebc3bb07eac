from .binary_relevance import BinaryRelevance as BinaryRelevance
from .dependence_tree import chow_liu as chow_liu
from .drawing import draw_tree as draw_tree, tree_document as tree_document
from .fasttag import FastTag as FastTag
from .label_hierarchy import LabelHierarchy as LabelHierarchy
from .trees import maximum_arborescence as maximum_arborescence
