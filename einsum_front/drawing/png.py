"""SVG as PNG, by resvg: a library of its own, the extra `draw`."""

from einsum_front.core.optional import needed

SHARPNESS = 2.0
"""Pixels of the file for a pixel of the drawing: sharp on paper and on screens of today."""


def png(svg: str) -> bytes:
    """The drawing as PNG. Raises `CompileError` (E0116) if resvg_py is not installed."""
    resvg = needed("resvg_py", "a drawing as PNG", "`.svg` and `.dot` do without")
    return bytes(resvg.svg_to_bytes(svg_string=svg, zoom=SHARPNESS))
