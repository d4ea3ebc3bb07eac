"""In and out: one file a format."""

from likewise.formats.folders import write_folders
from likewise.formats.tables import ClusterRow, write_csv

__all__ = ["ClusterRow", "write_csv", "write_folders"]
