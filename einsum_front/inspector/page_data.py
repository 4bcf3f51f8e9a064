"""The page as one JSON value: texts, lines, words in them, and links between lines.

    page    = { title, version, names, sources, roots: [text], kernels: [kernel], errors: [error] }
    text    = { name, level, lines: [line] }                       what the user wrote, and its notation
    kernel  = { name, levels: [level], spans: [span], bases, explained, graph, patterns, memory, passes, measured }
    level   = { id, lines: [line] }
    line    = { t: text, k?: [token], o?: [[level, first, last]], s?: [number of a span], r?: {index: role} }
    token   = [first column, end, entity]                          t:Q is a tensor, i:k an index
    span    = [text, first line, first column, end line, end column]

`names` are those of the levels, `sources` the levels that people write. Lines and columns count from 0, ends of columns
are excluded. `o` are the lines of levels above that a line came from, `s` the characters. Python makes all of it and
tests it; the script of the page only shows it.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from difflib import unified_diff
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from einsum_front import __version__, ir
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic, Origin, Source, Span
from einsum_front.core.extent import hint
from einsum_front.core.origins import UnreadSource
from einsum_front.driver import LevelValue, Observer, Stages
from einsum_front.driver.stages import GraphStages, NotationStages
from einsum_front.driver.texts import explanation, level_text, suffix_of
from einsum_front.driver.trace import Traced, trace
from einsum_front.edited import with_source
from einsum_front.inspector.tokens import (
    Names,
    Token,
    is_collective,
    names_of,
    roles_of_line,
    tokens_of_line,
    tokens_of_notation,
)
from einsum_front.ir.contraction.unparse import unparse_node
from einsum_front.notation import syntax
from einsum_front.notation.parse import parse
from einsum_front.options import LEVEL_NAMES, SOURCE_LEVELS, Level

# -- parts of a page ---------------------------------------------------------------------------------------------------
# The kernels of a text at every level, what each pass made, and what is wrong with the text.


@dataclass(frozen=True, slots=True)
class Step:
    """What a pass made of a kernel, as text; `level` is the suffix of its language."""

    name: str
    level: str
    text: str


@dataclass(frozen=True, slots=True)
class Inspected:
    """A kernel at the levels below the notation, and what the passes made of it on its way."""

    stages: Stages
    levels: tuple[Traced, ...]
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Collected:
    """The kernels of a text, or the mistakes in it."""

    kernels: tuple[Inspected, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(slots=True)
class Passes:
    """The observer that keeps what passes make, as text."""

    steps: dict[str, list[Step]] = field(default_factory=dict)

    def __call__(self, kernel: str, step: Level | str, value: LevelValue) -> None:
        """The text of a pass, and those that the passes of a level begin with."""
        if not isinstance(step, Level) or step is Level.TL:
            name = step.value if isinstance(step, Level) else step
            self.steps.setdefault(kernel, []).append(Step(name, suffix_of(value), level_text(value)))


def collect(translate: Callable[[Observer], tuple[Stages, ...]], edited: Source | None = None) -> Collected:
    """Translates with an observer; mistakes of the text become a part of what is shown.

    `edited` is OpenCL C in the place of what is generated, for the one kernel of the text.
    """
    passes = Passes()
    try:
        kernels = translate(passes)
        return Collected(tuple(inspected(each, edited, passes.steps.get(each.name, ())) for each in kernels))
    except CompileError as error:
        return Collected(diagnostics=error.diagnostics)


def inspected(stages: Stages, edited: Source | None = None, steps: Iterable[Step] = ()) -> Inspected:
    """A kernel at its levels; what was edited is shown as one more pass."""
    found = list(steps)
    if edited is not None:
        with_source(stages.artifact, edited, stages.name)  # the launch relies on its head
        texts = (("generated", stages.artifact.source), ("edited", edited.text))
        found += [Step(name, Level.CL.value, text) for name, text in texts]
    return Inspected(stages, trace(stages, edited), tuple(found))


def sources_of(kernel: Inspected) -> dict[str, Source]:
    """The texts that the lines of a kernel came from and that are none of its levels, by name."""
    levels = {each.source.name for each in kernel.levels}
    spans = (span for each in kernel.levels for origin in each.origins for span in origin)
    return {span.source.name: span.source for span in spans if span.source.name not in levels}


if TYPE_CHECKING:
    from einsum_front.inspector.measure import Measured

Data = dict[str, Any]
"""A JSON object."""

MOST_ENTRIES = 1 << 16
"""Entries of a value whose zero pattern is drawn."""

MOST_LINES_OF_DIFF = 400
"""Lines of a difference between two passes that are shown."""


def model(
    title: str,
    collected: Collected,
    given: Source,
    level: Level,
    program: syntax.Program | None = None,
    measured: "Mapping[str, Measured] | None" = None,
) -> Data:
    """The page of a text; `program` is what it says, if it is in the notation."""
    roots = _roots(collected, given, level)
    numbers = {source.name: number for number, (source, _) in enumerate(roots)}
    kernels = [_Kernel(each, numbers, (measured or {}).get(each.stages.name)) for each in collected.kernels]
    texts = [
        _root(source, Level(name), (program if source == given else None) or _program(source, Level(name)), kernels)
        for source, name in roots
    ]
    return {
        "title": title,
        "version": __version__,
        "names": {level.value: name for level, name in LEVEL_NAMES.items()},
        "sources": [level.value for level in SOURCE_LEVELS],
        "roots": texts,
        "kernels": [kernel.data() for kernel in kernels],
        "errors": [_error(each, given) for each in collected.diagnostics],
    }


def _roots(collected: Collected, given: Source, level: Level) -> list[tuple[Source, str]]:
    """The text itself, behind the notation that it says it came from."""
    others = {name: source for kernel in collected.kernels for name, source in sources_of(kernel).items()}
    known = [source for source in others.values() if not isinstance(source, UnreadSource) and source != given]
    own = [(given, level.value)] if given.text else []  # a graph of another front end has no text
    return [*((source, Level.EIN.value) for source in known), *own]


def _program(source: Source, level: Level) -> syntax.Program | None:
    """What the notation says that an edited text came from; None if it is none, as an index string."""
    if level is not Level.EIN:
        return None
    try:
        return parse(source)
    except CompileError:
        return None


def _root(source: Source, level: Level, program: syntax.Program | None, kernels: "Sequence[_Kernel]") -> Data:
    lines = source.text.splitlines()
    if level is Level.EIN:
        tokens = {} if program is None else tokens_of_notation(program, source)
    else:
        known = [kernel.names for kernel in kernels]
        names = Names(
            {k: v for each in known for k, v in each.tensors.items()},
            frozenset().union(*(each.loops for each in known)),
            frozenset().union(*(each.indices for each in known)),
        )
        tokens = {number: tokens_of_line(level, text, names) for number, text in enumerate(lines)}
    shown = [_line(text, tokens.get(number, [])) for number, text in enumerate(lines)]
    return {"name": source.name, "level": level.value, "lines": shown}


def _line(text: str, tokens: Sequence[Token]) -> Data:
    return {"t": text} | ({"k": [list(token) for token in tokens]} if tokens else {})


def _error(diagnostic: Diagnostic, given: Source) -> Data:
    """A mistake with its places in the given text; what is elsewhere stands in its words."""
    labels = []
    for label in diagnostic.labels:
        if label.span.source == given:
            line, column = given.position(label.span.start)
            end_line, end = given.position(label.span.end)
            labels.append([line - 1, column - 1, end - 1 if end_line == line else len(given.line(line)), label.text])
    said = {"code": diagnostic.code, "message": diagnostic.message, "labels": labels}
    return said | {"notes": list(diagnostic.notes), "helps": list(diagnostic.helps)}


class _Kernel:
    """One kernel: spans are numbered as they come."""

    def __init__(self, kernel: Inspected, texts: Mapping[str, int], measured: "Measured | None") -> None:
        self._kernel = kernel
        self._texts = texts
        self._measured = measured
        self._numbers = {each.source.name: number for number, each in enumerate(kernel.levels)}
        self._spans: dict[tuple[int, ...], int] = {}
        stages = kernel.stages
        spelled: dict[str, str] = {}
        if isinstance(stages, GraphStages):
            graphs = (stages.planned.graph, stages.planned.graph.prologue)
            spelled = {t.name: t.name for graph in graphs if graph is not None for t in graph.tensors}
            spelled |= {b.tensor.name: b.tensor.name for b in stages.planned.plan.buffers}
        else:
            spelled = {p.name: p.name for p in stages.artifact.arguments}
        self.names = names_of(spelled, {each.level: each.source.text for each in kernel.levels})

    def data(self) -> Data:
        """Everything about the kernel."""
        stages = self._kernel.stages
        levels = [self._level(number) for number in range(len(self._kernel.levels))]
        bases = {}
        if isinstance(stages, NotationStages):
            bases = {t.name: t.spelling.partition("{")[0] for t in stages.program.tensors if t.name != t.spelling}
        planned = stages.planned if isinstance(stages, GraphStages) else None
        explained = explanation(stages)
        return {
            "name": stages.name,
            "levels": levels,
            "spans": [list(span) for span in self._spans],
            "bases": bases,
            "explained": explained,
            "graph": None if planned is None else _graph(planned.graph),
            "patterns": [] if planned is None else _patterns(planned.graph),
            "memory": None if planned is None else _memory(planned.plan),
            "passes": _differences(self._kernel.steps),
            "measured": None if self._measured is None else self._measured.data(),
        }

    def _level(self, number: int) -> Data:
        traced = self._kernel.levels[number]
        lines = traced.source.text.splitlines()
        data = []
        for text, origin in zip(lines, traced.origins, strict=True):
            inner = traced.level is Level.CL and self._is_in_collective(origin)
            data.append(self._line(traced.level, text, origin, self.names, is_inner=inner))
        return {"id": traced.level.value, "lines": data}

    def _is_in_collective(self, origin: Origin) -> bool:
        """True if the line of the tensor language that a line came from is a collective instruction."""
        places = (span for span in origin if span.source.name.endswith(f".{Level.TL.value}"))
        return any(is_collective(span.text) for span in places)

    def _line(self, level: Level, text: str, origin: Origin, names: Names, *, is_inner: bool) -> Data:
        line = _line(text, tokens_of_line(level, text, names, is_collective=is_inner))
        above, spans = [], []
        for span in origin:
            first, column = span.source.position(span.start)
            last, end = span.source.position(_end(span))
            if span.source.name in self._numbers:
                above.append([self._numbers[span.source.name], first - 1, last - 1])
            elif span.source.name in self._texts and not isinstance(span.source, UnreadSource):
                key = (self._texts[span.source.name], first - 1, column - 1, last - 1, end - 1)
                spans.append(self._spans.setdefault(key, len(self._spans)))
        if above:
            line["o"] = above
        if spans:
            line["s"] = list(dict.fromkeys(spans))
        if level is Level.YIR and (roles := roles_of_line(text)):
            line["r"] = roles
        return line


def _end(span: Span) -> int:
    """The end of a place; of a function or a loop it is that of its first line, since others stand for the rest."""
    head, newline, rest = span.text.partition("\n")
    return span.start + len(head) if newline and rest.rstrip().endswith("}") else span.end


# -- graph, patterns, memory -------------------------------------------------------------------------------------------


def _graph(graph: ir.Graph) -> Data:
    """Nodes with their short and long labels and their line in the text of the graph; arrows to who reads them."""
    nodes, edges, line = [], [], 0
    offset = 0
    for each in (graph,) if graph.prologue is None else (graph.prologue, graph):
        line += 1
        for key, node in each.nodes:
            kind, label = type(node).__name__.lower(), unparse_node(each, key)
            named = each.describe(key) if kind in ("leaf", "assignment") else ""
            nodes.append({"id": offset + key, "kind": kind, "name": named, "label": label, "line": line})
            edges += [[offset + operand, offset + key] for operand in each.operands(key)]
            line += 1
        offset += len(each.values)
        line += 1
    return {"nodes": nodes, "edges": edges}


def _patterns(graph: ir.Graph) -> list[Data]:
    """For each node whose value has zeros that are known: its shape, and runs of entries that matter, column-major."""
    found = []
    line = 0
    for each in (graph,) if graph.prologue is None else (graph.prologue, graph):
        line += 1
        patterns = ir.analyse(each).equivalent
        for (key, _), pattern in zip(each.nodes, patterns, strict=True):
            if 0 < pattern.size <= MOST_ENTRIES and pattern.ndim and not pattern.is_full:
                found.append(
                    {
                        "node": f"%{key}",
                        "name": each.describe(key),
                        "label": unparse_node(each, key),
                        "line": line,
                        "shape": list(pattern.shape),
                        "count": pattern.count(),
                        "runs": [end for run in pattern.runs() for end in run],
                    }
                )
            line += 1
        line += 1
    return found


def _memory(plan: ir.Plan) -> Data:
    """Temporaries with their bytes and the steps that use them."""
    buffers = [
        {"name": b.tensor.name, "bytes": int(hint(b.bytes)), "first": b.first, "last": b.last}
        for b in plan.buffers
        if b.is_temporary and b.first is not None
    ]
    return {"steps": len(plan.steps), "buffers": buffers, "peak": int(hint(ir.peak_bytes(plan.buffers)))}


# -- passes ------------------------------------------------------------------------------------------------------------


def _differences(steps: Iterable[Step]) -> list[Data]:
    """What each pass changed: the lines of a difference to what the pass before it made, in one language."""
    found: list[Data] = []
    before: dict[str, str] = {}
    for step in steps:
        known = before.get(step.level)
        lines: list[str] = []
        if known is not None and known != step.text:
            lines = list(unified_diff(known.splitlines(), step.text.splitlines(), lineterm="", n=2))[2:]
        rest = len(lines) - MOST_LINES_OF_DIFF
        if rest > 0:
            lines = [*lines[:MOST_LINES_OF_DIFF], f"@@ {rest} more lines @@"]
        found.append({"name": step.name, "level": step.level, "is_first": known is None, "lines": lines})
        before[step.level] = step.text
    return found


# -- the page ----------------------------------------------------------------------------------------------------------
# One HTML file with its style, its scripts and its data inside, which needs no network.


def page(data: dict[str, Any]) -> str:
    """The HTML of the page that shows the data."""
    shown = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=str)
    parts = {
        "title": _escaped(str(data.get("title", "einsum-front"))),
        "style": _part("page.css"),
        "dagre": _part("dagre.min.js").replace("//# sourceMappingURL=dagre.min.js.map", ""),
        "license": _part("dagre.LICENSE").replace("--", "- -"),
        "script": _part("page.js") + _part("drawings.js"),
        # a browser ends a script at the first `</`, and reads `<!--` in it
        "data": shown.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"),
    }
    pieces = _part("page.html").split("@@")
    return "".join(parts[piece] if number % 2 else piece for number, piece in enumerate(pieces))


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@cache
def _part(name: str) -> str:
    return files("einsum_front.inspector").joinpath("templates", name).read_text(encoding="utf-8")
