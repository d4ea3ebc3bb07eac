class Subclustering: pass
