"""A kernel at every level, on the same small data: each level has to agree with the one before it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from math import prod

import numpy as np
from numpy.typing import NDArray

from einsum_front import ir
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.numbers import EPSILONS, in_parts, is_floating
from einsum_front.data import Given, random_arguments
from einsum_front.driver.layouts import Arguments, arrangements, run_arranged, tensor_language_views, yateto_views
from einsum_front.driver.made_from import Reference, check_fit
from einsum_front.driver.stages import GraphStages, LinalgStages, LoopStages, NotationStages, Stages, YatetoStages
from einsum_front.ir.contraction.interpret import interpret as interpret_graph
from einsum_front.ir.yateto import nodes as yateto
from einsum_front.ir.yateto.interpret import interpret as interpret_yateto
from einsum_front.mlir.run import other_batch
from einsum_front.mlir.run import run as run_linalg
from einsum_front.notation.interpret import interpret as interpret_notation
from einsum_front.options import Level
from einsum_front.runtime import Device, Kernel, failure
from einsum_front.runtime.artifact import (
    ArrayParameter,
    Artifact,
    GroupParameter,
    Parameter,
    ScalarParameter,
    TensorParameter,
)
from einsum_front.tl_backend import TooLongError, operations, walk
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.interpret import interpret as interpret_tensor_language
from einsum_front.tl_backend.interpret_kernel import interpret_kernel
from einsum_front.tl_backend.interpret_loops import elements_of_a_block, has_loops, interpret_loops

Array = NDArray[np.generic]

EPSILONS_PER_OPERATION = 100
"""Two levels may sum in different orders: their results may differ by this many roundings for each operation."""

BATCH = 3

LOOPS = "loops"
"""The name of the level of loops, which kernels with a recipe have."""

KERNEL = "kernel"
"""The name of the level of the kernel tree."""

Tell = Callable[[str], None]
"""Hears the name of each level, and of each layout, before it runs: a sign of life."""

MOST_STATEMENTS = 30_000
"""What the interpreter of the kernel tree runs of a kernel at most: it takes some seconds."""

MOST_BYTES = 1 << 24
"""Arguments that it has at most: it keeps twenty times as much."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A level against the one before it, or the device with arrays in another layout against the device.

    `error` is the largest difference of an entry over the largest entry of its tensor, `tolerance` what it may be.
    `layout` says how arrays lay, unless as the kernel declares them. `damaged` are arguments of which bytes were
    changed that are not the kernel's to write, `mistake` is what the kernel tree does that it must not; then `error` is
    infinite. `left_out` says why a level was not run; then `error` is no number.
    """

    level: str
    error: float
    tolerance: float
    layout: str = ""
    damaged: tuple[str, ...] = ()
    mistake: str = ""
    left_out: str = ""

    @property
    def agrees(self) -> bool:
        """True if the level means the same as the one before it, as far as is known."""
        return bool(self.left_out) or self.error <= self.tolerance


def tell_nobody(_level: str) -> None:
    """The `Tell` of who waits in silence."""


def verify(
    translation: Stages, device: Device, seed: int = 0, against: Reference | None = None, tell: Tell = tell_nobody
) -> tuple[Comparison, ...]:
    """`compare_levels` on small random data: a full work-group of elements, and the part of one."""
    artifact = translation.artifact
    batch = BATCH if artifact.elements_per_group == 1 else artifact.elements_per_group + BATCH
    whole = frozenset(_of_integers(translation.planned.graph) if isinstance(translation, GraphStages) else ())
    given = random_arguments(artifact, batch, seed, Given(whole=whole))
    return compare_levels(translation, device, given, groups(artifact, batch), against, tell)


def _of_integers(graph: ir.Graph) -> Iterator[str]:
    """The arguments of a kernel that computes with integers: it wraps around, so that any of them will do."""
    declared = [(each.name, each.element_type) for each in graph.tensors]
    declared += [(each.name, each.element_type) for each in graph.scalars]
    return (name for name, element in declared if element.is_integer)


def compare_levels(
    translation: Stages,
    device: Device,
    given: Mapping[str, object],
    count: int,
    against: Reference | None = None,
    tell: Tell = tell_nobody,
) -> tuple[Comparison, ...]:
    """Runs the kernel at every level that it has, the device included, and compares each with the level before.

    The first level is compared `against` a kernel of the notation, if there is one. All run `count` work-groups on
    copies of the arguments that are given, but the kernel tree only some of these. The device runs again on arrays that
    lie in other ways (`layouts.Arrangement`).
    """
    artifact = translation.artifact
    allowed = tolerance(translation)
    comparisons = []
    previous: Mapping[str, Array] | None = None
    runs = levels(translation, device, count)
    if against is not None:
        check_fit(artifact, against)
        runs.insert(0, (against.name, partial(_run_notation, against)))
    for name, run in runs:
        if name == Level.MLIR.value and isinstance(translation, LinalgStages | LoopStages):
            why = other_batch(translation.linalg, given)
            if why is not None:
                comparisons.append(Comparison(name, float("nan"), allowed, left_out=why))
                continue
        tell(name)
        arguments = copies(given)
        with _enough_memory(artifact, name):
            run(arguments)
        results = _results(artifact, arguments)
        if previous is not None:
            comparisons.append(Comparison(name, largest_error(results, previous), allowed))
        previous = results
        if name == Level.TL.value and has_loops(translation.scheduled):
            tell(LOOPS)
            comparisons.append(_compare_loops(translation, given, count, results))
        if name == Level.TL.value:
            tell(KERNEL)
            with _enough_memory(artifact, KERNEL):
                comparisons.append(compare_kernel_tree(translation, given, count, results))
    expected = {} if previous is None else previous
    if not all(each.agrees for each in comparisons):
        return tuple(comparisons)  # other layouts can only be compared with what is right
    return *comparisons, *_other_layouts(translation, device, given, count, expected, tell)


@contextmanager
def _enough_memory(artifact: Artifact, level: str) -> Iterator[None]:
    """Raises `CompileError` (E0516) that names the level where the machine has no memory."""
    try:
        yield
    except MemoryError:
        what = f"the interpreter of `{artifact.name}` at the level `{level}`"
        raise failure("E0516", f"this machine has no memory for {what}") from None


def _results(artifact: Artifact, arguments: Mapping[str, object]) -> dict[str, Array]:
    return {p.name: np.asarray(arguments[p.name]) for p in arrays(artifact) if p.is_written}


def _compare_loops(
    translation: Stages, given: Mapping[str, object], count: int, results: Mapping[str, Array]
) -> Comparison:
    """The loops that a recipe made against `results` of the tensor language, for a block of elements and one more."""
    artifact, allowed, scheduled = translation.artifact, tolerance(translation), translation.scheduled
    if translation.tensor_language.prologue is not None:
        return Comparison(LOOPS, float("nan"), allowed, left_out="what runs before it has no loops")
    few = _few(artifact, count, elements_of_a_block(scheduled))
    part = _first_elements(artifact, given, few)
    found = copies(part)
    if not interpret_loops(scheduled, tensor_language_views(_parameters(artifact), found), few):
        return Comparison(LOOPS, float("nan"), allowed, left_out="its interpreter would run too many products")
    expected = _results_of_few(translation, part, few, count, results)
    return Comparison(LOOPS, largest_error(_results(artifact, found), expected), allowed)


def compare_kernel_tree(
    translation: Stages, given: Mapping[str, object], count: int, results: Mapping[str, Array]
) -> Comparison:
    """The kernel tree against `results` of the tensor language, for one element, or a full work-group and one more.

    Its interpreter is much slower than the others. It is left out where it would take more than some seconds.
    """
    artifact, allowed, nan = translation.artifact, tolerance(translation), float("nan")
    few = _few(artifact, count, artifact.elements_per_group)
    part = _first_elements(artifact, given, few)
    if sum(np.asarray(value).nbytes for value in part.values()) > MOST_BYTES:
        why = f"its interpreter takes arguments of {MOST_BYTES >> 20} MiB at most"
        return Comparison(KERNEL, nan, allowed, left_out=why)
    found, scheduled = copies(part), translation.scheduled
    try:
        interpret_kernel(scheduled, tensor_language_views(_parameters(artifact), found), few, MOST_STATEMENTS)
    except TooLongError:
        why = f"its interpreter would run more than {MOST_STATEMENTS} statements"
        return Comparison(KERNEL, nan, allowed, left_out=why)
    except CompileError as error:
        first = error.diagnostics[0]
        return Comparison(KERNEL, float("inf"), allowed, mistake=f"{first.message} ({first.code})")
    expected = _results_of_few(translation, part, few, count, results)
    return Comparison(KERNEL, largest_error(_results(artifact, found), expected), allowed)


def _results_of_few(
    translation: Stages, part: Mapping[str, object], few: int, count: int, results: Mapping[str, Array]
) -> dict[str, Array]:
    """The first of `results`, which are those of `count` elements; if these share one, what `part` gives."""
    artifact = translation.artifact
    shared = (p for p in arrays(artifact) if p.is_written and isinstance(p, TensorParameter) and not p.batched)
    if few == count or next(shared, None) is None:
        return _results(artifact, _first_elements(artifact, results, few))
    expected = copies(part)
    _run_tensor_language(translation, _parameters(artifact), expected, few)
    return _results(artifact, expected)


def _few(artifact: Artifact, count: int, together: int) -> int:
    """One element, or `together` of them and one more; all of them where the text says how many a batch has."""
    has_size = any(isinstance(p, TensorParameter) and p.batch_size is not None for p in artifact.parameters)
    if has_size or any(None in p.indices for p in arrays(artifact)):  # which are numbers of elements
        return count
    return min(count, 1 if together == 1 else together + 1)


def _parameters(artifact: Artifact) -> dict[str, Parameter]:
    return {parameter.name: parameter for parameter in artifact.arguments}


def _first_elements(artifact: Artifact, given: Mapping[str, object], count: int) -> dict[str, object]:
    """The arguments of the first elements of a batch."""
    batched = {p.name for p in arrays(artifact) if isinstance(p, GroupParameter) or p.batched}
    return {name: np.asarray(each)[:count] if name in batched else each for name, each in given.items()}


def _other_layouts(
    translation: Stages,
    device: Device,
    given: Mapping[str, object],
    count: int,
    expected: Mapping[str, Array],
    tell: Tell,
) -> Iterator[Comparison]:
    """The device on arrays in other layouts, if it has any; `expected` is what it gives for those of the levels."""
    artifact, allowed = translation.artifact, tolerance(translation)
    for arrangement in arrangements(device) if any(p.name in given for p in arrays(artifact)) else ():
        tell(f"device, {arrangement.value}")
        outcome = run_arranged(artifact, device, given, count, arrangement)
        error = float("inf") if outcome.damaged else largest_error(outcome.results, expected)
        yield Comparison("device", error, allowed, arrangement.value, outcome.damaged)


def tolerance(translation: Stages) -> float:
    """How much levels may differ, over the largest entry of the tensor; a type of memory adds a rounding."""
    rounding = _epsilon(translation)
    last = max((EPSILONS.get(p.type, 0.0) for p in arrays(translation.artifact)), default=0.0)
    return EPSILONS_PER_OPERATION * operations_per_entry(translation) * rounding + (last if last > rounding else 0.0)


def arrays(artifact: Artifact) -> tuple[ArrayParameter, ...]:
    """The parameters that are arrays."""
    return tuple(p for p in artifact.arguments if not isinstance(p, ScalarParameter))


def levels(translation: Stages, device: Device, count: int) -> list[tuple[str, Callable[[Arguments], None]]]:
    """The levels of the kernel, each as a function that runs `count` work-groups: all but the slow kernel tree.

    Arguments are the caller's: NumPy arrays, batched ones of shape (batch, *shape), and numbers; results are in place.
    Those whose values are known when compiling may be missing.
    """
    parameters = _parameters(translation.artifact)
    levels: list[tuple[str, Callable[[Arguments], None]]] = []
    if isinstance(translation, NotationStages):
        notation = Reference(Level.EIN.value, translation.program, translation.checked)
        levels.append((notation.name, partial(_run_notation, notation)))
    if isinstance(translation, LinalgStages | LoopStages):
        module, linalg, has_parts = translation.module, translation.linalg, isinstance(translation, LinalgStages)
        levels.append((Level.MLIR.value, lambda a: run_linalg(module, linalg, a, count, has_parts=has_parts)))
    if isinstance(translation, GraphStages):
        graph = translation.planned.graph
        levels.append((Level.GRAPH.value, lambda a: interpret_graph(graph, _numbers(a))))
    if isinstance(translation, YatetoStages):
        function = translation.yateto
        levels.append((Level.YIR.value, lambda a: _run_yateto(function, parameters, a, count)))
    levels.append((Level.TL.value, lambda a: _run_tensor_language(translation, parameters, a, count)))
    levels.append(("device", lambda a: _run_on_device(translation.artifact, device, a, count)))
    return levels


def _run_notation(notation: Reference, arguments: Arguments) -> None:
    interpret_notation(notation.kernel, notation.program, _numbers(arguments))


def _numbers(arguments: Arguments) -> dict[str, Array | complex]:
    return {name: value if isinstance(value, np.ndarray) else _number(value) for name, value in arguments.items()}


def _number(value: object) -> complex:
    if isinstance(value, int | np.integer):
        return int(value)
    return complex(value) if isinstance(value, complex | np.complexfloating) else float(str(value))


def _run_yateto(
    function: yateto.Function, parameters: Mapping[str, Parameter], arguments: Arguments, count: int
) -> None:
    interpret_yateto(function, yateto_views(parameters, arguments), count)


def _run_tensor_language(
    translation: Stages, parameters: Mapping[str, Parameter], arguments: Arguments, count: int
) -> None:
    interpret_tensor_language(translation.tensor_language, tensor_language_views(parameters, arguments), count)


def _run_on_device(artifact: Artifact, device: Device, arguments: Arguments, count: int) -> None:
    Kernel(artifact, device)(count, **arguments)


def groups(artifact: Artifact, batch: int) -> int:
    """The number of work-groups for a batch: one, if no argument has one tensor for each element."""
    return batch if artifact.is_batched else 1


def copies(arguments: Mapping[str, object]) -> dict[str, object]:
    """The same arguments with arrays of their own."""
    return {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in arguments.items()}


def _epsilon(translation: Stages) -> float:
    """The coarsest rounding on the way: of arguments, temporaries and casts; 0 if all are integers."""
    if isinstance(translation, GraphStages):  # which computes in one type
        tensors = translation.planned.graph.tensors
        return max((EPSILONS.get(tensor.element_type.value, 0.0) for tensor in tensors), default=0.0)
    rounding = {**EPSILONS, "bf16": EPSILONS["f32"], "f16": EPSILONS["f32"]}  # with which nothing computes
    types = [parameter.type for parameter in translation.artifact.arguments]
    for instruction in walk(translation.tensor_language.body):
        if isinstance(instruction, tl.Alloca):
            types.append(instruction.type.element.value)
        elif isinstance(instruction, tl.Cast):
            types.append(instruction.to_type.value)
    return max((rounding.get(type_, 0.0) for type_ in types), default=0.0)


def operations_per_entry(translation: Stages) -> float:
    """Operations of one element over the entries of it that are written, at least 1; run-time sizes count as 1."""
    written = sum(prod(size or 1 for size in p.shape) for p in arrays(translation.artifact) if p.is_written)
    return max(1.0, operations(translation.tensor_language) / max(1, written))


# -- how far the results of two levels are apart -----------------------------------------------------------------------


def largest_error(results: Mapping[str, Array], expected: Mapping[str, Array]) -> float:
    """The largest difference of an entry over the largest finite entry of its tensor.

    NaN and infinities differ from all but themselves; entries beside them are compared like any others.
    """
    return max((_error(results[name], expected[name]) for name in expected), default=0.0)


def _error(result: Array, expected: Array) -> float:
    if result.size == 0 or np.array_equal(result, expected, equal_nan=is_floating(in_parts(result).dtype)):
        return 0.0
    result, expected = in_parts(result), in_parts(expected)
    if not is_floating(result.dtype):
        difference = np.abs(result.astype(float) - expected.astype(float)).max()
        return max(float(difference), 1.0)  # large integers that differ are one number of f64
    found, right = result.astype(float), expected.astype(float)
    finite = np.isfinite(right)
    if not np.array_equal(np.isfinite(found), finite):
        return float("inf")
    if not np.array_equal(found[~finite], right[~finite], equal_nan=True):
        return float("inf")
    difference = np.abs(found[finite] - right[finite]).max(initial=0.0)
    scale = np.abs(right[finite]).max(initial=0.0)
    return float(difference / scale) if scale > 0 else float(difference)
