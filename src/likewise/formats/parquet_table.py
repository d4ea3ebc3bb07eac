"""Clusters as Parquet: the table of the CSV, typed and compressed."""

from __future__ import annotations

from dataclasses import astuple, fields
from pathlib import Path

from likewise.formats.names import plain_text
from likewise.formats.rows import ClusterRow, Snapshot
from likewise.formats.writing import Written

__all__ = ["write_parquet"]


def write_parquet(snapshot: Snapshot, path: Path) -> Written:
    """Write the clusters; needs ``likewise[parquet]``."""
    import pandas as pd

    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise ValueError("Parquet needs pyarrow: install likewise[parquet]") from None
    columns = [each.name for each in fields(ClusterRow)]
    table = pd.DataFrame([astuple(row) for row in snapshot.clusters], columns=columns)
    for name in ("path", "name", "state", "stack"):
        table[name] = table[name].map(plain_text).astype(str)
    table = table.astype({"image": "int64", "cluster": "int64"})
    table.to_parquet(path, index=False)
    return Written(path, len(table), "pictures")
