from .bag_constraints import bag_links as bag_links
from .bags import BagSpectral as BagSpectral
from .spectral import SpectralLearning as SpectralLearning, SpectralRegularized as SpectralRegularized
