"""Draw docs/assets/rooms.svg from the import statements of the package: ``python -m tools.rooms``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "likewise"
PICTURE = ROOT / "docs" / "assets" / "rooms.svg"
BOX, BEND, ROW, HIGH, EDGE = 112, 24, 78, 34, 20  # widths, and heights of a row and a box
Graph = dict[str, set[str]]
STYLE = """
text { font: 600 14px system-ui, sans-serif; fill: #14171c; text-anchor: middle; }
rect { fill: #ffffff; stroke: #2158d0; stroke-width: 1.5; }
path { fill: none; stroke: #6b7482; stroke-width: 1.5; }
.head { fill: #6b7482; stroke: none; }
@media (prefers-color-scheme: dark) {
  text { fill: #eef0f4; } rect { fill: #20242c; stroke: #7aa2ff; } path { stroke: #9aa3b2; } .head { fill: #9aa3b2; }
}"""


def room_of(path: Path, package: Path = PACKAGE) -> str:
    """The room of a module: its top-level sub-package, or the module itself."""
    return path.relative_to(package).parts[0].removesuffix(".py")


def imported_rooms(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Rooms that the import statements of a module name, at any level, with their lines."""
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name the whole path"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "likewise" and len(parts) > 1:
                yield parts[1], node.lineno


def read_imports(package: Path = PACKAGE) -> Graph:
    """The rooms that each room imports."""
    modules = [path for path in sorted(package.rglob("*.py")) if path != package / "__init__.py"]
    graph: Graph = {room_of(path, package): set() for path in modules}
    for path in modules:
        room = room_of(path, package)
        named = {other for other, _ in imported_rooms(ast.parse(path.read_text()))}
        graph[room] |= (named & graph.keys()) - {room}
    return graph


def below(graph: Graph, room: str) -> set[str]:
    """The rooms that a room imports, directly or through others."""
    return graph[room].union(*(below(graph, other) for other in graph[room]))


def thin(graph: Graph) -> Graph:
    """The graph without imports that follow from others."""
    return {
        room: {o for o in others if not any(o in below(graph, x) for x in others)} for room, others in graph.items()
    }


def floors(graph: Graph) -> dict[str, int]:
    """A floor for each room: the highest one below all rooms that import it."""
    top = max(_depth(graph, room) for room in graph)
    found: dict[str, int] = {}
    for room in sorted(graph, key=lambda room: -_depth(graph, room)):
        found[room] = min((found[by] for by, others in graph.items() if room in others), default=top + 1) - 1
    return {room: floor + 1 for room, floor in found.items()}


def _depth(graph: Graph, room: str) -> int:
    return 1 + max((_depth(graph, other) for other in graph[room]), default=0)


def lay_out(graph: Graph) -> tuple[dict[str, tuple[float, float]], list[list[str]], tuple[float, float]]:
    """Coordinates of boxes and bends, the points of each edge, and the size; long edges bend on every floor."""
    floor = floors(graph)
    rows: dict[int, list[str]] = {at: [] for at in range(max(floor.values()), 0, -1)}
    for room in graph:
        rows[floor[room]].append(room)
    edges = []
    for room, others in sorted(graph.items()):
        for other in sorted(others):
            bends = [f"{room}>{other}@{at}" for at in range(floor[room] - 1, floor[other], -1)]
            edges.append([room, *bends, other])
            for at, bend in zip(range(floor[room] - 1, floor[other], -1), bends, strict=True):
                rows[at].append(bend)
    steps = [step for edge in edges for step in pairwise(edge)]
    x = {name: float(at) for row in rows.values() for at, name in enumerate(row)}
    for sweep in range(24):  # each moves to the mean of its neighbours above, then below
        for row in rows.values() if sweep % 2 == 0 else reversed(rows.values()):
            near = {n: [x[s[sweep % 2]] for s in steps if s[1 - sweep % 2] == n] or [x[n]] for n in row}
            row.sort(key=lambda name: sum(near[name]) / len(near[name]))
            spread(row, {name: sum(near[name]) / len(near[name]) for name in row}, x)
    left = min(x[n] - width(n) / 2 for n in x)
    high = EDGE + HIGH + ROW * (len(rows) - 1) + EDGE
    y = {n: high - EDGE - HIGH / 2 - ROW * (at - 1) for at, row in rows.items() for n in row}
    wide = max(x[n] + width(n) / 2 for n in x) - left + 2 * EDGE
    return {n: (round(x[n] - left + EDGE), round(y[n])) for n in x}, edges, (round(wide), round(high))


def width(name: str) -> int:
    """Width of a box, or of the bend of an edge."""
    return BEND if "@" in name else BOX + BEND


def spread(row: list[str], wanted: dict[str, float], x: dict[str, float]) -> None:
    """Move a row as near as possible to the wanted coordinates, in order and without overlap."""
    at = [wanted[name] for name in row]
    for _ in range(200):
        for k in range(len(row) - 1):
            lacking = (width(row[k]) + width(row[k + 1])) / 2 - (at[k + 1] - at[k])
            if lacking > 0:
                at[k], at[k + 1] = at[k] - lacking / 2, at[k + 1] + lacking / 2
    x.update(zip(row, at, strict=True))


def draw(graph: Graph) -> str:
    """The picture as SVG: a box for each room, an arrow from a room to each room that it imports."""
    position, edges, (wide, high) = lay_out(thin(graph))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" role="img">',
        "<title>The rooms of the package; arrows lead to what is imported</title>",
        f"<style>{STYLE}</style>",
        '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">',
        '<path class="head" d="M0 0L8 4L0 8z"/></marker>',
    ]
    for edge in edges:
        points = [position[name] for name in edge]
        points = [
            (points[0][0], points[0][1] + HIGH // 2),
            *points[1:-1],
            (points[-1][0], points[-1][1] - HIGH // 2 - 2),
        ]
        way = f"M{points[0][0]} {points[0][1]}"
        for (a, b), (c, d) in pairwise(points):
            way += f"C{a} {(b + d) // 2} {c} {(b + d) // 2} {c} {d}"
        lines.append(f'<path d="{way}" marker-end="url(#head)"/>')
    for room in sorted(graph):
        a, b = position[room]
        lines.append(f'<rect x="{a - BOX // 2}" y="{b - HIGH // 2}" width="{BOX}" height="{HIGH}" rx="8"/>')
        lines.append(f'<text x="{a}" y="{b + 5}">{room}</text>')
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(draw(read_imports()))
    print(f"written: {PICTURE.relative_to(ROOT)}")
