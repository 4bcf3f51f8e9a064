"""What we need of a communicator of mpi4py, and one for a process that is alone."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast

from einsum_front.core.diagnostics import CompileError, Diagnostic


class Request(Protocol):
    """A message that is under way."""

    def Wait(self) -> object:  # noqa: N802 - mpi4py's name
        """Return when the buffer of the message may be used again."""


class Communicator(Protocol):
    """The part of `mpi4py.MPI.Comm` that is used here. Lower case sends objects, upper case the memory of arrays."""

    @property
    def rank(self) -> int:
        """The number of this process."""

    @property
    def size(self) -> int:
        """The number of processes."""

    def allgather(self, sendobj: Any) -> list[Any]:
        """The objects of all ranks, in the order of ranks."""

    def alltoall(self, sendobj: Sequence[Any]) -> list[Any]:
        """One object for each rank; returns one from each rank."""

    def Isend(self, buf: Any, dest: int, tag: int = 0) -> Request:  # noqa: N802 - mpi4py's name
        """Start to send an array."""

    def Irecv(self, buf: Any, source: int, tag: int = 0) -> Request:  # noqa: N802 - mpi4py's name
        """Start to receive into an array."""


class Alone:
    """One process without MPI: it exchanges objects with itself, and no messages."""

    rank = 0
    size = 1

    def allgather(self, sendobj: Any) -> list[Any]:
        """The object."""
        return [sendobj]

    def alltoall(self, sendobj: Sequence[Any]) -> list[Any]:
        """The objects."""
        return list(sendobj)

    def Isend(self, buf: Any, dest: int, tag: int = 0) -> Request:  # noqa: N802 - mpi4py's name
        """There is nobody to send to: `Halo` has no message for the rank itself."""
        raise NotImplementedError

    def Irecv(self, buf: Any, source: int, tag: int = 0) -> Request:  # noqa: N802 - mpi4py's name
        """There is nobody to receive from."""
        raise NotImplementedError


def world() -> Communicator:
    """All processes of the job (`MPI.COMM_WORLD`); without mpi4py this process alone."""
    if find_spec("mpi4py") is None:
        return Alone()
    return cast("Communicator", import_module("mpi4py.MPI").COMM_WORLD)


# -- errors of one rank, on all ranks ----------------------------------------------------------------------------------

TOLD = 8
"""Failed ranks whose words are in an error."""


@contextmanager
def together(comm: Communicator, what: str) -> Iterator[None]:
    """Run the block on all ranks, and leave it together: if it fails on one, it fails on all.

    A rank whose block failed raises its own error. All others raise `CompileError` (E0638), which names the ranks that
    failed and quotes them, so that no rank waits for one that is gone. All ranks of `comm` must come here. The block
    itself must not exchange anything: a rank that failed would not take part. `what` says what the block
    does, as in "compiling".
    """
    failure: Exception | None = None
    try:
        yield
    except Exception as error:  # raised again behind the exchange
        failure = error
    told = comm.allgather(None if failure is None else _words(failure))
    if failure is not None:
        raise failure
    failed = [(rank, words) for rank, words in enumerate(told) if words is not None]
    if failed:
        names = ", ".join(str(rank) for rank, _ in failed[:TOLD]) + (" and others" if len(failed) > TOLD else "")
        message = f"{what} failed on {'rank' if len(failed) == 1 else 'ranks'} {names} of {comm.size}"
        notes = tuple(f"rank {rank}: {words}" for rank, words in failed[:TOLD])
        raise CompileError([Diagnostic("E0638", message, notes=notes)])


def _words(error: Exception) -> str:
    """The first line of an error of ours, which is its message; the type and the message of another."""
    lines = str(error).strip().splitlines()
    if isinstance(error, CompileError) and lines:
        return lines[0]
    return ": ".join((type(error).__name__, *lines[:1]))
