"""Results of the scripts of a run, for the command that runs them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path

from einsum_front.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class GeneratedKernel:
    """A kernel of a script: its name in C++ and in the program, for which target, and of how many statements."""

    name: str
    called: str
    target: str
    statements: int


@dataclass(frozen=True, slots=True)
class Generated:
    """Result of a call of `Generator.generate`: the program in `path`, whose patterns are beside it."""

    namespace: str
    path: Path
    kernels: tuple[GeneratedKernel, ...]


Chosen = list[tuple[Generated, list[GeneratedKernel]]]
"""Programs, each with those of its kernels that are asked for."""


@dataclass(slots=True)
class Session:
    """One run of a script; `promises_values` is whether memory holds the numbers of tensors with values."""

    promises_values: bool = False
    generated: list[Generated] = field(default_factory=list)


_sessions = [Session()]


def current() -> Session:
    """The session that what is generated belongs to."""
    return _sessions[-1]


@contextmanager
def session(*, promises_values: bool) -> Iterator[Session]:
    """A session of its own."""
    _sessions.append(Session(promises_values))
    try:
        yield _sessions[-1]
    finally:
        _sessions.pop()
