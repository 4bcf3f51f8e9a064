"""The schedules that a function can have are measured on a device; only those count that compute what they should.

All run on the same random arguments, taking turns, in two batches: one that stays in the caches and one that does not.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, CompilerBug
from einsum_front.core.words import counted
from einsum_front.data import Given, element_bytes, has_one_for_each, has_unnamed_size, likely_sizes, random_arguments
from einsum_front.driver.measurements import WORTH, Measurement, Row
from einsum_front.driver.stages import Decision, Stages, ready
from einsum_front.driver.sums import with_sums
from einsum_front.driver.verification import arrays, copies, groups, largest_error, levels, tolerance
from einsum_front.options import Level
from einsum_front.runtime import Device, Kernel, measure_in_turns
from einsum_front.runtime.artifact import Artifact
from einsum_front.tl_backend import (
    Recipe,
    ScheduleKind,
    Target,
    Times,
    Tuning,
    candidates,
    first_choice,
    first_recipe,
    form_of,
    operations,
    portable,
    search,
)
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

MOST_RECIPES = 24
"""Recipes that are measured for a kernel."""

LOOPS = Tuning(ScheduleKind.LOOPS)

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
    form, prepared = form_of(function), ready(function, target, LOOPS)
    first = None if has_open_sizes else first_recipe(prepared, target)
    if len(chosen) == 1 and (first is None or not MOST_RECIPES):
        return Measurement(function.name, device.facts.description, (), (Row(chosen[0].tuning, ()),))
    _check(function, target, chosen, device, trying)
    batches = _batches(function, chosen, device)
    trying(f"`{function.name}`: measuring")
    times = [_seconds_per_element(chosen, batch, device) for batch in batches]
    seconds = [tuple(each) for each in zip(*times, strict=True)]
    rows = {one.tuning: each for one, each in zip(chosen, seconds, strict=True)}
    if first is not None:
        bench = _Bench(function, prepared, target, device, trying, chosen, batches, seconds)
        own = _with(portable(first[0], form, first[1]))  # the schedule is this recipe, and is kept with its steps
        rows = {own if tuning == LOOPS else tuning: each for tuning, each in rows.items()}
        for each in search(*first, bench.times, MOST_RECIPES, WORTH) if MOST_RECIPES else ():
            rows.setdefault(_with(portable(each.recipe, form, first[1])), each.times)
    listed = tuple(Row(tuning, each) for tuning, each in rows.items())
    return Measurement(function.name, device.facts.description, batches, listed, form)


@dataclass(frozen=True, slots=True)
class _Bench:
    """Where recipes are measured: beside the model's choice; the schedules took `seconds` before."""

    function: Function
    prepared: Function
    target: Target
    device: Device
    trying: Callable[[str], None]
    schedules: tuple[Candidate, ...]
    batches: tuple[int, ...]
    seconds: Sequence[Times]

    def times(self, recipes: Sequence[Recipe]) -> Sequence[Times]:
        """Those of recipes; none for one that has no code, or that of a schedule. Clocks that drift do not count."""
        known = {_code(one.artifact): each for one, each in zip(self.schedules, self.seconds, strict=True)}
        tried = [self._candidate(_with(each)) for each in recipes]
        new = {_code(one.artifact): one for one in tried if one is not None and _code(one.artifact) not in known}
        if new:
            chosen = self.schedules[0], *new.values()
            _check(self.function, self.target, chosen, self.device, self.trying)
            self.trying(f"`{self.function.name}`: measuring {counted(len(new), 'recipe')}")
            now, *found = zip(*(_seconds_per_element(chosen, each, self.device) for each in self.batches), strict=True)
            drift = [before / after for before, after in zip(self.seconds[0], now, strict=True)]
            for code, each in zip(new, found, strict=True):
                known[code] = tuple(second * factor for second, factor in zip(each, drift, strict=True))
        return [() if one is None else known[_code(one.artifact)] for one in tried]

    def _candidate(self, tuning: Tuning) -> Candidate | None:
        try:
            return Candidate(tuning, with_sums(emit(self.prepared, self.target, tuning), self.function, self.target))
        except CompileError:
            return None


def _code(artifact: Artifact) -> str:
    """The source without its first line, which says why it has this schedule."""
    return artifact.source.partition("\n")[2]


def _with(recipe: Recipe) -> Tuning:
    return replace(LOOPS, recipe=recipe)


def possible_candidates(function: Function, target: Target) -> tuple[Candidate, ...]:
    """Those that the function can have, what the model chooses first; of several with the same code the first."""
    first = first_choice(ready(function, target), target)
    found: dict[str, Candidate] = {}
    for tuning in (first, *candidates(function, target)):
        try:
            artifact = with_sums(emit(ready(function, target, tuning), target, tuning), function, target)
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
