"""Compiled kernels: arrays in, arrays out, no classes; the only copy of each primitive."""

from likewise.kernels.cache_folder import use_cache_folder

use_cache_folder()  # before the first kernel is defined

from likewise.kernels import compiling  # noqa: E402, F401 (after the folder is chosen)
