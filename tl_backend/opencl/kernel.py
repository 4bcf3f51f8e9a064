"""File that every schedule makes of a function: its last functions are the kernel; and the geometry of its launches."""

from hashlib import sha256
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import features_of_file, features_of_function
from einsum_front.tl_backend.kernel.types import AddressSpace
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.opencl.transpose import TRANSPOSE_NAMES


@dataclass(frozen=True, slots=True)
class Kernel:
    """The code of a kernel and the geometry of its launch: fields as those of the artifact.

    `local_memory` and `scratch` are bytes of a work-group. A kernel of several `stages` is as many functions with the
    same parameters, launched one after the other. `close` are pairs of modes of arguments that follow each other:
    the launch sees to that.
    `spared` are arguments whose declared zeros it neither reads nor writes.
    """

    file: tree.File
    work_group_size: tuple[int, int] = (1, 1)
    local_memory: int = 0
    elements_per_group: int = 1
    groups_per_element: int = 1
    scratch: Extent = 0
    stages: int = 1
    close: tuple[tuple[str, tuple[int, int]], ...] = ()
    spared: frozenset[str] = frozenset()

    @property
    def entries(self) -> tuple[str, ...]:
        """The names of the functions that are launched, in their order."""
        return tuple(function.name for function in self.file.functions[-self.stages :])

    @property
    def private_bytes(self) -> int:
        """Of all arrays of the work-items of a group, in the function that has most; none calls another with many."""
        found = (each.get(features_of_function).bytes_in(AddressSpace.PRIVATE) for each in self.file.functions)
        return max(found, default=0) * prod(self.work_group_size)


DIGITS = 12
"""Hexadecimal digits of a name: two of a million functions are the same by chance once in 500 programs."""


def routine_name(parameters: tuple[tree.Parameter, ...], body: tree.Statements) -> str:
    """The name of a function that several kernels may share: functions of one name do the same."""
    return f"product_{sha256(repr((parameters, body)).encode()).hexdigest()[:DIGITS]}"


def free_names(target: Target, taken: frozenset[str]) -> Names:
    """Names for a file that is merged with one that defines those taken; helpers are called the same in both."""
    ending = target.language.ending
    called = {name + ending for name in (*TRANSPOSE_NAMES, "transpose") if ending}
    return Names(target.language.reserved | TRANSPOSE_NAMES | called | taken)


def defined(file: tree.File) -> frozenset[str]:
    """The names that a file defines."""
    return frozenset({*(each.name for each in file.functions), *(each.name for each in file.tables)})


def named(file: tree.File) -> frozenset[str]:
    """All names of a file, those inside of its functions too."""
    parameters = (each.name for function in file.functions for each in function.parameters)
    return frozenset({*defined(file), *parameters, *features_of_file(file).declared})


def merged(first: tree.File, second: tree.File) -> tree.File:
    """The functions of both, those of the second last: a kernel and what runs before it.

    They may call the same helpers; what both have stands there once. The first line says what the second is, the next
    what the first is.
    """
    entry = first.functions[-1].name
    return tree.File(
        tuple(dict.fromkeys((*first.functions, *second.functions))),
        (*second.comment, *(f"before each launch, `{entry}`: {text}" for text in first.comment)),
        tuple(dict.fromkeys((*first.tables, *second.tables))),
    )
