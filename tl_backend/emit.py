"""The door to the runtime: a function of the tensor language as an artifact, which is all that a launch needs."""

import re
from collections.abc import Mapping
from dataclasses import replace
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent, Polynomial
from einsum_front.core.facts import Indices, Modes, Nonzeros, Values
from einsum_front.runtime.artifact import (
    Artifact,
    GroupParameter,
    Parameter,
    ScalarParameter,
    SizeLimit,
    TensorParameter,
)
from einsum_front.tl_backend.analysis.effects import Effects, access_of_launch, argument_access
from einsum_front.tl_backend.analysis.fused import Pair, fused_modes
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.opencl.kernel import Kernel, defined, merged
from einsum_front.tl_backend.opencl.requirements import needs_double_precision
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Argument, Function, Sizes, close_modes
from einsum_front.tl_backend.schedules.choice import Scheduled, schedule
from einsum_front.tl_backend.schedules.tuning import Tuning
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType

_HEAD = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\(")
_PARAMETER = re.compile(r" {4}[A-Za-z][^=(;]*?([A-Za-z_][A-Za-z0-9_]*)[,)]")


def emit(function: Function, target: Target, wanted: Tuning | None = None, why: str | None = None) -> Artifact:
    """The kernel of a function that the verifier has nothing against, as `schedule` says that it runs."""
    return artifact_of(schedule(function, target, wanted, why))


def artifact_of(scheduled: Scheduled) -> Artifact:
    """The kernel of a function with its plan; the same plan gives the same bytes.

    The first line of the source says why it was taken, if that is known. Raises `CompileError` with all that the target
    cannot do (E06xx). A prologue is in the same source.
    """
    return artifact_and_names(scheduled, frozenset())[0]


def artifact_and_names(scheduled: Scheduled, taken: frozenset[str]) -> tuple[Artifact, frozenset[str]]:
    """As `artifact_of`, and the names that the source defines: for others that stand in one text with it.

    What is defined besides the kernel has no name in `taken`.
    """
    function, kernel = scheduled.function, _kernel(scheduled, taken)
    printer, names = scheduled.target.language.printer(), defined(kernel.file)
    if scheduled.prologue is None:
        source = printer.unparse(kernel.file)
        return _artifact(function, kernel, source, argument_access(function), scheduled.target), names
    before = scheduled.prologue.function
    first = _kernel(scheduled.prologue, names | taken)
    source = printer.unparse(merged(first.file, kernel.file))
    prologue = _artifact(before, first, source, argument_access(before), scheduled.target)
    made = _artifact(function, kernel, source, access_of_launch(function), scheduled.target)
    return replace(made, prologue=prologue), names | defined(first.file)


@dataclass(frozen=True, slots=True)
class SharedFunction:
    """A function that several kernels may call, which all call it by this name, and its source."""

    name: str
    source: str


def artifact_and_routines(scheduled: Scheduled) -> tuple[Artifact, tuple[SharedFunction, ...]]:
    """As `artifact_of`, without a prologue; the functions of products are apart if the target outlines them."""
    kernel = _kernel(scheduled, frozenset())
    outlined = [each for each in kernel.file.functions if each.outlined is tree.Outlined.ROUTINE]
    others = tuple(each for each in kernel.file.functions if each.outlined is not tree.Outlined.ROUTINE)
    language = scheduled.target.language
    source = language.printer().unparse(replace(kernel.file, functions=others))
    artifact = _artifact(scheduled.function, kernel, source, argument_access(scheduled.function), scheduled.target)
    return artifact, tuple(SharedFunction(each.name, each.get(language.text_of)) for each in outlined)


def lines_of(scheduled: Scheduled) -> tuple[tuple[str, Origin], ...]:
    """The lines of the source of a kernel with their origins.

    A parameter came from its argument, and what a kernel does around its instructions from the function. Tables and
    what the language needs above kernels have none.
    """
    kernel = _kernel(scheduled, frozenset())
    ending = scheduled.target.language.ending
    file, origins = kernel.file, _Origins({name + ending: scheduled.function for name in kernel.entries})
    if scheduled.prologue is not None:
        before = _kernel(scheduled.prologue, defined(file))
        file = merged(before.file, file)
        origins.functions |= {name + ending: scheduled.prologue.function for name in before.entries}
    lines = scheduled.target.language.printer().lines(file)
    found = [(line.text, line.origin or origins.of(line.text)) for line in lines]
    attributes = [index for index, (text, _) in enumerate(found) if text.startswith(_ATTRIBUTE)]
    for index in attributes:
        found[index] = found[index][0], found[index + 1][1] if index + 1 < len(found) else ()
    return tuple(found)


_ATTRIBUTE = ("kernel ", "__kernel ", "KERNEL(", "__attribute__")


@dataclass(slots=True)
class _Origins:
    """Origins of lines that no instruction stands for: `functions` by the names that the file has for them."""

    functions: dict[str, Function]
    inside: Function | None = None

    def of(self, line: str) -> Origin:
        """That of the argument whose parameter it is (`A_size2` belongs to `A`), else of the function around it."""
        if line[:1] not in ("", " ", "{", "}", "/", "#"):
            head = _HEAD.search(line)
            self.inside = None if head is None else self.functions.get(head[1])
        function = self.inside
        if line == "}":
            self.inside = None
        if function is None or not line:
            return ()
        name = _PARAMETER.fullmatch(line)
        arguments = {each.name.name: each.origin for each in function.arguments} if name else {}
        found = () if name is None else arguments.get(name[1]) or arguments.get(name[1].rpartition("_")[0])
        return found or function.origin


def _kernel(scheduled: Scheduled, taken: frozenset[str]) -> Kernel:
    """The function in its schedule, which the first comment names; its helpers have no name in `taken`."""
    kernel = scheduled.lower(taken)
    comment = () if scheduled.why is None else (f"schedule `{scheduled.tuning}`: {scheduled.why}",)
    return replace(kernel, file=replace(kernel.file, comment=(*comment, *kernel.file.comment)))


def _artifact(
    function: Function, kernel: Kernel, source: str, access: Mapping[str, Effects], target: Target
) -> Artifact:
    fused = {
        name: tuple(dict.fromkeys((*pairs, *(pair for each, pair in kernel.close if each == name))))
        for name, pairs in fused_modes(function).items()
    }
    entry, *later = (name + target.language.ending for name in kernel.entries)
    return Artifact(
        entry=entry,
        source=source,
        parameters=tuple(_parameter(each, function, access, fused, kernel.spared) for each in function.arguments),
        work_group_size=kernel.work_group_size,
        local_memory=kernel.local_memory,
        needs_fp64=needs_double_precision(function),
        elements_per_group=kernel.elements_per_group,
        groups_per_element=kernel.groups_per_element,
        scratch=kernel.scratch,
        later=tuple(later),
        limits=tuple(SizeLimit(limit.name, limit.least, limit.most, limit.hint) for limit in function.limits),
        name=function.name,
        machine=target.machine.name,
    )


def _parameter(
    argument: Argument,
    function: Function,
    access: Mapping[str, Effects],
    fused: Mapping[str, tuple[Pair, ...]],
    spared: frozenset[str],
) -> Parameter:
    name = argument.name.name
    match argument.type:
        case ScalarType() as scalar:
            return ScalarParameter(name, scalar.value)
        case MemrefType() as memref:
            facts = _facts(name, function, memref)
            return TensorParameter(
                name=name,
                type=memref.element.value,
                shape=memref.shape,
                strides=memref.strides,
                modes=facts.modes,
                batch_mode=facts.batch_mode,
                is_read=access[name].is_read,
                is_written=access[name].is_written,
                nonzeros=facts.nonzeros,
                sizes=facts.sizes,
                values=_values(name, function, memref),
                fused=(*fused[name], *close_modes(memref.order, facts.batch_mode)),
                reads_zeros=name not in spared,
                indices=facts.indices,
            )
        case GroupType(memref=memref, offset=offset):
            facts = _facts(name, function, memref)
            return GroupParameter(
                name=name,
                type=memref.element.value,
                shape=memref.shape,
                strides=memref.strides,
                modes=facts.modes,
                offset=offset,
                is_read=access[name].is_read,
                is_written=access[name].is_written,
                nonzeros=facts.nonzeros,
                sizes=facts.sizes,
                fused=fused[name],
                reads_zeros=name not in spared,
                indices=facts.indices,
            )


@dataclass(frozen=True, slots=True)
class _Facts:
    """Facts of a function about one argument; what they leave open has its usual value."""

    batch_mode: int | None
    modes: tuple[int, ...]
    nonzeros: tuple[tuple[int, int], ...] | None
    sizes: tuple[Polynomial | None, ...]
    indices: tuple[Extent | None, ...]


def _facts(argument: str, function: Function, memref: MemrefType) -> _Facts:
    facts = [fact for fact in function.facts if fact.argument == argument]
    batch_mode = function.batch_modes.get(argument)
    in_order = tuple(range(memref.order - (batch_mode is not None)))
    modes = next((fact.permutation for fact in facts if isinstance(fact, Modes)), in_order)
    nonzeros = next((fact.runs for fact in facts if isinstance(fact, Nonzeros)), None)
    sizes = next((fact.extents for fact in facts if isinstance(fact, Sizes)), ())
    indices = next((fact.bounds for fact in facts if isinstance(fact, Indices)), ())
    return _Facts(batch_mode, modes, nonzeros, sizes, indices)


def _values(argument: str, function: Function, memref: MemrefType) -> tuple[float, ...] | None:
    """All entries in packed column-major order, if they are known."""
    for fact in function.facts:
        if isinstance(fact, Values) and fact.argument == argument:
            numbers = dict(fact.entries)
            return tuple(numbers.get(position, 0) for position in range(prod(size or 0 for size in memref.shape)))
    return None
