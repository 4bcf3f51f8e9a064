"""What a contraction graph cannot say."""

from einsum_front.core.diagnostics import CompileError, Origin
from einsum_front.core.diagnostics.diagnostic import mistake


def refused(message: str, origin: Origin, *notes: str, code: str = "E0826") -> CompileError:
    """An error at a place: by default, that a graph has no such operation."""
    return CompileError([mistake(code, message, origin, notes=notes)])
