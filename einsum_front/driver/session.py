"""Everything a translation depends on (target, options, observer, decision), and the levels from the plan downwards."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from einsum_front import ir
from einsum_front.core.dataclass import dataclass
from einsum_front.core.storage import ElementType
from einsum_front.driver.stages import (
    Decision,
    GraphStages,
    LevelValue,
    Stages,
    YatetoStages,
    complex_arguments,
    limits_of,
    scheduled,
)
from einsum_front.driver.sums import with_sums
from einsum_front.ir.yateto import nodes as yir
from einsum_front.options import Level, Options
from einsum_front.runtime.artifact import Artifact
from einsum_front.tl_backend import Scheduled, Target, check_numbers, with_prefetched
from einsum_front.tl_backend import pipeline as backend
from einsum_front.tl_backend import program as tensor_language
from einsum_front.tl_backend.emit import artifact_of

Prefetched = Mapping[str, tuple[ElementType, int]]
"""Arguments that a kernel takes besides, and prefetches for its caller: so many entries of a type, by name."""

NOTHING: Prefetched = MappingProxyType({})


Host = Callable[[Artifact], Artifact]
"""What the callers of a kernel see of its arguments: complex numbers, where the kernel has their parts."""


def as_it_is(artifact: Artifact) -> Artifact:
    """Callers see what the kernel has."""
    return artifact


Observer = Callable[[str, Level | str, LevelValue], None]


Decide = Callable[[tensor_language.Function, Target], Decision]
"""Chooses the schedule of a function before the passes that make it ready for OpenCL C."""


def by_model(_function: tensor_language.Function, _target: Target) -> Decision:
    """Leaves it to the model; `choice` knows more."""
    return Decision()


def ignore(_kernel: str, _step: Level | str, _value: LevelValue) -> None:
    """The observer for which all steps are a no-op."""


@dataclass(frozen=True, slots=True)
class Session:
    """A compiler for a target; `observe` sees the value behind each step, `decide` chooses schedules.

    Without `has_prologues`, nothing is computed once for all elements: for kernels that run one element a launch.
    """

    target: Target
    options: Options = Options()
    observe: Observer = ignore
    decide: Decide = by_model
    has_prologues: bool = True

    def compile_graph(self, graph: ir.Graph) -> GraphStages:
        """A contraction graph, down to OpenCL C."""
        return self.lower_plan(self.plan_graph(graph))

    def plan_graph(self, graph: ir.Graph, taken: Iterable[str] = ()) -> ir.Planned:
        """A contraction graph behind its simplifications, and its plan; a prologue gets no name that is `taken`."""
        observe, names, machine = self._observer(graph.name), frozenset(taken), self.target.machine
        return ir.plan_graph(graph, observe, self.options.max_temp, names, machine, has_prologue=self.has_prologues)

    def schedule_plan(self, planned: ir.Planned, prefetched: Prefetched = NOTHING) -> Scheduled:
        """How a kernel that is planned runs; it need not fit the target."""
        function = self.transform(with_prefetched(ir.lower_yateto(ir.emit_yateto(planned.plan)), prefetched))
        return scheduled(function, self.target, self.decide(function, self.target))

    def lower_plan(self, planned: ir.Planned, prefetched: Prefetched = NOTHING) -> GraphStages:
        """A graph that is planned, down to OpenCL C."""
        host = complex_arguments(planned.graph)
        below = self.lower_yateto(ir.emit_yateto(planned.plan), prefetched, host)
        return GraphStages(below.tensor_language, below.artifact, below.target, below.decision, below.yateto, planned)

    def lower_yateto(
        self, function: yir.Function, prefetched: Prefetched = NOTHING, host: Host = as_it_is
    ) -> YatetoStages:
        """A function of the YATeTo language, down to OpenCL C."""
        self.observe(function.name, Level.YIR, function)
        below = self.lower(with_prefetched(ir.lower_yateto(function), prefetched), host)
        return YatetoStages(below.tensor_language, below.artifact, below.target, below.decision, function)

    def lower(self, function: tensor_language.Function, host: Host = as_it_is) -> Stages:
        """A function of the tensor language, down to OpenCL C; E0616 if it computes with numbers of no device."""
        check_numbers(function)
        function, target = self.transform(function), self.target
        decision = self.decide(function, target)
        plan = scheduled(function, target, decision, [self._pass_observer])
        self.observe(function.name, Level.SCHEDULE, plan)
        made = with_sums(artifact_of(plan), function, target)
        artifact = replace(host(made), checks_indices=self.options.check_indices)
        self.observe(function.name, Level.CL, artifact)
        return Stages(function, artifact, target, decision)

    def transform(self, function: tensor_language.Function) -> tensor_language.Function:
        """The function behind the passes that the options ask for: the one that is shown."""
        steps = backend.selected(backend.passes(limits_of(self.target)), self.options.passes)
        shown = backend.run(function, steps, [self._pass_observer])
        self.observe(shown.name, Level.TL, shown)
        return shown

    def _observer(self, kernel: str) -> Callable[[str, ir.Graph | ir.Plan], None]:
        return lambda step, value: self.observe(kernel, LEVELS.get(step, step), value)

    def _pass_observer(self, step: str, value: tensor_language.Function) -> None:
        self.observe(value.name, step, value)


LEVELS = {level.value: level for level in Level}
