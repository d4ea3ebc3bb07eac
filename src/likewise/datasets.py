"""Data to work on: the bundled demo, folders of pictures, and tables of vectors."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from likewise.cells import read_cell

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Dataset", "load", "load_demo", "load_folder", "load_table"]

LABEL = "label"
NAMES = ("id", "name", "path")
TABLES = (".csv", ".npy", ".parquet")


@dataclass(frozen=True)
class Dataset:
    """Things to cluster, and what is known about them; what is not known is None.

    Attributes
    ----------
    X : ndarray of shape (n, d) or None
        Vectors, or a distance matrix.
    truth : ndarray of shape (n,) or None
        The class of each, as a number from 0.
    classes : list of str or None
        The name of each class.
    names : list of str or None
        The name of each thing.
    paths : list of pathlib.Path or None
        The picture of each thing.

    Examples
    --------
    >>> len(Dataset(X=np.eye(3)))
    3
    """

    X: npt.NDArray[np.float64] | None = None
    truth: npt.NDArray[np.int64] | None = None
    classes: list[str] | None = None
    names: list[str] | None = None
    paths: list[Path] | None = None

    def __len__(self) -> int:
        for column in (self.X, self.names, self.truth, self.paths):
            if column is not None:
                return len(column)
        return 0


def load(path: str | os.PathLike[str]) -> Dataset:
    """Load whatever a path leads to.

    Parameters
    ----------
    path : path-like
        A ``.csv``, ``.npy`` or ``.parquet`` file, as of :func:`load_table`, or a folder of pictures. Where every
        picture of a folder lies in one of several subfolders, these are taken for their classes.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "points.npy"
    >>> np.save(path, np.eye(2))
    >>> load(path).X.shape
    (2, 2)
    """
    source = Path(path)
    if not source.is_dir():
        return load_table(source)
    dataset = load_folder(source)
    parents = {name.partition(os.sep)[0] if os.sep in name else "" for name in dataset.names or []}
    return load_folder(source, truth="folders") if len(parents) > 1 and "" not in parents else dataset


def load_demo(folder: str | os.PathLike[str] | None = None) -> Dataset:
    """Load the bundled demo: 1,797 hand-written digits of ten classes.

    Parameters
    ----------
    folder : path-like or None, default=None
        Where to write the digits as PNG pictures of 64 × 64 pixels, if anywhere. Nothing in the folder says
        which digit is which, but the file ``truth.csv`` beside the pictures.

    Returns
    -------
    Dataset
        With the 8 × 8 grey values, from 0 to 16, as vectors.

    References
    ----------
    E. Alpaydin and C. Kaynak, "Optical Recognition of Handwritten Digits", UCI Machine Learning Repository,
    1998; the test part, as scikit-learn ships it.

    Examples
    --------
    >>> digits = load_demo()
    >>> digits.X.shape, digits.classes[:3], digits.truth[:3].tolist()
    ((1797, 64), ['0', '1', '2'], [0, 1, 2])
    """
    from sklearn.datasets import load_digits

    digits = load_digits()
    names = [f"{number:04d}.png" for number in range(len(digits.data))]
    paths = None
    if folder is not None:
        home = Path(folder)
        home.mkdir(parents=True, exist_ok=True)
        paths = [home / name for name in names]
        _write_pictures(digits.images, paths)
        lines = [f"{name},{label}\n" for name, label in zip(names, digits.target, strict=True)]
        (home / "truth.csv").write_text("name,label\n" + "".join(lines))
    return Dataset(
        X=np.asarray(digits.data, np.float64),
        truth=np.asarray(digits.target, np.int64),
        classes=[str(name) for name in digits.target_names],
        names=names,
        paths=paths,
    )


def load_folder(folder: str | os.PathLike[str], truth: str | os.PathLike[str] | None = None) -> Dataset:
    """List the pictures of a folder, with their classes where they are known.

    The files are found as :func:`likewise.images.index` finds them, but not opened.

    Parameters
    ----------
    folder : path-like
        Searched with all its subfolders.
    truth : {"folders"}, path-like or None, default=None
        ``"folders"`` takes the first folder on the way to a picture for its class; a CSV file gives it in a
        column ``label``, beside the path of the picture within the folder in a column ``name``.

    Returns
    -------
    Dataset
        Without vectors. Sorted as the walk goes: files first, then subfolders.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> for name in ("cat/1.png", "dog/1.png", "cat/2.png"):
    ...     (folder / name).parent.mkdir(exist_ok=True)
    ...     (folder / name).touch()
    >>> pets = load_folder(folder, truth="folders")
    >>> pets.classes, pets.truth.tolist()
    (['cat', 'dog'], [0, 0, 1])
    """
    from likewise.images.walking import Found, walk

    root = Path(folder)
    if not root.is_dir():
        raise NotADirectoryError(f"{os.fspath(root)!r} is not a folder.")
    names = [os.fsdecode(found.path) for found in walk(os.fspath(root)) if isinstance(found, Found)]
    paths = [root / name for name in names]
    if truth is None:
        return Dataset(names=names, paths=paths)
    labels = _folder_labels(names) if truth == "folders" else _listed_labels(names, Path(truth))
    numbers, classes = _number(labels)
    return Dataset(truth=numbers, classes=classes, names=names, paths=paths)


def load_table(path: str | os.PathLike[str]) -> Dataset:
    """Load vectors, or a distance matrix, from a file.

    Parameters
    ----------
    path : path-like
        ``.npy``: an array of two dimensions. ``.csv`` and ``.parquet``: a column ``label`` is the truth, a column
        ``id``, ``name`` or ``path`` names the rows, and all the others are numbers; a column of lists of numbers is as
        many columns. The names of the columns may be missing from a CSV. Parquet needs ``likewise[parquet]``.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "points.csv"
    >>> _ = path.write_text("id,x0,x1,label\\na,0,1,near\\nb,5,5,far\\n")
    >>> points = load_table(path)
    >>> points.X.tolist(), points.names, points.classes, points.truth.tolist()
    ([[0.0, 1.0], [5.0, 5.0]], ['a', 'b'], ['far', 'near'], [1, 0])
    """
    source = Path(path)
    if source.suffix.lower() not in TABLES:
        raise ValueError(f"{os.fspath(source)!r} is neither a folder nor a file in {', '.join(TABLES)}.")
    if not source.is_file():
        raise FileNotFoundError(f"there is no file {os.fspath(source)!r}.")
    if source.suffix.lower() == ".npy":
        return Dataset(X=_read_npy(source))
    table = _read_csv(source) if source.suffix.lower() == ".csv" else _read_parquet(source)
    if not len(table):
        raise ValueError(f"{os.fspath(source)!r} has no rows.")
    numbers, classes = _number(_texts(table[LABEL])) if LABEL in table else (None, None)
    name = next((column for column in NAMES if column in table), None)
    rest = table.drop(columns=[column for column in (LABEL, name) if column in table])
    return Dataset(
        X=_numeric(rest, source), truth=numbers, classes=classes, names=None if name is None else _texts(table[name])
    )


def _write_pictures(images: npt.NDArray[np.float64], paths: list[Path]) -> None:
    from PIL import Image

    for values, path in zip(images, paths, strict=True):
        if path.exists():
            continue
        picture = Image.fromarray(np.rint(values * (255 / 16)).astype(np.uint8))
        unfinished = path.with_suffix(".unfinished")
        picture.resize((64, 64), Image.Resampling.BICUBIC).save(unfinished, "PNG")
        os.replace(unfinished, path)


def _folder_labels(names: list[str]) -> list[str]:
    for name in names:
        if os.sep not in name:
            raise ValueError(f"{name!r} lies in no subfolder, so its class is not known.")
    return [name.partition(os.sep)[0] for name in names]


def _listed_labels(names: list[str], path: Path) -> list[str]:
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {os.fspath(path)!r}.")
    table = _read_csv(path)
    if not {"name", LABEL} <= set(table):
        raise ValueError(f"{os.fspath(path)!r} must have the columns 'name' and '{LABEL}'.")
    known = dict(zip(_texts(table["name"]), _texts(table[LABEL]), strict=True))
    missing = next((name for name in names if name not in known), None)
    if missing is not None:
        raise ValueError(f"{os.fspath(path)!r} does not give the class of {missing!r}.")
    return [known[name] for name in names]


def _number(labels: list[str]) -> tuple[npt.NDArray[np.int64], list[str]]:
    """Number the classes in their order: that of numbers where all of them are whole numbers."""
    distinct = set(labels)
    whole = all(label.lstrip("-").isdecimal() for label in distinct)
    classes = sorted(distinct, key=int) if whole else sorted(distinct)
    number_of = {label: number for number, label in enumerate(classes)}
    return np.array([number_of[label] for label in labels], np.int64), classes


def _texts(column: pd.Series[Any]) -> list[str]:
    return [str(value) for value in column]


def map_table(path: str | os.PathLike[str]) -> npt.NDArray[Any]:
    """The array of a ``.npy`` file, mapped and not read; its numbers are not looked at.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "points.npy"
    >>> np.save(path, np.eye(2))
    >>> map_table(path).shape
    (2, 2)
    """
    return _open_npy(Path(path), "r")


def _read_npy(path: Path) -> npt.NDArray[np.float64]:
    return _finite(np.asarray(_open_npy(path, None), np.float64), path)


def _open_npy(path: Path, mode: Literal["r"] | None) -> npt.NDArray[Any]:
    try:
        values = np.load(path, mmap_mode=mode, allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        # A map does not say what is wrong with a file that is cut short.
        reason = "the file is cut short" if "mmap length" in str(error) else error
        raise ValueError(f"{os.fspath(path)!r} is not an array of numbers: {reason}.") from None
    if not isinstance(values, np.ndarray) or values.ndim != 2 or values.dtype.kind not in "biuf":
        raise ValueError(f"{os.fspath(path)!r} must hold numbers in two dimensions.")
    return values


def _read_csv(path: Path) -> pd.DataFrame:
    import pandas as pd

    try:
        table = pd.read_csv(path, low_memory=False)
        if _all_numbers(table.columns):
            table = pd.read_csv(path, header=None)
    except (pd.errors.EmptyDataError, pd.errors.ParserError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise ValueError(f"{os.fspath(path)!r} is not a table: {reason}.") from None
    for column in table.select_dtypes(exclude="number").columns:
        table[column] = table[column].map(read_cell)
    return table.rename(columns=lambda column: str(column).strip())


def _all_numbers(columns: Any) -> bool:
    try:
        return bool(len([float(column) for column in columns]))
    except ValueError:
        return False


def _read_parquet(path: Path) -> pd.DataFrame:
    import pandas as pd

    try:
        import pyarrow
    except ImportError:
        raise ValueError("Parquet needs pyarrow: install likewise[parquet].") from None
    try:
        return pd.read_parquet(path)
    except (pyarrow.ArrowException, OSError) as error:
        reason = " ".join(str(error).split())
        raise ValueError(f"{os.fspath(path)!r} is not a table: {reason}.") from None


def _numeric(table: pd.DataFrame, path: Path) -> npt.NDArray[np.float64]:
    if not len(table.columns):
        raise ValueError(f"{os.fspath(path)!r} has no column of numbers.")
    parts = []
    for name in table:
        column = table[name]
        try:
            if column.dtype.kind in "biuf":
                part = column.to_numpy(np.float64)
            else:
                part = np.stack([np.asarray(value, np.float64) for value in column])
        except (TypeError, ValueError):
            raise ValueError(f"the column {str(name)!r} of {os.fspath(path)!r} is not numbers.") from None
        parts.append(part.reshape(len(table), -1))
    return _finite(np.hstack(parts), path)


def _finite(values: npt.NDArray[np.float64], path: Path) -> npt.NDArray[np.float64]:
    if not values.size:
        raise ValueError(f"{os.fspath(path)!r} has no rows.")
    bad = np.argwhere(~np.isfinite(values))
    if len(bad):
        row, column = bad[0]
        raise ValueError(f"{os.fspath(path)!r}: row {row}, column {column} (from 0) is not a finite number.")
    return values
