from .asc import ASC as ASC
from .pknn_al import PKNNAL as PKNNAL
from .quire import QUIRE as QUIRE
from .urasc import URASC as URASC
