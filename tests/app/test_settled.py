"""What is settled, found at once or carried on, is what is found picture by picture."""

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest

from likewise.app.evidence import Evidence, SourcedLedger
from likewise.app.grids import grid_of, settled_pictures
from likewise.app.settled_curve import SettledCurve
from likewise.constraints import Constraints
from likewise.query.answers.memberships import Memberships
from likewise.query.question import Answer
from tests.app.test_same_wall import N, Story


def slow_settled(constraints, cluster):
    images = cluster.images.tolist()
    roots = [constraints.group_of(image) if image < constraints.n else -1 for image in images]
    inside = [root for image, root in zip(images, roots, strict=True) if image in cluster.placed]
    core = set(inside) or {Counter(roots).most_common(1)[0][0]}
    return {image for image, root in zip(images, roots, strict=True) if root in core or image in cluster.placed}


def slow_next(constraints, wall, number):
    left = {
        cluster.id: cluster.size - len(slow_settled(constraints, cluster))
        for cluster in wall.clusters.values()
        if cluster.id != number and cluster.size > 1
    }
    return max((each for each in left if left[each]), key=lambda each: (left[each], -each), default=None)


def slow_curve(n, said):
    constraints, memberships = Constraints(n), Memberships()
    grouped, placed, counts = set(), set(), [0]
    for seq, answer in said:
        for i, j, relation in answer.statements():
            if constraints.add(i, j, relation) is None and relation == "same":
                grouped.update((i, j))
        if answer.kind == "membership":
            memberships.put(answer.items, answer.value, answer.group, seq)
            placed = {item for items in memberships.groups().values() if len(items) > 1 for item in items}
        else:
            counts.append(0)
        counts[-1] = len(grouped | placed)
    return counts


@pytest.mark.parametrize("seed", range(8))
def test_settled_pictures_are_as_picture_by_picture(seed):
    story, ledger, curve = Story(seed), SourcedLedger(), SettledCurve()
    for _ in range(25):
        story.go_on()
        evidence = Evidence.of(story.log.votes())
        n = N - 4 if story.rng.random() < 0.2 else N  # the last pictures came after the last answer
        constraints = Constraints(n)
        if n == N:
            ledger.become(n, evidence, outvote=story.outvote)
            constraints = ledger.constraints
        else:
            ledger.become(n, Evidence(), outvote=story.outvote)
        live = SimpleNamespace(wall=story.fast, ledger=ledger, cluster=story.fast.clusters.get)
        for cluster in story.fast.clusters.values():
            settled = slow_settled(constraints, cluster)
            assert settled_pictures(live, cluster) == settled
            found = grid_of(live, cluster.id, 3)
            open_ = [image for image in cluster.images[::-1].tolist() if image not in settled]
            assert (found["items"], found["n_left"]) == (open_[:3], len(open_))
            assert found["next"] == slow_next(constraints, story.fast, cluster.id)
        assert curve.of(N, evidence.answers) == slow_curve(N, evidence.answers)


def test_numbers_of_sets_follow_the_answers():
    rng, ledger = np.random.default_rng(0), SourcedLedger()
    ledger.become(30, Evidence(), outvote=True)
    for seq in range(1, 120):
        before, version = ledger.groups_of_items().tolist(), ledger.version
        i, j = rng.choice(30, 2, replace=False).tolist()
        ledger.add(Answer("pair", (i, j), str(rng.choice(["same", "same", "different"]))), seq)
        assert ledger.version > version
        found = ledger.groups_of_items().tolist()
        assert found == [ledger.constraints.group_of(item) for item in range(30)]
        assert len(before) == 30
