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
