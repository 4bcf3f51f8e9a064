"""Errors of drivers in our words: nobody sees an exception of pyopencl."""

from contextlib import AbstractContextManager

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError
from einsum_front.runtime.devices.errors import failure
from einsum_front.runtime.devices.opencl import cl


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
