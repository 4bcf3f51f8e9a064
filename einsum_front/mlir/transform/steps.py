"""A script of steps for structured operations on memrefs, named after those of MLIR's transform dialect.

    step     = "tile_using_for" operation numbers         loops over tiles of these sizes, 0 for none
             | "promote" operation numbers                these operands in buffers
             | "fuse_into_containing_op" operation        into the loops behind it
             | "loops" operation [ numbers ]              one position at a time, of these iterators or of all
             | "library_call" operation name              what it is called when it is lowered to calls
    operation = name [ "#" number ]                       without `linalg.`; the number counts those of the name, from 0
    numbers   = "[" [ number { "," number } ] "]"

A line has a step; `//` begins a comment. Steps run in order, each in all functions that have the operation.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, CompilerBug, Diagnostic, Label, Origin, Source, Span, raise_any
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.transform.editor import Editor
from einsum_front.mlir.transform.fuse import fused
from einsum_front.mlir.transform.tile import promoted, tiled, walked_one_by_one

LINE = re.compile(
    r"(?P<step>\w+)(?:\s+(?P<operation>\w+)(?:#(?P<number>\d{1,9}))?)?"
    r"(?:\s*\[(?P<numbers>(?:\s*\d{1,9}\s*(?:,\s*\d{1,9}\s*)*)?)\]|\s+(?P<name>\w+))?"
)
TAKES = {
    "tile_using_for": "numbers",
    "promote": "numbers",
    "fuse_into_containing_op": "nothing",
    "loops": "maybe numbers",
    "library_call": "a name",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a script; `number` counts the operations of this name in a function."""

    kind: str
    operation: str
    number: int = 0
    numbers: tuple[int, ...] | None = None
    name: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)


def parse_steps(source: Source) -> tuple[Step, ...]:
    """The steps of a script. Raises `CompileError` (E0844) for lines that are none."""
    steps: list[Step] = []
    mistakes: list[Diagnostic] = []
    place = 0
    for line in source.text.splitlines(keepends=True):
        text = line.partition("//")[0]
        words = text.strip()
        start = place + len(text) - len(text.lstrip())
        place += len(line)
        if not words:
            continue
        span = Span(source, start, start + len(words))
        found = _step(words, (span,))
        if isinstance(found, Step):
            steps.append(found)
        else:
            mistakes.append(Diagnostic("E0844", found, (Label(span),)))
    raise_any(mistakes)
    return tuple(steps)


def _step(text: str, origin: Origin) -> Step | str:
    """The step that a line says, or what is wrong with it."""
    match_ = LINE.fullmatch(text)
    if match_ is None or match_["step"] not in TAKES:
        return f"expected one of the steps {', '.join(f'`{each}`' for each in TAKES)}, then an operation"
    kind, takes = match_["step"], TAKES[match_["step"]]
    if match_["operation"] is None:
        return f"`{kind}` needs an operation, such as `matmul` or `matmul#1`"
    has = "numbers" if match_["numbers"] is not None else "a name" if match_["name"] else "nothing"
    if has not in (takes, takes.removeprefix("maybe ")) and not (takes.startswith("maybe") and has == "nothing"):
        return f"`{kind}` takes {takes.removeprefix('maybe ')} behind the operation"
    listed = match_["numbers"]
    numbers = None if listed is None else tuple(int(each) for each in re.findall(r"\d+", listed))
    return Step(kind, match_["operation"], int(match_["number"] or 0), numbers, match_["name"] or "", origin)


def transformed(module: mlir.Module, steps: Sequence[Step]) -> mlir.Module:
    """The module after all steps.

    Raises `CompileError`: E0845 for an operation that is not there, E0846 for one that does not allow the step.
    """
    for step in steps:
        functions = [_applied(function, step) for function in module.functions]
        if all(after is None for after in functions):
            raise CompileError([_missing(module, step)])
        pairs = zip(functions, module.functions, strict=True)
        module = replace(module, functions=tuple(after or before for after, before in pairs))
    return module


def _applied(function: mlir.Function, step: Step) -> mlir.Function | None:
    """The function after a step; None if it has no such operation."""
    found = [each for each in structured(function.body or ()) if each.name == step.operation]
    if step.number >= len(found):
        return None
    operation = found[step.number]
    numbers = step.numbers or ()
    try:
        match step.kind:
            case "tile_using_for":
                return tiled(function, operation, numbers)
            case "promote":
                return promoted(function, operation, numbers)
            case "fuse_into_containing_op":
                return fused(function, operation)
            case "loops":
                dims = range(len(operation.iterators)) if step.numbers is None else numbers
                return walked_one_by_one(function, operation, tuple(dims))
            case "library_call":
                return Editor(function).rewritten(operation, lambda each: [_called(each, step.name)])
            case other:
                raise CompilerBug(f"`{other}` is no step")
    except CompileError as error:
        labels, notes = tuple(map(Label, step.origin)), (f"in the function `{function.name}`",)
        placed = [replace(each, labels=labels, notes=(*each.notes, *notes)) for each in error.diagnostics]
        raise CompileError(placed) from None


def _called(operation: mlir.Structured, name: str) -> mlir.Structured:
    """The operation as `linalg.generic`, which alone can say how it is called."""
    return replace(operation, name="generic", library_call=name, dimensions=(), strides=(), dilations=(), kind="")


def structured(body: Sequence[mlir.Operation]) -> Iterator[mlir.Structured]:
    """The structured operations of a body and of its loops, in the order of the text."""
    for each in body:
        if isinstance(each, mlir.Structured):
            yield each
        elif isinstance(each, mlir.For):
            yield from structured(each.body)


def _missing(module: mlir.Module, step: Step) -> Diagnostic:
    counts: dict[str, int] = {}
    for function in module.functions:
        for each in structured(function.body or ()):
            counts[each.name] = counts.get(each.name, 0) + 1
    there = ", ".join(f"{count} `{name}`" for name, count in sorted(counts.items())) or "no operations"
    number = f" of number {step.number}" if step.number else ""
    labels = tuple(map(Label, step.origin))
    return Diagnostic("E0845", f"there is no `{step.operation}`{number}", labels, notes=(f"there are {there}",))
