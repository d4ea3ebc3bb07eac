from .affinity import (
    gaussian_affinity as gaussian_affinity,
    local_affinity as local_affinity,
    scale_locally as scale_locally,
)
from .dca import DCA as DCA
from .distlqp import DistLQP as DistLQP
from .distributed import nearest_on_dask as nearest_on_dask
from .itml import ITML as ITML
from .learner import MetricLearner as MetricLearner
from .lmnn import LMNN as LMNN
from .lsml import LSML as LSML
from .matrix import check_distances as check_distances, pairwise as pairwise, pairwise_chunks as pairwise_chunks
from .mds import MDS as MDS
from .mmc import MMC as MMC
from .neighbours import Neighbours as Neighbours, knn_graph as knn_graph, nearest as nearest
from .neighbours_file import open_neighbours as open_neighbours, save_neighbours as save_neighbours
from .npkl import NPKL as NPKL
from .rca import RCA as RCA
from .rdml import RDML as RDML
from .sparse_lp import SparseLP as SparseLP
from .triangles import TriangleCheck as TriangleCheck, triangle_violations as triangle_violations
