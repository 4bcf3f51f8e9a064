"""A kernel at every level, with links from each line to the lines that it came from.

Each level is printed; its nodes get their places in that text in front of their origins; then they are translated once
more, which carries the places down. What is translated is the same as before: origins are no part of it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from difflib import SequenceMatcher
from typing import Any, TypeVar, cast

from einsum_front import ir
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug, Origin, Source, Span
from einsum_front.core.writer import Written, origins_of_lines
from einsum_front.driver.session import Session
from einsum_front.driver.stages import GraphStages, Stages, YatetoStages, scheduled
from einsum_front.ir.contraction.unparse import unparse_with_origins as unparse_graph
from einsum_front.ir.yateto import nodes as yateto
from einsum_front.ir.yateto.parse import parse as parse_yateto
from einsum_front.ir.yateto.unparse import unparse_with_origins as unparse_yateto
from einsum_front.options import Level
from einsum_front.tl_backend import program as tensor_language
from einsum_front.tl_backend import schedule_text, walk
from einsum_front.tl_backend.emit import lines_of
from einsum_front.tl_backend.parse import parse as parse_tensor_language
from einsum_front.tl_backend.unparse import unparse_instruction
from einsum_front.tl_backend.unparse import unparse_with_origins as unparse_tensor_language

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Traced:
    """The text of a kernel at one level; `origins` has one for each line: places in the texts of levels above."""

    level: Level
    source: Source
    origins: tuple[Origin, ...]


def trace(stages: Stages, edited: Source | None = None) -> tuple[Traced, ...]:
    """The levels of a kernel below the notation, in the order of the translation.

    `edited` is OpenCL C in the place of what is generated. Its lines came from where those came from that they replace.
    """
    return tuple(_Trace(stages, edited).levels())


class _Trace:
    def __init__(self, stages: Stages, edited: Source | None) -> None:
        self._stages = stages
        self._edited = edited
        self._session = Session(stages.target, decide=lambda _function, _target: stages.decision)

    def levels(self) -> Iterator[Traced]:
        stages = self._stages
        if isinstance(stages, GraphStages):
            drawn = unparse_graph(stages.planned.graph)
            yield (graph := self._traced(Level.GRAPH, *drawn))
        if isinstance(stages, YatetoStages):
            placed = stages.yateto
            if isinstance(stages, GraphStages):
                plan = _after_graph(stages.planned, graph.source, drawn[1])
                written = ir.explain_with_origins(plan)
                yield (traced := self._traced(Level.PLAN, *written))
                placed = _same(ir.emit_yateto(_placed_plan(plan, traced.source, written[1])), stages.yateto)
            program = yateto.Program((placed,))
            yield (traced := self._traced(Level.YIR, *unparse_yateto(program)))
            placed = _grafted(placed, _entry(parse_yateto(traced.source).functions, placed.name))
            lowered = self._session.transform(ir.lower_yateto(placed))
            function = _same(lowered, stages.tensor_language)
        else:
            function = stages.tensor_language
        yield (traced := self._traced(Level.TL, *unparse_tensor_language(tensor_language.Program((function,)))))
        function = _grafted(function, _entry(parse_tensor_language(traced.source).functions, function.name))
        yield from self._below(function)

    def _below(self, function: tensor_language.Function) -> Iterator[Traced]:
        """The schedule and OpenCL C."""
        plan = scheduled(function, self._stages.target, self._stages.decision)
        source = self._source(Level.SCHEDULE, schedule_text(plan))
        functions = [plan.function, *([plan.prologue.function] if plan.prologue is not None else [])]
        yield Traced(Level.SCHEDULE, source, tuple(_schedule_origins(source.text, functions)))
        source = self._source(Level.CL, self._stages.artifact.source)
        origins = tuple(_source_origins(source.text, lines_of(plan)))
        if self._edited is not None:
            text = self._edited.text
            origins, source = tuple(_edited_origins(source.text, origins, text)), self._source(Level.CL, text)
        yield Traced(Level.CL, source, origins)

    def _traced(self, level: Level, text: str, written: tuple[Written, ...]) -> Traced:
        whole = written[0].origin if level is Level.PLAN else ()
        return Traced(level, self._source(level, text), tuple(o or whole for o in origins_of_lines(text, written)))

    def _source(self, level: Level, text: str) -> Source:
        return Source(f"{self._stages.name}.{level.value}", text)


def _entry(functions: Sequence[T], name: str) -> T:
    return next(each for each in functions if getattr(each, "name", None) == name)


def _same(found: T, expected: T) -> T:
    if found != expected:
        raise CompilerBug("places in texts have changed what is translated")
    return found


def _placed_plan(plan: ir.Plan, source: Source, written: Sequence[Written]) -> ir.Plan:
    """The plan with the places of buffers and steps in its text in front of their origins."""
    spans = [Span(source, each.start, each.end) for each in written]
    count = len(plan.buffers)
    buffers, steps = spans[1 : 1 + count], spans[1 + count : 1 + count + len(plan.steps)]
    first = [() if b.first is None else plan.steps[b.first].statement for b in plan.buffers]
    placed = [
        replace(buffer, tensor=replace(buffer.tensor, origin=(span, *(buffer.tensor.origin or statement))))
        for buffer, span, statement in zip(plan.buffers, buffers, first, strict=True)
    ]
    done = [replace(step, origin=(span, *step.origin)) for step, span in zip(plan.steps, steps, strict=True)]
    prologue = None
    if plan.prologue is not None:
        rest = _written_count(plan)
        prologue = _placed_plan(plan.prologue, source, written[rest:])
    return replace(plan, buffers=tuple(placed), steps=tuple(done), prologue=prologue)


def _after_graph(planned: ir.Planned, source: Source, written: Sequence[Written]) -> ir.Plan:
    """The plan with the places of products and statements of the graph in front of the origins of its steps."""
    graph, plan = planned.graph, planned.plan
    spans = [Span(source, each.start, each.end) for each in written]
    before = 0 if graph.prologue is None else 1 + len(graph.prologue.values)
    prologue = plan.prologue
    if graph.prologue is not None and prologue is not None:
        prologue = _with_nodes(graph.prologue, prologue, spans[1:before])
    return replace(_with_nodes(graph, plan, spans[before + 1 :]), prologue=prologue)


def _with_nodes(graph: ir.Graph, plan: ir.Plan, spans: Sequence[Span]) -> ir.Plan:
    """A step is for the node that has its origin, and reads no other tensors; it may be one of several for the node."""
    leaves: list[frozenset[str]] = []
    for key, _ in graph.nodes:
        own = frozenset({graph.describe(key)}) if not graph.operands(key) else frozenset[str]()
        leaves.append(own.union(*(leaves[operand] for operand in graph.operands(key))))
    temporaries = {buffer.tensor.name for buffer in plan.buffers if buffer.is_temporary}
    read: dict[str, frozenset[str]] = {}
    steps = []
    for step in plan.steps:
        names = frozenset[str]().union(
            *(read.get(view.buffer, frozenset({view.buffer}) - temporaries) for view in step.operands)
        )
        if step.target.buffer in temporaries:
            read[step.target.buffer] = names
        fitting = [key for key, node in graph.nodes if node.origin == step.origin and names <= leaves[key]]
        found = min(fitting, key=lambda each: (len(leaves[each]), each), default=None)
        steps.append(step if found is None or not names else replace(step, origin=(spans[found], *step.origin)))
    return replace(plan, steps=tuple(steps))


def _written_count(plan: ir.Plan) -> int:
    """The number of parts of the text of a plan that have an origin, without its prologue."""
    alone = ir.explain_with_origins(replace(plan, prologue=None))
    return len(alone[1])


def _grafted(node: T, read: T) -> T:
    """The nodes with their places, as they were read, in front of their origins.

    Both are alike but for origins and, in what is read, the names of indices. Operands keep theirs.
    """
    if isinstance(node, tuple) and isinstance(read, tuple):
        return cast("T", tuple(_grafted(one, other) for one, other in zip(node, read, strict=True)))
    if not is_dataclass(node) or isinstance(node, type) or type(node) is not type(read):
        return node
    changed: dict[str, Any] = {}
    for field in fields(node):
        one, other = getattr(node, field.name), getattr(read, field.name)
        if field.name == "origin":
            changed["origin"] = (*other[:1], *one)
        elif field.name in ("body", "then", "otherwise", "arguments", "prologue") and one is not None:
            changed[field.name] = _grafted(one, other)
    return replace(node, **changed)


_STATEMENT_END = re.compile(r" : | \{$")


def _schedule_origins(text: str, functions: Sequence[tensor_language.Function]) -> Iterator[Origin]:
    """A line of the plan that begins with an instruction came from it, and so do those below that say more of it.

    Instructions stand there in the order of the function, without their types.
    """
    waiting = [
        (_STATEMENT_END.split(unparse_instruction(each).partition("\n")[0].strip())[0], each.origin)
        for function in functions
        for each in walk(function.body)
    ]
    current: tuple[int, Origin] | None = None
    whole = iter([each.origin for each in functions])
    kernel: Origin = ()
    for line in text.splitlines():
        kernel = next(whole, ()) if line.startswith("schedule ") else kernel
        words, depth = line.strip(), len(line) - len(line.lstrip())
        number = next((n for n, (statement, _) in enumerate(waiting) if statement == words.removesuffix(" {")), None)
        if number is not None:
            current = depth, waiting[number][1]
            waiting = waiting[number + 1 :]
        elif current is not None and depth <= current[0]:
            current = None
        yield kernel if current is None else current[1]


_DEFINITION = re.compile(r"^constant \w+ (\w+)\[|^(?:static |__device__ )*void (\w+)\(")


def _of_readers(lines: Sequence[tuple[str, Origin]]) -> list[tuple[str, Origin]]:
    """The lines; those of a table or a helper above the kernels came from where all came from that name it."""
    found = list(lines)
    for first, (line, origin) in enumerate(lines):
        match = _DEFINITION.match(line)
        if match is None or origin:
            continue
        name = re.compile(rf"\b{match[1] or match[2]}\b")
        readers = dict.fromkeys(span for text, places in lines if places and name.search(text) for span in places)
        for number in range(first, len(lines)):
            if lines[number][1]:
                break
            found[number] = lines[number][0], tuple(readers)
            if lines[number][0].startswith("}"):
                break
    return found


def _source_origins(text: str, lines: Sequence[tuple[str, Origin]]) -> Iterator[Origin]:
    """The origins of the lines of a source, of which comments may say more places; comments go with what follows."""
    real, traced = text.splitlines(), [line for line in _of_readers(lines) if not _is_comment(line[0])]
    number, waiting = 0, 0
    for line in real:
        if _is_comment(line):
            waiting += 1
            continue
        if number >= len(traced) or traced[number][0] != line:
            raise CompilerBug("places in texts have changed the source")
        yield from [traced[number][1]] * (waiting + 1)
        number, waiting = number + 1, 0
    yield from [()] * waiting


def _edited_origins(before: str, origins: Sequence[Origin], after: str) -> Iterator[Origin]:
    """The origins of an edited text; new lines have those of the lines that they replace, or of the line above."""
    one, other = before.splitlines(), after.splitlines()
    for _, first, last, start, end in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if other[start:end] == one[first:last]:
            yield from origins[first:last]
        else:
            replaced = origins[first:last] or origins[max(0, first - 1) : first]
            yield from [tuple(dict.fromkeys(span for origin in replaced for span in origin))] * (end - start)


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("//")
