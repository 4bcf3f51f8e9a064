"""What a peer is."""

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.arguments import Arguments
from benchmarks.case import Case
from benchmarks.measure import Runner


@dataclass(frozen=True, slots=True)
class Peer:
    """A library to compare with.

    `why_missing` says why this machine cannot use it, None if it can. `prepare` gives a runner on the arguments with so
    many threads (or what the library takes for itself, if it has no such setting), None if the case is not for it.
    """

    name: str
    why_missing: Callable[[], str | None]
    prepare: Callable[[Case, Arguments, int], Runner | None]


def nothing_missing() -> None:
    """For peers that are always there."""
