"""One kernel at every level that it has: the type says at which of them its text begins."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from einsum_front import ir
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug, Diagnostic
from einsum_front.core.runs import Runs, mask_from_runs, runs_from_mask
from einsum_front.ir.yateto import nodes as yateto
from einsum_front.options import Level
from einsum_front.runtime.artifact import (
    WHOLES,
    Artifact,
    Extent,
    GroupParameter,
    Parameter,
    ScalarParameter,
    TensorParameter,
)
from einsum_front.tl_backend import Scheduled, Target, Tuning, WorkGroupLimits, is_tiled, schedule, with_work_group
from einsum_front.tl_backend import pipeline as backend
from einsum_front.tl_backend import program as tensor_language

if TYPE_CHECKING:
    from einsum_front.mlir import nodes as mlir
    from einsum_front.notation.checked import CheckedProgram
    from einsum_front.notation.checked import Kernel as CheckedKernel

LevelValue = ir.Graph | ir.Plan | yateto.Function | tensor_language.Function | Scheduled | Artifact


@dataclass(frozen=True, slots=True)
class Decision:
    """The schedule that a kernel gets, None for that of the model; and why, for the first line of its source."""

    wanted: Tuning | None = None
    why: str | None = None

    @property
    def has_recipe(self) -> bool:
        """True if steps were written for the loops of this one translation: those of other layouts are other loops."""
        return self.wanted is not None and self.wanted.recipe is not None


@dataclass(frozen=True, slots=True)
class Stages:
    """A kernel that begins in the tensor language."""

    tensor_language: tensor_language.Function
    artifact: Artifact
    target: Target
    decision: Decision

    @property
    def name(self) -> str:
        """The name of the kernel; a member of a family is `flux_2`."""
        return self.tensor_language.name

    @property
    def scheduled(self) -> Scheduled:
        """How the kernel runs."""
        return scheduled(self.tensor_language, self.target, self.decision)

    def seen(self, artifact: Artifact) -> Artifact:
        """An artifact of the function with the arguments that callers of this kernel have."""
        return artifact

    def at(self, level: Level) -> LevelValue | None:
        """The kernel at one level below the notation, None if it begins below."""
        match level, self:
            case Level.CL, _:
                return self.artifact
            case Level.SCHEDULE, _:
                return self.scheduled
            case Level.TL, _:
                return self.tensor_language
            case Level.YIR, YatetoStages(yateto=function):
                return function
            case Level.PLAN, GraphStages(planned=planned):
                return planned.plan
            case Level.GRAPH, GraphStages(planned=planned):
                return planned.graph
            case _:  # open: the levels above the one that a kernel begins at, and those of other notations
                return None


@dataclass(frozen=True, slots=True)
class YatetoStages(Stages):
    """A kernel that begins in the YATeTo language."""

    yateto: yateto.Function


@dataclass(frozen=True, slots=True)
class GraphStages(YatetoStages):
    """A kernel that begins as a contraction graph."""

    planned: ir.Planned

    def seen(self, artifact: Artifact) -> Artifact:
        """With complex numbers where the function has their parts."""
        return complex_arguments(self.planned.graph)(artifact)


@dataclass(frozen=True, slots=True)
class LinalgStages(GraphStages):
    """A kernel that begins as a function of MLIR: one of those of `module`."""

    module: "mlir.Module"
    linalg: "mlir.Function"


@dataclass(frozen=True, slots=True)
class LoopStages(Stages):
    """A kernel that begins as a function of MLIR, and is loops over entries: `why` no contraction graph has it."""

    module: "mlir.Module"
    linalg: "mlir.Function"
    why: Diagnostic
    host: Callable[[Artifact], Artifact]

    def seen(self, artifact: Artifact) -> Artifact:
        """With complex numbers where the function has their parts."""
        return self.host(artifact)


@dataclass(frozen=True, slots=True)
class NotationStages(GraphStages):
    """A kernel that begins in the notation: one of those of `program`."""

    program: "CheckedProgram"
    checked: "CheckedKernel"


def scheduled(
    function: tensor_language.Function,
    target: Target,
    decision: Decision,
    observers: Iterable[backend.Observer] = (),
) -> Scheduled:
    """How a function runs that the passes are still ahead of."""
    return schedule(ready(function, target, decision.wanted, observers), target, decision.wanted, decision.why)


def ready(
    function: tensor_language.Function,
    target: Target,
    wanted: Tuning | None = None,
    observers: Iterable[backend.Observer] = (),
) -> tensor_language.Function:
    """The function behind the passes, which see the work-group of the wanted schedule: OpenCL C is made from it.

    Raises `CompileError` (E0305) if the function asks for another work-group itself.
    """
    steps = backend.passes(limits_of(target), lambda each: is_tiled(each, target, wanted))
    return backend.run(with_work_group(function, wanted, target), steps, observers)


def limits_of(target: Target) -> WorkGroupLimits:
    """Limits of a target that the passes ask for."""
    memory = target.local_memory, target.private_memory
    return WorkGroupLimits(
        target.is_cpu,
        target.max_work_group_size,
        target.subgroup_sizes,
        *memory,
        has_panels=target.has_panels,
        shared=target.machine.shared,
        most_local_memory=target.most_local_memory,
    )


# -- arguments of a kernel over parts as its callers have them ---------------------------------------------------------
# Arrays and scalars of complex numbers.

Array = TypeVar("Array", TensorParameter, GroupParameter)


def complex_arguments(graph: ir.Graph) -> Callable[[Artifact], Artifact]:
    """Gives artifacts of a graph the complex arguments that its tensors and scalars are parts of.

    The kernel and its prologue, which takes what the kernel takes, stay as they are.
    """
    arrays = frozenset(tensor.name for tensor in graph.tensors if tensor.is_complex)
    scalars = {scalar.name: scalar.part_of for scalar in graph.scalars if scalar.part_of}
    return partial(with_complex, arrays, scalars)


def with_complex(arrays: frozenset[str], scalars: dict[str, str], artifact: Artifact) -> Artifact:
    """The artifact with complex `arrays`, and with the real `scalars` that are parts of the complex ones named."""
    if not arrays and not scalars:
        return artifact
    return replace(artifact, parameters=tuple(_seen(each, arrays, scalars) for each in artifact.parameters))


def _seen(parameter: Parameter, arrays: frozenset[str], scalars: dict[str, str]) -> Parameter:
    match parameter:
        case ScalarParameter(name=name):
            return replace(parameter, part_of=scalars.get(name, ""))
        case TensorParameter(name=name, batch_mode=mode) if name in arrays:
            return replace(_array(parameter), batch_mode=None if mode is None else mode - 1)
        case GroupParameter(name=name) if name in arrays:
            return _array(parameter)
        case TensorParameter() | GroupParameter():
            return parameter


def _array(parameter: Array) -> Array:
    """The array without the mode of parts, which is the fastest; sizes and strides count complex numbers."""
    if parameter.shape[:1] != (2,) or parameter.strides[:1] != (1,):
        raise CompilerBug(f"the parts of `{parameter.name}` do not lie side by side")
    runs = parameter.nonzeros
    return replace(
        parameter,
        type=WHOLES[parameter.type],
        shape=parameter.shape[1:],
        strides=tuple(map(_halved, parameter.strides[1:])),
        modes=tuple(mode for mode in parameter.modes if mode != len(parameter.modes) - 1),
        nonzeros=None if runs is None else _of_whole_numbers(runs),
        sizes=parameter.sizes[1:],
        fused=tuple((k - 1, j - 1) for k, j in parameter.fused if k > 0),
    )


def _halved(stride: Extent) -> Extent:
    return None if stride is None else stride // 2


def _of_whole_numbers(runs: Runs) -> Runs:
    """The runs of complex numbers of which a part may differ from zero."""
    halved = tuple((start // 2, -(-stop // 2)) for start, stop in runs)
    return runs_from_mask(mask_from_runs(halved, (max((stop for _, stop in halved), default=0),)))
