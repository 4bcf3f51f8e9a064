"""Params and sizes: names of numbers, in any order of the text."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from einsum_front.core.diagnostics import CompileError
from einsum_front.core.extent import Size, of_size
from einsum_front.core.limits import LARGEST_INTEGER
from einsum_front.core.storage import ElementType
from einsum_front.notation import syntax
from einsum_front.notation.check.mistakes import Mistakes, already_reported, mistake
from einsum_front.notation.check.numbers import evaluate
from einsum_front.notation.check.scope import Scope, Value
from einsum_front.notation.references import references


def numbers(
    items: tuple[syntax.Parameter | syntax.Size, ...], defines: Mapping[str, str | int], mistakes: Mistakes
) -> dict[str, Value]:
    """The value of every param and size; those with a mistake are missing.

    `defines` override params and make sizes known.
    """
    parameters = {item.name: item for item in items if isinstance(item, syntax.Parameter)}
    given = _overrides({item.name: item for item in items}, defines, mistakes)
    names = [item.name for item in items if isinstance(item, syntax.Size) and item.name not in given]
    evaluation = _Evaluation(parameters, {name: of_size(Size(name)) for name in names}, given)
    for name in parameters:
        with mistakes.collect():
            evaluation.value_of(name)
    return {item.name: evaluation.values[item.name] for item in items if item.name in evaluation.values}


def _overrides(
    declared: Mapping[str, syntax.Parameter | syntax.Size], defines: Mapping[str, str | int], mistakes: Mistakes
) -> dict[str, Value]:
    values: dict[str, Value] = {}
    for name, value in defines.items():
        with mistakes.collect():
            values[name] = _override(name, value, declared)
    return values


def _override(name: str, value: str | int, declared: Mapping[str, syntax.Parameter | syntax.Size]) -> Value:
    if name not in declared:
        parameters = ", ".join(f"`{each}`" for each, item in declared.items() if isinstance(item, syntax.Parameter))
        sizes = ", ".join(f"`{each}`" for each, item in declared.items() if isinstance(item, syntax.Size))
        notes: tuple[str, ...] = (
            (f"the params of this text are {parameters}",) if parameters else ("this text has no `param`",)
        )
        notes += (f"its sizes are {sizes}",) if sizes else ()
        raise mistake("E0224", f"`-D {name}={value}` overrides no param", notes=notes)
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None or (not isinstance(value, str) and number != value):
        raise mistake("E0224", f"`-D {name}={value}` gives `{name}` no integer")
    if abs(number) > LARGEST_INTEGER:
        raise mistake("E0224", f"`-D` gives `{name}` an integer beyond 2**63 - 1")
    return Fraction(number)


class _Evaluation:
    """Params are evaluated when they are first asked for, which finds circles.

    `pending` are those that wait for others, each with its references that nobody has looked at: a stack of our own,
    since a chain of params may be longer than Python's.
    """

    def __init__(
        self, parameters: Mapping[str, syntax.Parameter], sizes: Mapping[str, Value], overrides: Mapping[str, Value]
    ) -> None:
        self.parameters = parameters
        self.values = {**sizes, **overrides}
        self.pending: dict[str, Iterator[syntax.Reference]] = {}
        self.failed: set[str] = set()

    def value_of(self, name: str) -> Value:
        """The value of a param."""
        try:
            self._require(name)
            while self.pending:
                current, references = next(reversed(self.pending.items()))
                needed = next((r for r in references if r.name in self.parameters), None)
                if needed is None:
                    self.values[current] = self._evaluate(self.parameters[current])
                    del self.pending[current]
                elif needed.name in self.pending:
                    raise self._circle(needed)
                else:
                    self._require(needed.name)
        except CompileError:
            self.failed |= self.pending.keys()
            self.pending.clear()
            raise
        return self.values[name]

    def _require(self, name: str) -> None:
        if name in self.failed:
            raise already_reported()
        if name not in self.values:
            self.pending[name] = iter(references(self.parameters[name].value))

    def _evaluate(self, parameter: syntax.Parameter) -> Value:
        value = evaluate(parameter.value, Scope(ElementType.F64, self.values))
        if isinstance(value, Fraction) and value.denominator != 1:
            message = f"param `{parameter.name}` is an integer"
            raise mistake("E0208", message, (parameter.value.origin, f"this is {value}"))
        return value

    def _circle(self, reference: syntax.Reference) -> CompileError:
        names = list(self.pending)
        steps = " needs ".join(f"`{name}`" for name in (*names[names.index(reference.name) :], reference.name))
        return mistake("E0209", f"param `{reference.name}` depends on itself", (reference.origin, steps))
