"""The schedules that a function can have are measured on a device; only those count that compute what they should.

All run on the same random arguments, taking turns, in two batches: one that stays in the caches and one that does not.
"""

from collections.abc import Callable

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, CompilerBug
from einsum_front.data import Given, element_bytes, has_one_for_each, has_unnamed_size, likely_sizes, random_arguments
from einsum_front.driver.differences import largest_error
from einsum_front.driver.measurements import Measurement, Row
from einsum_front.driver.stages import Decision, Stages, ready
from einsum_front.driver.verification import arrays, copies, groups, levels, tolerance
from einsum_front.options import Level
from einsum_front.runtime import Device, Kernel, measure_in_turns
from einsum_front.runtime.artifact import Artifact
from einsum_front.tl_backend import Target, Tuning, candidates, first_choice, operations
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.program import Function

SEED = 0
TURNS = 9

FAR_BYTES, UNIT_BYTES = 64 * 1024 * 1024, 4 * 1024 * 1024
"""Bytes of a batch that does not stay in most caches, and what it has at least for each compute unit."""

NEARER = 8
"""The other batch has so many times fewer: caches that cores of a CPU share hold it, and no core is without work."""

PARTS = 4
"""Each candidate may have a copy of the batch; all of them take no more than one of so many parts of the memory."""

MOST_OPERATIONS = 2**27
"""Operations of a compute unit in a batch: some hundredths of a second for a core of a CPU."""

BEYOND = 3
"""Elements more than the last full block, so that results of a part of one are checked as well."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A schedule with its parameters, and the kernel that it gives."""

    tuning: Tuning
    artifact: Artifact


def measure_candidates(
    function: Function, target: Target, device: Device, trying: Callable[[str], None]
) -> Measurement:
    """Measures what the function can have on the device that the target describes; `trying` hears what takes long.

    A candidate with another result than the interpreter is a `CompilerBug`. Raises `CompileError` if the device fails
    or if the function does not fit it. Sizes are their hints;
    a function with sizes that have no name has one candidate.
    """
    possible = possible_candidates(function, target)
    has_open_sizes = any(has_unnamed_size(array) for array in arrays(possible[0].artifact))
    chosen = possible[:1] if has_open_sizes else possible
    if len(chosen) == 1:
        return Measurement(function.name, device.facts.description, (), (Row(chosen[0].tuning, ()),))
    _check(function, target, chosen, device, trying)
    batches = _batches(function, chosen, device)
    trying(f"`{function.name}`: measuring")
    times = [_seconds_per_element(chosen, batch, device) for batch in batches]
    rows = tuple(Row(one.tuning, tuple(seconds)) for one, *seconds in zip(chosen, *times, strict=True))
    return Measurement(function.name, device.facts.description, batches, rows)


def possible_candidates(function: Function, target: Target) -> tuple[Candidate, ...]:
    """Those that the function can have, what the model chooses first; of several with the same code the first."""
    first = first_choice(ready(function, target), target)
    found: dict[str, Candidate] = {}
    for tuning in (first, *candidates(function, target)):
        try:
            artifact = emit(ready(function, target, tuning), target, tuning)
        except CompileError:
            if tuning is first:
                raise
            continue
        found.setdefault(artifact.source, Candidate(tuning, artifact))
    return tuple(found.values())


def _check(
    function: Function, target: Target, chosen: tuple[Candidate, ...], device: Device, trying: Callable[[str], None]
) -> None:
    """Compares the results of each with those of the interpreter."""
    artifact = chosen[0].artifact
    batch = max(one.artifact.elements_per_group for one in chosen) + BEYOND
    translation = Stages(function, artifact, target, Decision())
    count, given = groups(artifact, batch), random_arguments(artifact, batch, SEED)
    expected = copies(given)
    dict(levels(translation, device, count))[Level.TL.value](expected)
    for one in chosen:
        trying(f"`{function.name}`: building `{one.tuning}`")
        results = copies(given)
        Kernel(one.artifact, device)(count, **results)
        written = [parameter.name for parameter in arrays(artifact) if parameter.is_written]
        right, found = ({name: np.asarray(each[name]) for name in written} for each in (expected, results))
        if not (error := largest_error(found, right)) <= tolerance(translation):
            message = f"`{function.name}` in the schedule `{one.tuning}` differs from its meaning by {error:.1e}"
            raise CompilerBug(f"{message}, at most {tolerance(translation):.1e} on `{device.facts.description}`")


def _batches(function: Function, chosen: tuple[Candidate, ...], device: Device) -> tuple[int, ...]:
    """Elements of the batches to measure: the same for each compute unit, and not so many that it takes long."""
    artifact = chosen[0].artifact
    if not artifact.is_batched:
        return (1,)
    units = device.facts.compute_units
    together = units * max(one.artifact.elements_per_group for one in chosen)
    far = min(max(FAR_BYTES, UNIT_BYTES * units), device.facts.global_memory // (PARTS * len(chosen)))
    most = MOST_OPERATIONS * units // max(1, operations(function))
    counts = [min(size // element_bytes(artifact), most) for size in (far // NEARER, far)]
    return tuple(dict.fromkeys(max(1, -(-count // together)) * together for count in counts))


def _seconds_per_element(chosen: tuple[Candidate, ...], batch: int, device: Device) -> list[float]:
    kernels = [Kernel(one.artifact, device) for one in chosen]
    arguments, count = _arguments(kernels[0], batch), groups(kernels[0].artifact, batch)
    launches = [kernel.prepare(count, **arguments) for kernel in kernels]
    return [timing.median / count for timing in measure_in_turns(launches, TURNS)]


def _arguments(kernel: Kernel, batch: int) -> dict[str, object]:
    """Random arguments that lie as all candidates want them, so that they share them where the device can."""
    arguments = random_arguments(kernel.artifact, batch, SEED, Given(sizes=likely_sizes(kernel.artifact)))
    for parameter in arrays(kernel.artifact):
        if (value := arguments.get(parameter.name)) is not None:
            array = np.asarray(value)
            shape = array.shape[1:] if has_one_for_each(parameter) else array.shape
            arguments[parameter.name] = laid = kernel.empty(parameter.name, batch, shape)
            laid[...] = array
    return arguments
