"""Drawings as the contents of files: SVG, PNG and the language of Graphviz."""

from collections.abc import Sequence

from einsum_front import ir
from einsum_front.drawing.dot import dot
from einsum_front.drawing.layout import Engine, engine
from einsum_front.drawing.page import arranged
from einsum_front.drawing.png import png
from einsum_front.drawing.svg import svg

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
