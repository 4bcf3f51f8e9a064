"""Pictures as SVG: boxes in layers, every box above all that it leads to; layers and pictures are stacked."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import mean
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import networkx as nx

from einsum_front.ir.plan.picture import Picture

CHARACTER = 7.3
"""Pixels that a letter of the font is wide at most."""

LINE = 24
"""Height of a box or of a title."""

GAP = 16
"""Between boxes of a layer, and around the drawing."""

LAYER = 56
"""Height of a layer with the arrows to the next one."""

STYLE = (
    "text { font: 12px monospace; text-anchor: middle } .title { font-weight: bold; text-anchor: start } "
    "rect { fill: #eef3fa; stroke: #345 } line { stroke: #345; marker-end: url(#tip) }"
)


@dataclass(frozen=True, slots=True)
class Box:
    """A box in pixels: its left upper corner and its width."""

    left: float
    top: float
    width: float

    @property
    def centre(self) -> float:
        """The middle between left and right."""
        return self.left + self.width / 2


def svg(drawn: Iterable[Picture]) -> str:
    """The pictures, one below the other, as a file of its own."""
    root = Element("svg", xmlns="http://www.w3.org/2000/svg")
    SubElement(root, "style").text = STYLE
    tip = SubElement(root, "marker", id="tip", markerWidth="8", markerHeight="8", refX="8", refY="4", orient="auto")
    SubElement(tip, "path", d="M0,0 L8,4 L0,8 z", fill="#345")
    top, width = float(GAP), 0.0
    for picture in drawn:
        SubElement(root, "text", {"class": "title"}, x=_pixels(GAP), y=_pixels(top + 16)).text = picture.title
        boxes = placed(picture, top + LINE + GAP / 2)
        _draw(root, picture, boxes)
        top = max(box.top for box in boxes) + LINE + 2 * GAP
        width = max(width, len(picture.title) * CHARACTER + GAP, *(box.left + box.width for box in boxes))
    root.set("width", _pixels(width + GAP))
    root.set("height", _pixels(top))
    indent(root)
    return tostring(root, encoding="unicode") + "\n"


def placed(picture: Picture, top: float) -> list[Box]:
    """Where the boxes of a picture are: each right above the first layer that one of its arrows leads to.

    Layers are centred. Boxes of a layer stand as what they lead to does, so that few arrows cross.
    """
    network: nx.DiGraph[int] = nx.DiGraph()
    network.add_nodes_from(range(len(picture.labels)))
    network.add_edges_from((end, start) for start, end in picture.arrows)
    layers = list(nx.topological_generations(network))
    widths = [len(label) * CHARACTER + GAP for label in picture.labels]
    lengths = [sum(widths[number] + GAP for number in layer) - GAP for layer in layers]
    boxes: dict[int, Box] = {}
    for height, (layer, length) in enumerate(zip(layers, lengths, strict=True), start=1):
        left = GAP + (max(lengths) - length) / 2
        targets = {number: [boxes[end].centre for end in network.predecessors(number)] for number in layer}
        for number in sorted(layer, key=lambda number: (mean(targets[number] or [0]), number)):
            boxes[number] = Box(left, top + (len(layers) - height) * LAYER, widths[number])
            left += widths[number] + GAP
    return [boxes[number] for number in range(len(boxes))]


def _draw(root: Element, picture: Picture, boxes: list[Box]) -> None:
    """Arrows first: boxes cover them. Arrows that lead to the same box end side by side."""
    for start, end in picture.arrows:
        starts = sorted(
            (one for one, other in picture.arrows if other == end), key=lambda one: (boxes[one].centre, one)
        )
        place = boxes[end].left + boxes[end].width * (starts.index(start) + 1) / (len(starts) + 1)
        ends = {"x1": boxes[start].centre, "y1": boxes[start].top + LINE, "x2": place, "y2": boxes[end].top}
        SubElement(root, "line", {name: _pixels(value) for name, value in ends.items()})
    for label, box in zip(picture.labels, boxes, strict=True):
        sides = {"x": box.left, "y": box.top, "width": box.width, "height": LINE}
        SubElement(root, "rect", {name: _pixels(value) for name, value in sides.items()})
        SubElement(root, "text", x=_pixels(box.centre), y=_pixels(box.top + 16)).text = label


def _pixels(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
