"""Errors of one rank, on all ranks."""

from collections.abc import Iterator
from contextlib import contextmanager

from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.ranks.communicator import Communicator

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
