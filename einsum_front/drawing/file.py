"""Drawings as the contents of files: SVG, PNG and the language of Graphviz."""

from collections.abc import Iterable, Iterator, Sequence

from einsum_front import ir
from einsum_front.core.optional import needed
from einsum_front.drawing.layout import Engine, engine
from einsum_front.drawing.page import arranged
from einsum_front.drawing.svg import svg
from einsum_front.ir import Block, Diagram, DrawnKind, DrawnNode, Sheet

SUFFIXES = (".svg", ".png", ".dot")
"""The files that drawings are written to."""


def svg_of(sheets: Sequence[ir.Sheet], place: Engine | None = None) -> str:
    """The sheets as one SVG text, laid out by `place`, or by the best engine that there is."""
    return svg(arranged(sheets, place or engine()))


def file_of(sheets: Sequence[ir.Sheet], suffix: str) -> bytes:
    """The sheets as the contents of a file with one of `SUFFIXES`.

    Raises `CompileError` (E0116) for a PNG where the library that makes it is missing.
    """
    if suffix == ".dot":
        return dot(sheets).encode()
    text = svg_of(sheets)
    return png(text) if suffix == ".png" else text.encode()


# -- SVG as PNG, by resvg: a library of its own, the extra `draw` ------------------------------------------------------

SHARPNESS = 2.0
"""Pixels of the file for a pixel of the drawing: sharp on paper and on screens of today."""


def png(svg: str) -> bytes:
    """The drawing as PNG. Raises `CompileError` (E0116) if resvg_py is not installed."""
    resvg = needed("resvg_py", "a drawing as PNG", "`.svg` and `.dot` do without")
    return bytes(resvg.svg_to_bytes(svg_string=svg, zoom=SHARPNESS))


# -- the drawings in the language of Graphviz, for those who want another layout ---------------------------------------
# A frame for each statement.

SHAPES = {DrawnKind.SUMMED: "shape=oval", DrawnKind.FREE: "shape=oval, style=filled, fillcolor=gray25, fontcolor=white"}


def dot(sheets: Iterable[Sheet]) -> str:
    """All sheets as one graph; equal sheets have equal texts."""
    lines = ["digraph {", "  rankdir=LR", "  node [shape=box, fontname=monospace]", "  graph [fontname=monospace]"]
    for number, sheet in enumerate(sheets):
        lines += [f"  subgraph cluster_{number} {{", f"    label={_quoted(sheet.title)}"]
        for block in sheet.blocks:
            lines += _block(block, f"{number}_{block.number}")
        lines += ["  }"]
    return "\n".join([*lines, "}"]) + "\n"


def _block(block: Block, name: str) -> Iterator[str]:
    yield f"    subgraph cluster_{name} {{"
    yield f"      label={_quoted(f'{block.number}  {block.title}')}"
    for number, diagram in enumerate(block.diagrams):
        yield from (f"      {line}" for line in _diagram(diagram, f"n{name}_{number}"))
    yield "    }"


def _diagram(diagram: Diagram, name: str) -> Iterator[str]:
    yield from (f"{name}_{number} [{_attributes(node)}]" for number, node in enumerate(diagram.nodes))
    way = "" if diagram.has_arrows else " [dir=none]"
    yield from (f"{name}_{start} -> {name}_{end}{way}" for start, end in diagram.edges)


def _attributes(node: DrawnNode) -> str:
    label = f"label={_quoted(chr(10).join(node.lines))}"
    return f"{label}, {SHAPES[node.kind]}" if node.kind in SHAPES else label


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
