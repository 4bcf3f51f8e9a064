"""What we need of a communicator of mpi4py, and one for a process that is alone."""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast


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
