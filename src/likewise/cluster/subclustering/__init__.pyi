from .subclustering import Subclustering as Subclustering
