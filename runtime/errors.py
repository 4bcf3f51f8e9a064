"""What drivers report, said in our words: nobody sees an exception of pyopencl."""

from collections.abc import Iterator
from contextlib import contextmanager

import pyopencl as cl

from diagnostics import CompileError, Diagnostic


def failure(code: str, message: str, notes: tuple[str, ...] = ()) -> CompileError:
    """One mistake as an exception."""
    return CompileError([Diagnostic(code, message, notes=notes)])


@contextmanager
def driver_errors(code: str, what: str, notes: tuple[str, ...] = ()) -> Iterator[None]:
    """Turn an error of the driver inside the block into `error[code]: {what}: {the driver's words}`."""
    try:
        yield
    except cl.Error as error:
        words = str(error).splitlines()[0]
        raise failure(code, f"{what}: {words}", notes) from None


@contextmanager
def allocating(what: str) -> Iterator[None]:
    """Turn a lack of memory, or sizes beyond all memory, inside the block into an error that says for what."""
    try:
        yield
    except (MemoryError, OverflowError, ValueError):  # NumPy has three ways to say it
        raise failure("E0516", f"this machine has no memory for {what}") from None
