"""Drawings of kernels as files: `ir` says what is drawn, an engine where it stands, and the rest is paper and ink."""

from typing import TYPE_CHECKING

from einsum_front.core.facade import facade

if TYPE_CHECKING:
    from einsum_front.drawing.file import SUFFIXES as SUFFIXES
    from einsum_front.drawing.file import file_of as file_of
    from einsum_front.drawing.file import svg_of as svg_of

__getattr__, __dir__, __all__ = facade(__name__, {".file": ("SUFFIXES", "file_of", "svg_of")})
