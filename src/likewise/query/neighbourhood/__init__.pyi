from .cac1 import CAC1 as CAC1
from .explore_consolidate import ExploreConsolidate as ExploreConsolidate
from .graph_purification import GraphPurification as GraphPurification
from .minmax import MinMax as MinMax
from .npu import NPU as NPU
