"""One kernel at every level that it has: the type says at which of them its text begins."""

from dataclasses import dataclass

from einsum_front import ir
from einsum_front.ir.yateto import nodes as yateto
from einsum_front.notation import checked
from einsum_front.options import Level
from einsum_front.runtime.artifact import Artifact
from einsum_front.tl_backend import program as tensor_language

LevelValue = ir.Graph | ir.Plan | yateto.Function | tensor_language.Function | Artifact


@dataclass(frozen=True, slots=True)
class Stages:
    """A kernel that begins in the tensor language."""

    tensor_language: tensor_language.Function
    artifact: Artifact

    @property
    def name(self) -> str:
        """The name of the kernel; a member of a family is `flux_2`."""
        return self.tensor_language.name

    def at(self, level: Level) -> LevelValue | None:
        """The kernel at one level below the notation, None if it begins below."""
        match level, self:
            case Level.CL, _:
                return self.artifact
            case Level.TL, _:
                return self.tensor_language
            case Level.YIR, YatetoStages(yateto=function):
                return function
            case Level.PLAN, GraphStages(planned=planned):
                return planned.plan
            case Level.GRAPH, GraphStages(planned=planned):
                return planned.graph
            case _:
                return None


@dataclass(frozen=True, slots=True)
class YatetoStages(Stages):
    """A kernel that begins in the YATeTo language."""

    yateto: yateto.Function


@dataclass(frozen=True, slots=True)
class GraphStages(YatetoStages):
    """A kernel that begins as a contraction graph."""

    planned: ir.Planned


@dataclass(frozen=True, slots=True)
class NotationStages(GraphStages):
    """A kernel that begins in the notation: one of those of `program`."""

    program: checked.CheckedProgram
    checked: checked.Kernel
