"""Where a project is: what another process needs to open it too."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from likewise.images.private import keep_private
from likewise.store import Project, Store, UnknownProjectError


@dataclass(frozen=True)
class Location:
    """A project in a store.

    - `where`: Folder or URL of the store.
    - `folder`: The project folder: vectors, thumbnails and, with SQLite, the database.
    - `name`: The project's name in the store.
    - `model`: Name of the vectors that are used.
    """

    where: str
    folder: str
    name: str
    model: str

    @property
    def answers(self) -> str:
        """Where the answers are kept, for a message."""
        return "the database" if "://" in self.where else self.folder

    def with_model(self, model: str | None) -> Location:
        """The same with another model; None takes the one that the project was served with last, if any.

        The path of a network becomes absolute: other processes read it too.
        """
        if model is None:
            model = self._remembered()
        elif model.endswith(".onnx"):
            model = os.path.abspath(model)
        return self if model is None else replace(self, model=model)

    def remember_model(self, project: Project) -> None:
        """Let later commands know which vectors the project is served with."""
        from likewise.images.vectors import model_key

        kept = {"model": self.model, "vectors": model_key(self.model)}
        if any(project.settings().get(name) != value for name, value in kept.items()):
            project.update_settings(kept)

    def require_vectors(self) -> None:
        """Refuse a model that cannot be computed and under whose name nothing was imported either."""
        from likewise.images.embedding import DEFAULT, load_embedder
        from likewise.images.faces import is_of_faces, load_finder

        if is_of_faces(self.model):
            load_finder(self.model)
            return
        if self.model == DEFAULT:  # ours: that it is there is enough
            from likewise.images.efficientnet import efficientnet_lite0

            efficientnet_lite0()
            return
        if self.model.endswith(".onnx") and not os.path.isfile(self.model):
            raise ValueError(f"there is no network {self.model!r}: give one with --model")
        try:
            load_embedder(self.model)
        except ValueError as error:
            if self.model.endswith(".onnx") or not self._has_imported():
                raise ValueError(f"{error}, or the name of vectors imported with 'likewise import'") from error

    def _has_imported(self) -> bool:
        from likewise.images.vectors import model_key

        return (Path(self.folder) / "vectors" / model_key(self.model) / "rows.json").exists()

    def _remembered(self) -> str | None:
        try:
            with self.open_store(create=False) as store:
                settings = self.find(store).settings()
        except (FileNotFoundError, UnknownProjectError):  # there is none yet
            return None
        model, key = settings.get("model"), settings.get("vectors")
        if isinstance(model, str) and isinstance(key, str) and _is_gone(model):
            return key  # the network is gone; what it made is there
        return model if isinstance(model, str) else None

    def open_store(self, *, create: bool = True) -> Store:
        """Open the store; made where there is none, unless `create` is false."""
        if create or os.path.isdir(self.folder):
            keep_private(self.folder)
        return Store.open(self.where, folder=self.folder, create=create)

    def find(self, store: Store) -> Project:
        """The project in it; an error where it is not there."""
        return store.project(self.name)

    def project_of(self, store: Store) -> Project:
        """The project in it, made when it is not there."""
        names = [project.name for project in store.projects()]
        return store.project(self.name) if self.name in names else store.create_project(self.name)


def _is_gone(model: str) -> bool:
    """Whether a network was used that is not on this machine any more."""
    if model.endswith(".onnx"):
        return not os.path.isfile(model)
    from likewise.images.known_models import KNOWN

    if model not in KNOWN:
        return False
    from likewise.images.hub import is_kept

    return not is_kept(model)
