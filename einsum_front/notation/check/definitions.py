"""Calls of operations that texts in tc define: what a definition says stands in the place of the call.

    use "ops.tc"                                      matmul(A: f64(M, K), B: f64(K, N)) -> (C: f64(M, N)) {
    kernel product { C[ij] += matmul(A[ik], B[kj]) }    C(m, n) = std_addf<k>(std_mulf(A(m, k), B(k, n))); }

is `C[ij] += A[ik] * B[kj]`. The caller's letters are those of the definition's iterators: m is i, k is k, n is j. What
the definition reduces over is its own matter. If its letter stands elsewhere in the statement, it gets a new name.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, CompilerBug
from einsum_front.core.functions import Function
from einsum_front.core.texts import read_source
from einsum_front.core.words import counted
from einsum_front.notation import syntax
from einsum_front.notation.check.functions import FUNCTIONS, WHERE
from einsum_front.notation.check.mistakes import Mistakes, mistake
from einsum_front.notation.check.scope import Scope
from einsum_front.notation.references import rewritten
from einsum_front.tc.nodes import Access, Affine, Apply, Definition, Expression
from einsum_front.tc.parse import parse
from einsum_front.tc.structure import meaning, structure_of
from einsum_front.tc.unparse import affine_text
from einsum_front.tc.verify import check

Definitions = Mapping[str, Definition]


def with_definitions(scope: Scope, program: syntax.Program, directory: Path, mistakes: Mistakes) -> Scope:
    """The scope with the operations that texts define which a program uses; paths are relative to `directory`."""
    found: dict[str, Definition] = {}
    unnamed = syntax.Use | syntax.Computed | syntax.Kernel
    taken = {item.name: item for item in program.items if not isinstance(item, unnamed)}
    read = 0
    texts = [item for item in program.items if isinstance(item, syntax.Use)]
    for item in texts:
        with mistakes.collect():
            for definition in _read(item, directory):
                with mistakes.collect():
                    _reject_taken(definition, found, taken, item)
                    found[definition.name] = definition
            read += 1
    return replace(scope, definitions=found, has_broken_text=read < len(texts))


def _read(item: syntax.Use, directory: Path) -> tuple[Definition, ...]:
    try:
        source = read_source(directory / item.path)
    except CompileError as error:
        (diagnostic,) = error.diagnostics
        raise mistake(diagnostic.code, diagnostic.message, (item.origin, "")) from None
    program = parse(source)
    check(program)
    return program.definitions


def _reject_taken(
    definition: Definition, found: Definitions, taken: Mapping[str, syntax.Item], item: syntax.Use
) -> None:
    name, place = definition.name, (definition.origin, "defined here")
    if name in FUNCTIONS or name == WHERE:
        raise mistake("E0118", f"`{name}` is a function of the notation, and cannot be defined", place)
    if name in found:
        raise mistake("E0118", f"`{name}` is defined twice", place, (found[name].origin, "first here"))
    if name in taken:
        raise mistake("E0118", f"`{name}` is declared, and defined in `{item.path}`", (taken[name].origin, ""), place)


def expanded(statement: syntax.Assignment, definitions: Definitions) -> syntax.Assignment:
    """The statement with definitions in the place of their calls; raises `CompileError` (E0239) if one does not fit."""
    letters = Counter(_letters(statement.target)) + Counter(_letters(statement.value))

    def change(expression: syntax.Expression) -> syntax.Expression:
        if isinstance(expression, syntax.Call) and expression.function in definitions:
            return _Expansion(definitions[expression.function], expression, letters).value()
        return expression

    return replace(statement, value=rewritten(statement.value, change))


def _letters(expression: syntax.Expression) -> Iterator[str]:
    """The names of the indices in an expression, as often as they stand there."""
    found: list[str] = []

    def look(part: syntax.Expression) -> syntax.Expression:
        if isinstance(part, syntax.Reference | syntax.Ones):
            found.extend(each.name for each in part.positions or () if isinstance(each, syntax.RunningIndex))
        return part

    rewritten(expression, look)
    return iter(found)


@dataclass
class _Expansion:
    """One call: what its definition's tensors and iterators are here."""

    definition: Definition
    call: syntax.Call
    letters: Counter[str]

    def value(self) -> syntax.Expression:
        """What stands in the place of the call."""
        definition, call = self.definition, self.call
        if len(definition.outputs) > 1:
            raise self._mistake(f"`{definition.name}` has {len(definition.outputs)} results, and a call has one value")
        if call.over:
            raise self._mistake(f"`{definition.name}` has no indices in braces: it says itself what it reduces over")
        given = self._arguments()
        structure = structure_of(definition)
        tensors = [each.name for each in definition.inputs]
        iterators: dict[str, syntax.Position] = {}
        for name, affine in zip(tensors, structure.maps, strict=False):
            self._bind(name, affine, given[name], iterators)
        for position in structure.maps[-1]:
            if position.name not in iterators:
                note = "a target that has an index more than the value repeats it, without a definition"
                message = f"only the result of `{definition.name}` has `{affine_text(position)}`, and no argument"
                raise self._mistake(message, note)
        reduced = [name for name in structure.iterators if name in structure.reductions]
        renamed = self._own_names(reduced, iterators)
        return self._reduced(
            definition.body.values[0],
            {n: _renamed(v, renamed) for n, v in given.items()},
            [position for name in reduced for position in _running(iterators[name], renamed)],
        )

    def _arguments(self) -> dict[str, syntax.Expression]:
        """The arguments by the names of the definition's inputs."""
        inputs, call = self.definition.inputs, self.call
        if len(call.arguments) != len(inputs):
            given = counted(len(call.arguments), "argument")
            raise self._mistake(f"`{self.definition.name}` has {given} here, and takes {len(inputs)}")
        found: dict[str, syntax.Expression] = {}
        for tensor, argument in zip(inputs, call.arguments, strict=True):
            is_entry = isinstance(argument, syntax.Reference) and argument.positions is not None
            if isinstance(argument, syntax.Condition) or (tensor.shape and not is_entry):
                message = f"`{tensor.name}` of `{self.definition.name}` is a tensor with its indices"
                raise mistake("E0239", message, (argument.origin, "not this"), (tensor.origin, "declared here"))
            modes = len(argument.positions or ()) if isinstance(argument, syntax.Reference) else 0
            if modes != len(tensor.shape):
                message = f"`{tensor.name}` of `{self.definition.name}` has {counted(len(tensor.shape), 'mode')}"
                label = f"this has {counted(modes, 'index', 'indices')}"
                raise mistake("E0239", message, (argument.origin, label), (tensor.origin, "declared here"))
            if not tensor.shape and any(True for _ in _letters(argument)):
                message = f"`{tensor.name}` of `{self.definition.name}` is a number, and this has indices"
                raise mistake("E0239", message, (argument.origin, ""), (tensor.origin, "declared here"))
            found[tensor.name] = argument
        return found

    def _bind(
        self, tensor: str, affine: Sequence[Affine], argument: syntax.Expression, found: dict[str, syntax.Position]
    ) -> None:
        """What the iterators of a tensor are, by the positions of the argument; for all arguments the same."""
        if not isinstance(argument, syntax.Reference):
            return
        for each, position in zip(affine, argument.positions or (), strict=True):
            if each.name is None:
                message = f"`{self.definition.name}` reads `{tensor}` at `{affine_text(each)}`, which is no index"
                raise self._mistake(message, "windows have no letters in the notation; a kernel of the text has them")
            before = found.setdefault(each.name, position)
            if _spelled(before) != _spelled(position):
                message = f"`{each.name}` of `{self.definition.name}` is one index, and here two"
                raise mistake("E0239", message, (position.origin, "this"), (before.origin, "and this"))

    def _own_names(self, reduced: Sequence[str], iterators: Mapping[str, syntax.Position]) -> dict[str, str]:
        """New names for what is reduced here and is written elsewhere in the statement as well."""
        here = Counter(_letters(self.call))
        others = {_spelled(position) for name, position in iterators.items() if name not in reduced}
        renamed: dict[str, str] = {}
        for name in reduced:
            position = iterators[name]
            if not isinstance(position, syntax.RunningIndex):
                continue
            if position.name in others or position.name in renamed:
                message = (
                    f"`{self.definition.name}` reduces over `{name}`, and `{position.name}` is another index as well"
                )
                raise mistake("E0239", message, (position.origin, ""))
            if self.letters[position.name] > here[position.name]:
                fresh = next(n for k in count(1) if (n := f"{position.name}{k}") not in self.letters)
                renamed[position.name] = fresh
                self.letters[fresh] += here[position.name]
        return renamed

    def _reduced(
        self, value: Expression, given: Mapping[str, syntax.Expression], over: Sequence[syntax.RunningIndex]
    ) -> syntax.Expression:
        """The value of the definition, with its reduction as the notation has it: implied, or `max{k}(…)`."""
        if not (isinstance(value, Apply) and value.over):
            return self._expression(value, given)
        body = self._expression(value.arguments[-1], given)
        function = _function(value)
        if function in (Function.MAX, Function.MIN):
            names = tuple(syntax.Reference(each.name, origin=each.origin) for each in over)
            return syntax.Call(function.value, names, (body,), self.call.origin) if names else body
        if function is not Function.ADD:
            raise self._mistake(
                f"`{self.definition.name}` combines by `{value.operation}`, which is no sum, `max` or `min`"
            )
        if not over or _is_product(body):
            return body
        # a sum of sums, or of functions: with ones, all that it adds is one factor that has the index
        ones = syntax.Ones(tuple(over), self.call.origin)
        return syntax.Product(ones, ((syntax.FactorOperator.MUL, body),), self.call.origin)

    def _expression(self, value: Expression, given: Mapping[str, syntax.Expression]) -> syntax.Expression:
        match value:
            case Access(tensor=tensor):
                if tensor not in given:
                    raise self._mistake(f"`{self.definition.name}` reads its result, which a value does not have")
                return given[tensor]
            case Apply(arguments=arguments):
                parts = tuple(self._expression(each, given) for each in arguments)
                return _applied(_function(value), parts, self.call)

    def _mistake(self, message: str, *notes: str) -> CompileError:
        return mistake("E0239", message, (self.call.origin, ""), (self.definition.origin, "defined here"), notes=notes)


def _function(value: Apply) -> Function | None:
    """The function of an operation; negation has none."""
    known = meaning(value.operation)
    if known is None:
        raise CompilerBug(f"there is no operation `{value.operation}`")
    return known.function


def _applied(function: Function | None, parts: tuple[syntax.Expression, ...], call: syntax.Call) -> syntax.Expression:
    first, *rest = parts
    match function:
        case None:
            return syntax.Negation(first, call.origin)
        case Function.ADD | Function.SUB:
            sign = syntax.TermOperator.ADD if function is Function.ADD else syntax.TermOperator.SUB
            return syntax.Sum(first, ((sign, rest[0]),), call.origin)
        case Function.MUL | Function.DIV:
            by = syntax.FactorOperator.MUL if function is Function.MUL else syntax.FactorOperator.DIV
            return syntax.Product(first, ((by, rest[0]),), call.origin)
        case _:  # open: a row of the table of functions is called by its name
            return syntax.Call(function.value, (), parts, call.origin)


def _is_product(expression: syntax.Expression) -> bool:
    """True for products of entries and numbers alone, in which an index means the same however they are grouped."""
    match expression:
        case syntax.Product(first, rest):
            is_multiplied = all(by is syntax.FactorOperator.MUL for by, _ in rest)
            return is_multiplied and all(map(_is_product, (first, *(part for _, part in rest))))
        case syntax.Negation(operand):
            return _is_product(operand)
        case (
            syntax.Literal() | syntax.Imaginary() | syntax.Reference() | syntax.Ones() | syntax.Power() | syntax.Sum()
            | syntax.RangeSum() | syntax.Call()
        ):  # fmt: skip
            return isinstance(expression, syntax.Reference | syntax.Literal | syntax.Imaginary)


def _spelled(position: syntax.Position) -> object:
    """What tells two indices apart: the letter, or the position of one that is fixed."""
    return position.name if isinstance(position, syntax.RunningIndex) else position.position


def _running(position: syntax.Position, renamed: Mapping[str, str]) -> Iterator[syntax.RunningIndex]:
    if isinstance(position, syntax.RunningIndex):
        yield syntax.RunningIndex(renamed.get(position.name, position.name), None, position.origin)


def _renamed(expression: syntax.Expression, renamed: Mapping[str, str]) -> syntax.Expression:
    def change(part: syntax.Expression) -> syntax.Expression:
        if not isinstance(part, syntax.Reference) or part.positions is None:
            return part
        positions = tuple(
            replace(each, name=renamed.get(each.name, each.name)) if isinstance(each, syntax.RunningIndex) else each
            for each in part.positions
        )
        return replace(part, positions=positions)

    return rewritten(expression, change)
