"""Stacks as people see them: of each, the pictures that are in one cluster, shown as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


class Stacks:
    """Which pictures are shown as one.

    - `members`, mapping of int to list of int: For every picture that is not alone, all that are shown as one with
      it, ascending.

    Examples
    --------
    >>> stacks = Stacks.of({2: 2, 5: 2, 7: 2, 9: 2}, {2: 0, 5: 0, 7: 1, 8: 0, 9: 0})
    >>> stacks.of_picture(5), stacks.of_picture(7)
    ([2, 5, 9], [7])
    >>> stacks.shown([9, 8, 2, 5, 7])
    [9, 8, 7]
    """

    def __init__(self, members: Mapping[int, Sequence[int]] | None = None) -> None:
        self.members = {} if members is None else members

    @classmethod
    def of(cls, first: Mapping[int, int], cluster_of: Mapping[int, int]) -> Stacks:
        """Stacks, each by the first picture of it, in clusters: pictures in two clusters are not shown as one.

        - `first`: The first picture of its stack, for every picture in one.
        - `cluster_of`: The cluster of every picture that is there.
        """
        parts: dict[tuple[int, int], list[int]] = {}
        for image in sorted(first):
            if image in cluster_of:
                parts.setdefault((first[image], cluster_of[image]), []).append(image)
        return cls({image: part for part in parts.values() if len(part) > 1 for image in part})

    def of_picture(self, image: int) -> list[int]:
        """The pictures that are shown as one with this, itself among them."""
        return list(self.members.get(image, (image,)))

    def shown(self, images: Iterable[int]) -> list[int]:
        """One picture of each stack, the first that comes."""
        if not self.members:
            return list(images)
        seen: set[int] = set()
        found = []
        for image in images:
            if image not in seen:
                found.append(image)
                seen.update(self.members.get(image, ()))
        return found

    def whole(self, images: Iterable[int]) -> list[int]:
        """These pictures and all that are shown as one with them."""
        return list(dict.fromkeys(other for image in images for other in self.of_picture(image)))

    def parted(self, images: Sequence[int]) -> bool:
        """Whether no two of these are shown as one."""
        stacks = [self.members[image][0] for image in images if image in self.members]
        return len(set(stacks)) == len(stacks)
