"""Where the nodes of a diagram stand and how its lines run: the craft of Graphviz, or of grandalf where it is missing.

Both make layers from left to right (Sugiyama's method). A diagram is handed over as sizes and numbers, so that no text
of a user reaches another program. Pixels; y grows downwards; the left upper corner of everything is (0, 0).
"""

import shutil
import subprocess
from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

from einsum_front.core.dataclass import dataclass
from einsum_front.core.optional import needed
from einsum_front.drawing.measure import node_size
from einsum_front.ir import Diagram

Point = tuple[float, float]
"""x and y."""

Size = tuple[float, float]
"""Width and height."""

LAYER_GAP, NODE_GAP = 18, 10
"""Pixels between layers, and between the nodes of one."""

INCH = 96
"""Pixels of what Graphviz counts in."""

PATIENCE = 20
"""Seconds that Graphviz may take for one diagram; it needs hundredths."""


@dataclass(frozen=True, slots=True)
class Line:
    """The way of an edge through these points; a curve has two control points between two that it meets (Bézier)."""

    points: tuple[Point, ...]
    is_curve: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """The centres of the nodes, the lines of the edges, and the size of it all."""

    centres: tuple[Point, ...]
    lines: tuple[Line, ...]
    size: Size


Engine = Callable[[Diagram], Layout]
"""What lays a diagram out."""


@cache
def engine() -> Engine:
    """Graphviz, if its program `dot` is installed and works, else grandalf."""
    found = shutil.which("dot")
    return grandalf if found is None or not _works(found) else partial(graphviz, found)


def _works(program: str) -> bool:
    try:
        return _run(program, "digraph { a }").startswith("graph ")
    except (OSError, subprocess.SubprocessError):
        return False


# -- Graphviz ----------------------------------------------------------------------------------------------------------


def graphviz(program: str | Path, diagram: Diagram) -> Layout:
    """The layout of `dot`."""
    sizes = [node_size(node) for node in diagram.nodes]
    options = f"rankdir=LR ranksep={LAYER_GAP / INCH} nodesep={NODE_GAP / INCH}"
    nodes = (
        f"{number} [shape=box fixedsize=true width={width / INCH} height={height / INCH}]"
        for number, (width, height) in enumerate(sizes)
    )
    edges = (f"{start} -> {end} [dir=none id={number}]" for number, (start, end) in enumerate(diagram.edges))
    answer = _run(program, "\n".join(["digraph {", f"graph [{options}]", *nodes, *edges, "}"]))
    return read_plain(answer, diagram)


def _run(program: str | Path, text: str) -> str:
    command = [str(program), "-Tplain"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=PATIENCE, check=True)
    return done.stdout


def read_plain(answer: str, diagram: Diagram) -> Layout:
    """The words of `-Tplain`: `graph scale width height`, `node name x y …`, `edge tail head n x1 y1 … xn yn …`."""
    sizes = [node_size(node) for node in diagram.nodes]
    centres: dict[int, Point] = {}
    ways: dict[tuple[int, int], Line] = {}
    for word, *rest in (line.split() for line in answer.splitlines() if line.strip()):
        if word == "node":
            centres[int(rest[0])] = float(rest[1]) * INCH, -float(rest[2]) * INCH
        elif word == "edge":
            numbers = [float(number) * INCH for number in rest[3 : 3 + 2 * int(rest[2])]]
            points = tuple(zip(numbers[::2], [-number for number in numbers[1::2]], strict=True))
            ways[int(rest[0]), int(rest[1])] = Line(points, is_curve=True)
    return _at_origin([centres[number] for number in range(len(sizes))], [ways[e] for e in diagram.edges], sizes)


# -- grandalf ----------------------------------------------------------------------------------------------------------


class _View:
    """What grandalf wants of a node: its size, and a place for its centre. Layers are rows there: x and y change."""

    def __init__(self, size: Size) -> None:
        self.h, self.w = size
        self.xy = (0.0, 0.0)


def grandalf(diagram: Diagram) -> Layout:
    """The layout of grandalf, part by part if some are not connected, one below the other.

    Orders are laid out from the last product on, so that factors stand beside what they are for. Raises `CompileError`
    (E0116) without grandalf.
    """
    graphs = needed("grandalf.graphs", "a drawing", "so does Graphviz, whose program is `dot`; `.dot` needs nothing")
    sizes = [node_size(node) for node in diagram.nodes]
    vertices = [graphs.Vertex(number) for number in range(len(sizes))]
    for vertex, size in zip(vertices, sizes, strict=True):
        vertex.view = _View(size)
    edges = [
        graphs.Edge(vertices[start], vertices[end]) for start, end in map(partial(_turned, diagram), diagram.edges)
    ]
    for edge in edges:
        edge.view = import_module("grandalf.routing").EdgeViewer()
    top = 0.0
    for part in graphs.Graph(vertices, edges).C:
        top = _place(part, top) + NODE_GAP
    sign = -1 if diagram.has_arrows else 1
    centres = [(sign * vertex.view.xy[1], vertex.view.xy[0]) for vertex in vertices]
    lines = [_line(edge, sign) for edge in edges]
    return _at_origin(centres, lines, sizes)


def _turned(diagram: Diagram, edge: tuple[int, int]) -> tuple[int, int]:
    return (edge[1], edge[0]) if diagram.has_arrows else edge


def _place(part: Any, top: float) -> float:
    """Places a connected part, which grandalf gives no type, below `top`, and gives its lower end."""
    layout = import_module("grandalf.layouts").SugiyamaLayout(part)
    layout.xspace, layout.yspace = NODE_GAP, LAYER_GAP
    layout.route_edge = import_module("grandalf.routing").route_with_lines
    layout.init_all()
    layout.draw(3)
    views = [vertex.view for vertex in part.sV]
    shift = top - min(view.xy[0] - view.w / 2 for view in views)
    for view in views:
        view.xy = view.xy[0] + shift, view.xy[1]
    for edge in part.sE:
        edge.view.shift = shift
    return max(float(view.xy[0] + view.w / 2) for view in views)


def _line(edge: Any, sign: int) -> Line:
    """The way of an edge through the empty places that grandalf keeps for it, from its start to its end."""
    points = [(sign * y, x + edge.view.shift) for x, y in edge.view._pts]
    return Line(tuple(points if sign > 0 else reversed(points)), is_curve=False)


# -- both --------------------------------------------------------------------------------------------------------------


def _at_origin(centres: Sequence[Point], lines: Sequence[Line], sizes: Sequence[Size]) -> Layout:
    """The layout with its left upper corner at (0, 0)."""
    xs = [x + side * width / 2 for (x, _), (width, _) in zip(centres, sizes, strict=True) for side in (-1, 1)]
    ys = [y + side * height / 2 for (_, y), (_, height) in zip(centres, sizes, strict=True) for side in (-1, 1)]
    points = [point for line in lines for point in line.points]
    left, top = min([*xs, *(x for x, _ in points)]), min([*ys, *(y for _, y in points)])
    size = max([*xs, *(x for x, _ in points)]) - left, max([*ys, *(y for _, y in points)]) - top
    moved = (Line(tuple((x - left, y - top) for x, y in line.points), line.is_curve) for line in lines)
    return Layout(tuple((x - left, y - top) for x, y in centres), tuple(moved), size)
