"""What is made how: a target, options, who watches and who decides; and the levels from the plan downwards."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from einsum_front import ir
from einsum_front.driver.stages import GraphStages, LevelValue, Stages, YatetoStages
from einsum_front.ir.yateto.nodes import Function as YatetoFunction
from einsum_front.options import Level, Options
from einsum_front.tl_backend import pipeline as backend
from einsum_front.tl_backend import program as tensor_language
from einsum_front.tl_backend.emit import emit as emit_opencl
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.passes.choose_work_group import WorkGroupLimits
from einsum_front.tl_backend.schedules.choice import is_tiled
from einsum_front.tl_backend.schedules.launch import with_work_group
from einsum_front.tl_backend.schedules.tuning import Tuning

Observer = Callable[[str, Level | str, LevelValue], None]


@dataclass(frozen=True, slots=True)
class Decision:
    """The form that a kernel gets, None for that of the model; and why, for the first line of its source."""

    wanted: Tuning | None = None
    why: str | None = None


Decide = Callable[[tensor_language.Function, Target], Decision]
"""Chooses the form of a function before the passes that make it ready for OpenCL C."""


def by_model(_function: tensor_language.Function, _target: Target) -> Decision:
    """Leaves it to the model; `choice` knows more."""
    return Decision()


def ignore(_kernel: str, _step: Level | str, _value: LevelValue) -> None:
    """The observer for which all steps are a no-op."""


@dataclass(frozen=True, slots=True)
class Session:
    """A compiler for a target; `observe` sees the value behind each step, `decide` chooses the form of each kernel."""

    target: Target
    options: Options = Options()  # noqa: RUF009 - it is frozen
    observe: Observer = ignore
    decide: Decide = by_model

    def compile_graph(self, graph: ir.Graph) -> GraphStages:
        """A contraction graph, down to OpenCL C."""
        return self.lower_plan(self.plan_graph(graph))

    def plan_graph(self, graph: ir.Graph, taken: Iterable[str] = ()) -> ir.Planned:
        """A contraction graph behind its simplifications, and its plan; a prologue gets no name that is `taken`."""
        return ir.plan_graph(graph, self._observer(graph.name), self.options.max_temp, frozenset(taken))

    def lower_plan(self, planned: ir.Planned) -> GraphStages:
        """A graph that is planned, down to OpenCL C."""
        below = self.lower_yateto(ir.emit_yateto(planned.plan))
        return GraphStages(below.tensor_language, below.artifact, below.yateto, planned)

    def lower_yateto(self, function: YatetoFunction) -> YatetoStages:
        """A function of the YATeTo language, down to OpenCL C."""
        self.observe(function.name, Level.YIR, function)
        below = self.lower(ir.lower_yateto(function))
        return YatetoStages(below.tensor_language, below.artifact, function)

    def lower(self, function: tensor_language.Function) -> Stages:
        """A function of the tensor language, down to OpenCL C."""
        function, target = self.transform(function), self.target
        decision = self.decide(function, target)
        made = ready(function, target, decision.wanted, [self._pass_observer])
        artifact = emit_opencl(made, target, decision.wanted, decision.why)
        self.observe(function.name, Level.CL, artifact)
        return Stages(function, artifact)

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


def ready(
    function: tensor_language.Function,
    target: Target,
    wanted: Tuning | None = None,
    observers: Iterable[backend.Observer] = (),
) -> tensor_language.Function:
    """The function behind the passes, which see the work-group of the form that is wanted: what OpenCL C is made from.

    Raises `CompileError` (E0305) if the function asks for another work-group itself.
    """
    steps = backend.passes(limits_of(target), lambda each: is_tiled(each, target, wanted))
    return backend.run(with_work_group(function, wanted, target), steps, observers)


def limits_of(target: Target) -> WorkGroupLimits:
    """What the passes ask of a target."""
    memory = target.local_memory, target.private_memory
    return WorkGroupLimits(
        target.is_cpu, target.max_work_group_size, target.subgroup_sizes, *memory, has_panels=target.has_panels
    )
