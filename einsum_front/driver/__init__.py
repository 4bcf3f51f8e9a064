"""The whole compiler on one screen: a text in, kernels out, every level in between.

A text enters at its level (notation, YATeTo language or tensor language) and passes through all levels after it. After
each step the observer sees the kernel's name, the step (a level, or a pass over one of them) and the value:
dumping, printing and timing are observers.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from einsum_front.diagnostics import CompileError, CompilerBug, Diagnostic, Label, Origin, Source, Span
from einsum_front.elaborate import elaborate
from einsum_front.ir import pipeline as planning
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.emit_tensor_language import emit as emit_tensor_language
from einsum_front.ir.plan.plan import Plan
from einsum_front.ir.yateto import nodes as yateto
from einsum_front.ir.yateto.parse import parse as parse_yateto
from einsum_front.ir.yateto.prologues import with_prologues as prologues
from einsum_front.ir.yateto.verify import check as check_yateto
from einsum_front.notation import syntax
from einsum_front.notation.check import check
from einsum_front.notation.checked import CheckedProgram, Kernel
from einsum_front.notation.parse import parse
from einsum_front.options import Level, Options
from einsum_front.runtime.artifact import Artifact
from einsum_front.tl_backend import pipeline as backend
from einsum_front.tl_backend import program as tensor_language
from einsum_front.tl_backend.emit import artifact_of
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.parse import parse as parse_tensor_language
from einsum_front.tl_backend.passes.choose_work_group import WorkGroupLimits
from einsum_front.tl_backend.program import with_prologues
from einsum_front.tl_backend.schedules.choice import Scheduled, is_tiled, schedule
from einsum_front.tl_backend.schedules.launch import with_work_group
from einsum_front.tl_backend.schedules.tuning import Tuning
from einsum_front.tl_backend.verify import check as check_tensor_language

LevelValue = Graph | Plan | yateto.Function | tensor_language.Function | Scheduled | Artifact
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


@dataclass(frozen=True, slots=True)
class Translation:
    """One kernel at every level; a level above the one that its text was written in is None."""

    name: str
    program: CheckedProgram | None
    checked: Kernel | None
    graph: Graph | None
    plan: Plan | None
    yateto: yateto.Function | None
    tensor_language: tensor_language.Function
    artifact: Artifact
    target: Target
    decision: Decision = Decision()

    def at(self, level: Level) -> LevelValue | None:
        """The kernel at one level below the notation."""
        match level:
            case Level.EIN:
                return None
            case Level.GRAPH:
                return self.graph
            case Level.PLAN:
                return self.plan
            case Level.YIR:
                return self.yateto
            case Level.TL:
                return self.tensor_language
            case Level.SCHEDULE:
                return scheduled(self.tensor_language, self.target, self.decision)
            case Level.CL:
                return self.artifact


@dataclass(frozen=True, slots=True)
class Planned:
    """One kernel of the notation as far as no device matters."""

    program: CheckedProgram
    checked: Kernel
    graph: Graph
    plan: Plan


def ignore(_kernel: str, _step: Level | str, _value: LevelValue) -> None:
    """The observer that looks away."""


def translate(
    source: Source,
    level: Level,
    target: Target,
    options: Options,
    observe: Observer = ignore,
    decide: Decide = by_model,
) -> tuple[Translation, ...]:
    """The kernels of a text, down to OpenCL C; raises `CompileError` with every mistake that was found."""
    match level:
        case Level.TL:
            return tuple(
                _from_tensor_language(f, target, options, observe, decide) for f in _functions(source, options)
            )
        case Level.YIR:
            definitions = parse_yateto(source)
            check_yateto(definitions)
            written = definitions.functions if options.kernel is None else prologues(definitions.functions)
            chosen = _choose([function.name for function in written], options, (_start(source),))
            functions = [function for function in written if function.name in chosen]
            return tuple(_from_yateto(f, target, options, observe, decide) for f in functions)
        case _:
            return translate_program(parse(source), target, options, observe, Path(source.name).parent, decide)


def translate_program(
    text: syntax.Program,
    target: Target,
    options: Options,
    observe: Observer = ignore,
    directory: Path = Path(),
    decide: Decide = by_model,
) -> tuple[Translation, ...]:
    """The kernels of a program in the notation; paths in it are relative to `directory`."""
    program, kernels = _checked(text, options, directory)
    return tuple(_from_checked(kernel, program, target, options, observe, decide) for kernel in kernels)


def plan_program(text: syntax.Program, options: Options, directory: Path = Path()) -> tuple[Planned, ...]:
    """The plans of the kernels of a program in the notation; they need not fit a device."""
    program, kernels = _checked(text, options, directory)
    return tuple(_planned(kernel, program, options, ignore) for kernel in kernels)


def transform(
    source: Source, target: Target, options: Options, observe: Observer = ignore
) -> tuple[tensor_language.Function, ...]:
    """The functions of a text in the tensor language behind the passes that are asked for; it need not fit a device."""
    return tuple(_transformed(function, target, options, observe) for function in _functions(source, options))


def _functions(source: Source, options: Options) -> tuple[tensor_language.Function, ...]:
    program = parse_tensor_language(source)
    check_tensor_language(program)
    functions = program.functions if options.kernel is None else with_prologues(program.functions)
    chosen = _choose([function.name for function in functions], options, (_start(source),))
    return tuple(function for function in functions if function.name in chosen)


def check_text(text: syntax.Program, options: Options, directory: Path = Path()) -> None:
    """Raises `CompileError` if the checker has anything against a program in the notation."""
    _checked(text, options, directory)


def _checked(text: syntax.Program, options: Options, directory: Path) -> tuple[CheckedProgram, tuple[Kernel, ...]]:
    """A program in the notation, and those of its kernels that are asked for."""
    program = check(text, options.defines, directory, options.real, options.kernel)
    chosen = _choose([kernel.name for kernel in program.kernels], options, text.items[-1].origin)
    return program, tuple(kernel for kernel in program.kernels if kernel.name in chosen)


def _from_checked(
    kernel: Kernel, program: CheckedProgram, target: Target, options: Options, observe: Observer, decide: Decide
) -> Translation:
    return translate_planned(_planned(kernel, program, options, observe), target, options, observe, decide)


def translate_planned(
    planned: Planned, target: Target, options: Options, observe: Observer = ignore, decide: Decide = by_model
) -> Translation:
    """A kernel that is planned, down to OpenCL C."""
    translation = _from_yateto(planning.emit_yateto(planned.plan), target, options, observe, decide)
    return replace(
        translation, program=planned.program, checked=planned.checked, graph=planned.graph, plan=planned.plan
    )


def with_strides(
    translation: Translation, strides: Mapping[str, tuple[int, ...]], target: Target, options: Options, decide: Decide
) -> Translation:
    """A kernel of the notation once more, for these strides of the tensors that are named, in elements."""
    program, kernel = translation.program, translation.checked
    if program is None or kernel is None:
        raise CompilerBug("a kernel of a lower level has the strides of its text")
    tensors = (replace(tensor, strides=strides.get(tensor.name, tensor.strides)) for tensor in program.tensors)
    return _from_checked(kernel, replace(program, tensors=tuple(tensors)), target, options, ignore, decide)


def _planned(kernel: Kernel, program: CheckedProgram, options: Options, observe: Observer) -> Planned:
    written = elaborate(kernel, program)
    taken = [each.name for each in program.kernels]
    graph = planning.simplify(written, lambda step, value: observe(kernel.name, step, value), options.max_temp, taken)
    observe(kernel.name, Level.GRAPH, graph)
    plan = planning.plan(graph, options.max_temp)
    observe(kernel.name, Level.PLAN, plan)
    return Planned(program, kernel, graph, plan)


def _from_yateto(
    function: yateto.Function, target: Target, options: Options, observe: Observer, decide: Decide
) -> Translation:
    observe(function.name, Level.YIR, function)
    (lowered,) = emit_tensor_language(yateto.Program((function,))).functions
    return replace(_from_tensor_language(lowered, target, options, observe, decide), yateto=function)


def _from_tensor_language(
    function: tensor_language.Function, target: Target, options: Options, observe: Observer, decide: Decide
) -> Translation:
    function = _transformed(function, target, options, observe)
    decision = decide(function, target)
    watch: list[backend.Observer] = [lambda step, value: observe(value.name, step, value)]
    plan = scheduled(function, target, decision, watch)
    observe(function.name, Level.SCHEDULE, plan)
    artifact = artifact_of(plan)
    observe(function.name, Level.CL, artifact)
    return Translation(function.name, None, None, None, None, None, function, artifact, target, decision)


def scheduled(
    function: tensor_language.Function,
    target: Target,
    decision: Decision,
    observers: Iterable[backend.Observer] = (),
) -> Scheduled:
    """How a function runs that the passes are still ahead of."""
    return schedule(ready(function, target, decision.wanted, observers), target, decision.wanted, decision.why)


def schedule_planned(planned: Planned, target: Target) -> Scheduled:
    """How a kernel of the notation runs where the model decides; it need not fit the target."""
    (function,) = emit_tensor_language(yateto.Program((planning.emit_yateto(planned.plan),))).functions
    return scheduled(function, target, Decision())


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


def _transformed(
    function: tensor_language.Function, target: Target, options: Options, observe: Observer
) -> tensor_language.Function:
    """The function behind the passes that the user asks for: the one that is shown."""
    steps = backend.selected(backend.passes(limits_of(target)), options.passes)
    shown = backend.run(function, steps, [lambda step, value: observe(value.name, step, value)])
    observe(shown.name, Level.TL, shown)
    return shown


PASSES = tuple(name for name, _ in backend.passes(WorkGroupLimits(is_cpu=True, max_work_group_size=1)))
"""The names of the passes over the tensor language, in their order."""


def limits_of(target: Target) -> WorkGroupLimits:
    """What the passes ask of a target."""
    memory = target.local_memory, target.private_memory
    return WorkGroupLimits(
        target.is_cpu, target.max_work_group_size, target.subgroup_sizes, *memory, has_panels=target.has_panels
    )


def _choose(names: list[str], options: Options, place: Origin) -> frozenset[str]:
    """The kernels that are asked for: one by its name, or a family by its stem. `place` is shown if there are none."""
    if not names:
        labels = tuple(Label(span, "no kernel up to the end of the text") for span in place[:1])
        raise CompileError([Diagnostic("E0229", "the text has nothing to compile", labels)])
    if options.kernel is None:
        return frozenset(names)
    chosen = frozenset(n for n in names if n == options.kernel or _is_member(n, options.kernel))
    if not chosen:
        raise CompileError([_no_such_kernel(options.kernel, names)])
    return chosen


def _start(source: Source) -> Span:
    return Span(source, 0, 0)


def _is_member(name: str, family: str) -> bool:
    tail = name.removeprefix(f"{family}_")
    return tail != name and all(part.isdigit() for part in tail.split("_"))


def _no_such_kernel(name: str, names: list[str]) -> Diagnostic:
    listed = ", ".join(f"`{each}`" for each in names)
    return Diagnostic("E0221", f"there is no kernel `{name}`", notes=(f"the text has {listed}",))
