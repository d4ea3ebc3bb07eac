from .bag_constraints import bag_links as bag_links
from .bag_penalty import bag_penalty as bag_penalty, refine_with_bags as refine_with_bags
from .bags import BagSpectral as BagSpectral
from .spectral import SpectralLearning as SpectralLearning, SpectralRegularized as SpectralRegularized
