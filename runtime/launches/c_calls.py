"""Kernels in C as functions of this process: what is written around them, and how they are called.

    void einsum_front_run(const einsum_front_value *given, int64_t groups, int64_t threads)

runs all groups of a call. `given` are the arguments of the calling convention, eight bytes each. It begins on the
calling thread, and wakes others when it knows that this takes longer than waking them: small calls stay small.
"""

import ctypes
import os
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from struct import Struct
from typing import cast

from einsum_front.runtime.arrays.signature import NUMBERS, KernelArgument, kernel_arguments
from einsum_front.runtime.artifact import Artifact
from einsum_front.runtime.devices.c_compiler import library
from einsum_front.runtime.devices.facts import DeviceFacts

WORTH_WAKING = 80_000
"""Nanoseconds of work that is left, from which on other threads share it. To wake one and wait for it takes 5
microseconds if it has just worked, and 130 if it sleeps (AMD Zen 5, two cores of a virtual machine): decision 80."""

TYPES = {
    "i1": ("_Bool", "?7x"),
    "i8": ("int8_t", "b7x"),
    "i16": ("int16_t", "h6x"),
    "i32": ("int32_t", "i4x"),
    "i64": ("int64_t", "q"),
    "u8": ("uint8_t", "B7x"),
    "u16": ("uint16_t", "H6x"),
    "u32": ("uint32_t", "I4x"),
    "u64": ("uint64_t", "Q"),
    "f32": ("float", "f4x"),
    "f64": ("double", "d"),
}
"""Numbers in C, and how `struct` packs them into eight bytes."""

ADDRESS = "Q"

CHUNKS = 8
"""Parts that each thread takes one after the other, if others do not take them: a thread that the system has stopped
keeps the others waiting for one of them only."""

AROUND = """
#include <stdint.h>
#include <time.h>

typedef union {
    void *memory;
    @members@
} einsum_front_value;

static inline int64_t einsum_front_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}
"""

RUN = """
void einsum_front_@role@(const einsum_front_value *given, int64_t groups, int64_t threads)
{
    int64_t group = 0;
#ifdef _OPENMP
    if (threads > 1 && groups > 1) {
        const int64_t start = einsum_front_now();
        for (int64_t next = @first@; group < groups; next *= 2) {
            const int64_t end = next < groups - group ? group + next : groups;
            for (; group < end; ++group)
                @call@;
            if ((einsum_front_now() - start) * (double)(groups - group) >= @worth@.0 * (double)group)
                break;
        }
        if (group < groups) {
            const int64_t chunk = 1 + (groups - group) / (threads * @chunks@);
#pragma omp parallel for schedule(dynamic, chunk) num_threads((int)threads)
            for (int64_t other = group; other < groups; ++other)
                @other_call@;
        }
        return;
    }
#endif
    (void)threads;
    for (; group < groups; ++group)
        @call@;
}
"""

Call = Callable[[bytes, int, int], None]
"""The arguments as they are packed, the number of groups, and that of threads."""

_is_child = False


def _after_fork() -> None:
    global _is_child  # noqa: PLW0603 - a fact about the process
    _is_child = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
    # GNU's OpenMP waits for threads that stayed in the parent


def source_of(artifact: Artifact) -> str:
    """The whole text: the kernel, and the functions that are called from here."""
    members = "\n    ".join(f"{type_} {name};" for name, (type_, _) in TYPES.items())
    parts = [artifact.source.rstrip("\n"), AROUND.replace("@members@", members)]
    parts += [_run(each, role) for role, each in _roles(artifact)]
    return "".join(f"{part}\n" for part in parts)


def _roles(artifact: Artifact) -> Iterator[tuple[str, Artifact]]:
    yield "run", artifact
    if artifact.prologue is not None:
        yield "prologue", artifact.prologue


def _run(artifact: Artifact, role: str) -> str:
    given = [
        f"given[{place}].{_type(each) if each.kind in NUMBERS else 'memory'}"
        for place, each in enumerate(kernel_arguments(artifact))
    ]
    text = RUN.replace("@role@", role).replace("@worth@", str(WORTH_WAKING)).replace("@chunks@", str(CHUNKS))
    text = text.replace("@first@", "0" if artifact.scratch else "1")
    for name in ("other", "group"):
        arguments = ", ".join((name, "groups", *given))
        text = text.replace("@other_call@" if name == "other" else "@call@", f"{artifact.entry}({arguments})")
    return text


def _type(argument: KernelArgument) -> str:
    return "i64" if argument.type == "index" else argument.type


class CFunctions:
    """A kernel for a device, and its prologue if it has one; built when it is first called."""

    def __init__(self, artifact: Artifact, facts: DeviceFacts) -> None:
        self._artifact = artifact
        self._facts = facts
        self.arguments = kernel_arguments(artifact)
        self.packed = packed(self.arguments)
        self.elements_per_group = artifact.elements_per_group
        self.groups_per_element = artifact.groups_per_element

    @cached_property
    def _library(self) -> ctypes.CDLL:
        features = () if self._facts.instruction_set is None else self._facts.instruction_set.features
        made = library(source_of(self._artifact), tuple(f"-m{feature}" for feature in features))
        for role, _ in _roles(self._artifact):
            function = made.functions[f"einsum_front_{role}"]
            function.argtypes = (ctypes.c_char_p, ctypes.c_int64, ctypes.c_int64)
            function.restype = None
        return made.functions

    @cached_property
    def run(self) -> Call:
        """The function of the kernel. Raises CompileError if it cannot be built (E0613, E0615)."""
        return cast("Call", self._library["einsum_front_run"])

    @cached_property
    def prologue(self) -> Call:
        """The function of the prologue; errors as for `run`."""
        return cast("Call", self._library["einsum_front_prologue"])

    def groups(self, elements: int) -> int:
        """Calls of the kernel for so many of the language's groups."""
        groups = -(-elements // self.elements_per_group) * self.groups_per_element
        return min(groups, self._facts.compute_units) if self._artifact.scratch else groups

    @property
    def threads(self) -> int:
        """Threads that a call may have."""
        return 1 if _is_child else self._facts.compute_units


def packed(arguments: Sequence[KernelArgument]) -> Struct:
    """How the arguments become eight bytes each."""
    return Struct("=" + "".join(TYPES[_type(each)][1] if each.kind in NUMBERS else ADDRESS for each in arguments))
