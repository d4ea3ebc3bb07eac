"""An asker for the browser tests: a grid, a pick and a pair in turn, whatever would be best."""

import numpy as np

from likewise.query.base import Strategy
from likewise.query.question import Question

SHOWN = 8


class InTurn(Strategy):
    """Takes the forms in turn, as far as there is something to ask in them."""

    name = "in-turn"

    def ask(self, state, n=1, skip=()):
        known = state.constraints.known
        firsts = list({state.constraints.group_of(k): k for k in reversed(range(state.n))}.values())[::-1]
        firsts.sort(key=lambda k: (-len(state.constraints.members(k)), k))
        open_ = {k: [j for j in firsts if j != k and known(k, j) is None] for k in firsts}
        left = [k for k in firsts if open_[k]]
        if not left:
            return []
        for k in open_:
            open_[k].sort(key=lambda j, k=k: float(np.linalg.norm(state.X[k] - state.X[j])))
        turns = sum(answer.kind != "membership" for answer in state.history)
        turn = turns % 3
        groups = [k for k in left if len(state.constraints.members(k)) > 1]
        if turn == 1 and len(groups) > 1:
            picture = left[-1]
            among = [k for k in groups if known(k, picture) is None and k != picture]
            if among:
                return [Question("pick", (picture, *among[:SHOWN]), reason="it may be one of these")]
        first = left[turns // 3 % min(4, len(left))]
        if turn == 2:
            return [Question("pair", (first, open_[first][0]), reason="they look alike")]
        return [Question("grid", (first, *open_[first][:SHOWN]), reason="these may be alike")]
