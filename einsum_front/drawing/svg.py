"""A page as SVG: a file of its own, which browsers, notebooks and editors show."""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from einsum_front.drawing.layout import Line, Point
from einsum_front.drawing.measure import FONT, LINE, node_size, text_width
from einsum_front.drawing.page import A3, MARGIN, SWATCH, Page, PlacedBlock, PlacedDiagram, PlacedSheet
from einsum_front.ir import DrawnNode

SMALLEST = 2 / 3
"""A page that is larger than A3 is made smaller, as far as letters of 6 points."""

NAME = "einsum-front"
"""Styles hold inside of our drawings only: a notebook has others as well."""

STYLE = f"""
.{NAME} text {{ font: {FONT}px 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #1b1f24 }}
.{NAME} .node {{ text-anchor: middle }}
.{NAME} .title {{ font-weight: bold }}
.{NAME} .kernel {{ font-weight: bold; font-size: 15px }}
.{NAME} .note {{ fill: #57606a }}
.{NAME} .page {{ fill: #ffffff }}
.{NAME} .block {{ fill: none; stroke: #d0d7de }}
.{NAME} path {{ fill: none; stroke: #57606a; stroke-width: 1.2 }}
.{NAME} .arrow {{ marker-end: url(#{NAME}-tip) }}
.{NAME} marker path {{ fill: #57606a; stroke: none }}
.{NAME} rect {{ stroke-width: 1.2 }}
.{NAME} .TENSOR {{ fill: #f6f8fa; stroke: #1b1f24 }}
.{NAME} .PER_ELEMENT {{ fill: #dcebf9; stroke: #1f5a94 }}
.{NAME} .SHARED {{ fill: #fdebcf; stroke: #9a5b00 }}
.{NAME} .COMPUTED {{ fill: #ffffff; stroke: #1b1f24; stroke-dasharray: 4 2 }}
.{NAME} .SUMMED {{ fill: #ffffff; stroke: #8c959f }}
.{NAME} .FREE {{ fill: #32383f; stroke: #32383f }}
.{NAME} .of-FREE {{ fill: #ffffff }}
.{NAME} .PRODUCT {{ fill: #f3f4f6; stroke: #57606a }}
.{NAME} .RESULT {{ fill: #d7f0de; stroke: #116329; stroke-width: 2 }}
"""
"""Colours that differ in lightness as well, so that they are told apart without seeing colours."""


def svg(page: Page) -> str:
    """The page; equal pages have equal texts."""
    width, height = page.size
    scale = max(SMALLEST, min(1.0, A3[0] / width, A3[1] / height))
    root = Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {_pixels(width)} {_pixels(height)}")
    root.set("width", _pixels(width * scale))
    root.set("height", _pixels(height * scale))
    root.set("class", NAME)
    SubElement(root, "style").text = STYLE
    tip = SubElement(
        root, "marker", id=f"{NAME}-tip", markerWidth="7", markerHeight="7", refX="7", refY="3.5", orient="auto"
    )
    SubElement(tip, "path", d="M0,0 L7,3.5 L0,7 z")
    SubElement(root, "rect", {"class": "page", "width": "100%", "height": "100%"})
    for sheet in page.sheets:
        _sheet(root, sheet)
    _legend(root, page)
    indent(root)
    return tostring(root, encoding="unicode") + "\n"


def _sheet(root: Element, sheet: PlacedSheet) -> None:
    x, y = sheet.corner
    _text(root, (x, y + LINE), sheet.title, "kernel")
    for number, note in enumerate(sheet.notes, start=2):
        _text(root, (x, y + number * LINE), note, "note")
    for block in sheet.blocks:
        _block(root, block)


def _block(root: Element, block: PlacedBlock) -> None:
    x, y = block.corner
    _rectangle(root, block.corner, block.size, "block", 6)
    indent_by = text_width(f"{block.number}  ")
    _text(root, (x + 10, y + 6 + LINE), str(block.number), "note")
    for number, line in enumerate(block.title):
        _text(root, (x + 10 + indent_by, y + 6 + (number + 1) * LINE), line, "title")
    for number, note in enumerate(block.notes, start=len(block.title)):
        _text(root, (x + 10, y + 6 + (number + 1) * LINE), note, "note")
    for each in block.diagrams:
        _diagram(root, each)


def _diagram(root: Element, placed: PlacedDiagram) -> None:
    """Lines first: nodes cover their ends."""
    x, y = placed.corner
    if placed.diagram.caption:
        _text(root, (x, y - 4), placed.diagram.caption, "note")
    for line in placed.layout.lines:
        way = SubElement(root, "path", d=_way(line, placed.corner))
        if placed.diagram.has_arrows:
            way.set("class", "arrow")
    for node, (across, down) in zip(placed.diagram.nodes, placed.layout.centres, strict=True):
        _node(root, node, (x + across, y + down))


def _node(root: Element, node: DrawnNode, centre: Point) -> None:
    (width, height), (x, y) = node_size(node), centre
    radius = height / 2 if node.kind.is_index else 3
    _rectangle(root, (x - width / 2, y - height / 2), (width, height), node.kind.name, radius)
    first = y - (len(node.lines) - 1) * LINE / 2 + FONT * 0.35
    for number, line in enumerate(node.lines):
        _text(root, (x, first + number * LINE), line, f"node of-{node.kind.name}")


def _way(line: Line, corner: Point) -> str:
    (first, *others) = [f"{_pixels(x + corner[0])},{_pixels(y + corner[1])}" for x, y in line.points]
    return f"M{first} {'C' if line.is_curve else 'L'}{' '.join(others)}"


# -- the legend --------------------------------------------------------------------------------------------------------


def _legend(root: Element, page: Page) -> None:
    top = page.size[1] - MARGIN - len(page.legend) * LINE
    for row in page.legend:
        for kind, left in row:
            _rectangle(root, (MARGIN + left, top), (16, 12), kind.name, 6 if kind.is_index else 3)
            _text(root, (MARGIN + left + SWATCH, top + 10), kind.value, "note")
        top += LINE


# -- elements ----------------------------------------------------------------------------------------------------------


def _rectangle(root: Element, corner: Point, size: tuple[float, float], kind: str, radius: float) -> None:
    sides = {"x": corner[0], "y": corner[1], "width": size[0], "height": size[1], "rx": radius}
    SubElement(root, "rect", {"class": kind} | {name: _pixels(value) for name, value in sides.items()})


def _text(root: Element, place: Point, text: str, kind: str) -> None:
    SubElement(root, "text", {"class": kind, "x": _pixels(place[0]), "y": _pixels(place[1])}).text = text


def _pixels(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
