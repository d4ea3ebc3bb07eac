from .cop_kmeans import COPKMeans as COPKMeans
from .hmrf import HMRF as HMRF
from .mpckmeans import MPCKMeans as MPCKMeans
from .pckmeans import PCKMeans as PCKMeans
