"""What every form makes of a function: a file whose last function is the kernel, and the geometry of its launch."""

from dataclasses import dataclass

from einsum_front.tl_backend.kernel.tree import File
from einsum_front.tl_backend.opencl.names import Names
from einsum_front.tl_backend.opencl.transpose import TRANSPOSE_NAMES
from einsum_front.tl_backend.targets import opencl


@dataclass(frozen=True, slots=True)
class Kernel:
    """The code of a kernel and the geometry of its launch: fields as those of the artifact.

    `local_memory` and `scratch` are bytes of a work-group.
    """

    file: File
    work_group_size: tuple[int, int] = (1, 1)
    local_memory: int = 0
    elements_per_group: int = 1
    groups_per_element: int = 1
    scratch: int = 0


def free_names(taken: frozenset[str]) -> Names:
    """Names for a file that is merged with one that defines those taken; helpers are called the same in both."""
    return Names(opencl.NAMES | TRANSPOSE_NAMES | taken)


def defined(file: File) -> frozenset[str]:
    """The names that a file defines."""
    return frozenset({*(each.name for each in file.functions), *(each.name for each in file.tables)})


def merged(first: File, second: File) -> File:
    """The functions of both, those of the second last: a kernel and what runs before it.

    They may call the same helpers; what both have stands there once. The first line says what the second is, the next
    what the first is.
    """
    entry = first.functions[-1].name
    return File(
        tuple(dict.fromkeys((*first.functions, *second.functions))),
        (*second.comment, *(f"before each launch, `{entry}`: {text}" for text in first.comment)),
        tuple(dict.fromkeys((*first.tables, *second.tables))),
    )
