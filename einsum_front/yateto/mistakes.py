"""Mistakes of a script, raised where it makes them."""

from einsum_front.core.diagnostics import CompileError, Diagnostic


def rejected(code: str, message: str, *notes: str) -> CompileError:
    """The error of one mistake; the kind of exception follows from its code."""
    return CompileError([Diagnostic(code, message, notes=notes)])
