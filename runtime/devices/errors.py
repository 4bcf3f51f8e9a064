"""Errors of launches as values: one mistake each."""

from collections.abc import Iterator
from contextlib import contextmanager

from einsum_front.core.diagnostics import CompileError, Diagnostic


def failure(code: str, message: str, notes: tuple[str, ...] = ()) -> CompileError:
    """One mistake as an exception."""
    return CompileError([Diagnostic(code, message, notes=notes)])


@contextmanager
def allocating(what: str) -> Iterator[None]:
    """Turn a lack of memory, or sizes beyond all memory, inside the block into an error that says for what."""
    try:
        yield
    except (MemoryError, OverflowError, ValueError):  # NumPy has three ways to say it
        raise failure("E0516", f"this machine has no memory for {what}") from None
