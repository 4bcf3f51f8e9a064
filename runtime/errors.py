"""Errors of drivers in our words: nobody sees an exception of pyopencl."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.runtime.opencl import cl


def failure(code: str, message: str, notes: tuple[str, ...] = ()) -> CompileError:
    """One mistake as an exception."""
    return CompileError([Diagnostic(code, message, notes=notes)])


def driver_failure(code: str, what: str, error: cl.Error, notes: tuple[str, ...] = ()) -> CompileError:
    """An error of the driver as `error[code]: {what}: {the driver's words}`."""
    return failure(code, f"{what}: {str(error).splitlines()[0]}", notes)


@dataclass(frozen=True, slots=True)
class _DriverErrors:
    """Not a generator, which takes a microsecond each time, and launches have several."""

    code: str
    what: str

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, cl.Error):
            raise driver_failure(self.code, self.what, error) from None


def driver_errors(code: str, what: str) -> AbstractContextManager[None]:
    """Turn an error of the driver inside the block into `error[code]: {what}: {the driver's words}`."""
    return _DriverErrors(code, what)


@contextmanager
def allocating(what: str) -> Iterator[None]:
    """Turn a lack of memory, or sizes beyond all memory, inside the block into an error that says for what."""
    try:
        yield
    except (MemoryError, OverflowError, ValueError):  # NumPy has three ways to say it
        raise failure("E0516", f"this machine has no memory for {what}") from None
