"""What computes an index string: remembered by the process, stored on disk, or made.

A process that finds its kernels on disk loads neither the planner nor the languages. An entry is found by all that it
depends on: the string and its extents, element type, schedule and path, the device with its driver, the processor, the
sources of this package, and what was measured with `tune`.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from math import prod
from typing import Any, cast

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError
from einsum_front.index_string.program import IndexString, StringKernel
from einsum_front.index_string.steps import Positions, StringStep, step_from_value, step_value
from einsum_front.options import ScheduleOptions
from einsum_front.runtime import (
    CudaKernel,
    Device,
    Kernel,
    as_value,
    find_device,
    from_value,
    processor_instructions,
    short_calls_in_c,
    sources_key,
    stored_kernels,
    tuned_key,
)
from einsum_front.runtime.artifact import Artifact

Way = Kernel | CudaKernel | tuple[StringStep, ...]
"""A kernel for the whole string, or its steps, each with a kernel of its own."""


CUDA = "cuda:"
"""In front of the architecture of a GPU."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The device, the schedules and the order of the products (None: the planner's) that the caller wants.

    A device with `CUDA` in front is an architecture: for arrays that OpenCL has no way to.
    """

    device: str
    schedules: ScheduleOptions
    path: Positions | None


SHORT_MULTIPLICATIONS, SHORT_ENTRIES = 2**20, 2**19
"""Up to so many, of all indices together and of all arrays, device `c` is done before the threads of an OpenCL driver
have woken up and shared the work: decision 80."""

MOST_WAYS = 16_384
"""Kernels of a process that are not looked for again."""

FROM_COMPILER = "E0613", "E0615"
"""What goes wrong with a compiler of C, not with a call."""

_given_up: list[CompileError] = []


def short_choice(string: IndexString, choice: Choice) -> Choice:
    """Device `c` for short calls that leave the device to us, if it is the same processor; else the choice itself."""
    if choice.device != "auto" or choice.schedules != ScheduleOptions() or _given_up or not short_calls_in_c():
        return choice
    terms = (*string.kernel.subscripts.operands, string.kernel.subscripts.output)
    entries = sum(prod(string.extents[name] for name in term.names) for term in terms)
    is_short = entries <= SHORT_ENTRIES and prod(string.extents.values()) <= SHORT_MULTIPLICATIONS
    return replace(choice, device="c") if is_short else choice


def gives_up_c(error: CompileError) -> bool:
    """True if the compiler of C has failed: from now on, short calls go where all others go."""
    if all(each.code in FROM_COMPILER for each in error.diagnostics):
        _given_up.append(error)
    return bool(_given_up)


def is_stored(kernel: StringKernel, real: str, choice: Choice) -> bool:
    """True if `find_way` finds it on disk, as far as its name says."""
    stored = stored_kernels()
    return stored is not None and stored.cache.path(key_of(kernel, real, find_device(choice.device), choice)).exists()


@lru_cache(maxsize=MOST_WAYS)
def find_way(kernel: StringKernel, real: str, choice: Choice) -> Way:
    """One kernel for the whole string and for every batch, or its steps; raises what compiling raises."""
    if choice.device.startswith(CUDA):
        from einsum_front.index_string.make import make_cuda_way  # noqa: PLC0415 - it loads the compiler

        return make_cuda_way(kernel, real, choice.device.removeprefix(CUDA), choice.schedules, choice.path)
    device = find_device(choice.device)
    stored = None if choice.schedules.tune else stored_kernels()
    key = "" if stored is None else key_of(kernel, real, device, choice)
    found = None if stored is None else _from_value(stored.find(key))
    if found is None:
        from einsum_front.index_string.make import make_way  # noqa: PLC0415 - it loads the compiler

        found = make_way(kernel, real, device, choice.schedules, choice.path)
        value = _as_value(found)
        if stored is not None and value is not None:
            stored.keep(key, value)
    if not isinstance(found, Artifact):
        return found
    return Kernel(found, device, overwritten=frozenset({kernel.output.name}))


def key_of(kernel: StringKernel, real: str, device: Device, choice: Choice) -> str:
    """Everything that a way depends on, as text; the number of a device does not matter."""
    extents = [[(mode.extent, mode.is_stretched) for mode in each.modes] for each in (*kernel.operands, kernel.output)]
    batched = [each.is_batched for each in kernel.operands]
    terms = [term.names for term in (*kernel.subscripts.operands, kernel.subscripts.output)]
    about = {
        "string": kernel.subscripts.operands[0].span.source.text,
        "terms": terms,
        "extents": extents,
        "batched": batched,
        "batch": kernel.has_batch_index,
        "type": real,
        "schedule": choice.schedules.schedule,
        "path": choice.path,
        "device": replace(device.facts, number=0),
        "processor": sorted(processor_instructions()),
        "sources": sources_key(),
        "tuned": tuned_key(),
    }
    return "\n".join(f"{name}: {value!r}" for name, value in about.items())


def _as_value(way: Artifact | tuple[StringStep, ...]) -> Mapping[str, object] | None:
    if isinstance(way, Artifact):
        artifact = as_value(way)
        return None if artifact is None else {"artifact": artifact}
    return {"steps": [step_value(step) for step in way]}


def _from_value(value: object) -> Artifact | tuple[StringStep, ...] | None:
    """The way of an entry; None if it is none."""
    if value is None:
        return None
    try:
        entry = cast("Mapping[str, Any]", value)
        if "steps" in entry:
            return tuple(step_from_value(step) for step in entry["steps"])
        return from_value(entry["artifact"])
    except (KeyError, TypeError, ValueError):
        return None
