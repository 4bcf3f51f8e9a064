"""SVG as PNG, by resvg: a library of its own, the extra `draw`."""

from importlib import import_module

from einsum_front.core.diagnostics import CompileError, Diagnostic

SHARPNESS = 2.0
"""Pixels of the file for a pixel of the drawing: sharp on paper and on screens of today."""


def png(svg: str) -> bytes:
    """The drawing as PNG. Raises `CompileError` (E0116) if resvg_py is not installed."""
    try:
        resvg = import_module("resvg_py")
    except ImportError:
        notes = ("`pip install einsum-front[draw]` brings it", "`.svg` and `.dot` need nothing")
        raise CompileError(
            [Diagnostic("E0116", "a drawing as PNG is made by resvg_py, which is not installed", notes=notes)]
        ) from None
    return bytes(resvg.svg_to_bytes(svg_string=svg, zoom=SHARPNESS))
