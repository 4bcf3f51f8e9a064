"""Functions of entries: their names, how many arguments they take, and the condition of `where`."""

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import reduce

from einsum_front.core.diagnostics import CompileError
from einsum_front.core.functions import SELECTIONS, Function
from einsum_front.core.words import counted
from einsum_front.notation import checked, syntax
from einsum_front.notation.check.mistakes import already_reported, gather, mistake
from einsum_front.notation.check.scope import Scope

WHERE = "where"

OPERATORS = frozenset((Function.ADD, Function.SUB, Function.MUL, Function.DIV, Function.RECIPROCAL))
"""Functions that the notation writes with operators."""

FUNCTIONS = {function.value: function for function in Function if function not in OPERATORS | SELECTIONS}
"""The functions by their names, `where` aside."""

COMPONENTS = {part.value: part for part in checked.Part}
"""The functions that take a part of complex numbers, or their conjugates."""

UNSAID = 0
"""The extent of an index of `max` and `min`, until it is looked up in what it is an index of."""

CONDITIONS = {
    syntax.Comparison.LT: (Function.WHERE_LT, False),
    syntax.Comparison.LE: (Function.WHERE_LE, False),
    syntax.Comparison.GT: (Function.WHERE_LT, True),
    syntax.Comparison.GE: (Function.WHERE_LE, True),
    syntax.Comparison.EQ: (Function.WHERE_EQ, False),
    syntax.Comparison.NE: (Function.WHERE_NE, False),
}
"""Functions for comparisons, and whether the sides change places."""

Resolve = Callable[[syntax.Expression], checked.Expression]


def function_call(call: syntax.Call, scope: Scope, resolve: Resolve) -> checked.Expression:
    """A call with names resolved. Raises CompileError (E0235 to E0238) if there is no such function, or not of that."""
    if call.function == WHERE:
        return _where(call, resolve)
    if call.function in COMPONENTS:
        return _component(call, COMPONENTS[call.function], resolve)
    function = FUNCTIONS.get(call.function)
    if function is None:
        raise _unknown(call, scope)
    element = scope.element_type
    if not function.is_of(element):
        message = f"`{call.function}` is no function of `{element.value}`, which the program computes with"
        listed = ", ".join(f"`{name}`" for name, each in FUNCTIONS.items() if each.is_of(element))
        raise mistake("E0241", message, (call.origin, ""), notes=(f"`{element.value}` has {listed} and `{WHERE}`",))
    _reject_conditions(call)
    if call.over:
        return _extremum(call, function, resolve)
    many = function.is_extremum
    if len(call.arguments) != function.arity and not (many and len(call.arguments) > function.arity):
        raise _other_number(call, f"{function.arity}{' or more' if many else ''}")
    operands = tuple(gather(resolve, syntax.operands(call)))
    if not many:
        return checked.Apply(function, operands, call.origin)
    return reduce(lambda one, other: checked.Apply(function, (one, other), call.origin), operands)


def _component(call: syntax.Call, part: checked.Part, resolve: Resolve) -> checked.Expression:
    if call.over:
        raise _no_indices(call)
    _reject_conditions(call)
    if len(call.arguments) != 1:
        raise _other_number(call, "1")
    (operand,) = gather(resolve, syntax.operands(call))
    return checked.Component(part, operand, call.origin)


def _reject_conditions(call: syntax.Call) -> None:
    for argument in call.arguments:
        if isinstance(argument, syntax.Condition):
            message = f"`{call.function}` takes numbers, not a comparison"
            note = "`where(a < b, x, y)` chooses by a comparison"
            raise mistake("E0237", message, (argument.origin, ""), notes=(note,))


def _unknown(call: syntax.Call, scope: Scope) -> CompileError:
    name = call.function
    if name in scope.names():
        message = f"`{name}` is no function"
        note = "a product is written with `*`"
        if name in scope.tensors:
            note = f"indices stand in brackets, `{name}[…]`, and {note}"
        return mistake("E0235", message, (call.origin, f"`{name}` is declared as something else"), notes=(note,))
    if scope.has_broken_text:
        return already_reported()
    known = (*scope.definitions, *FUNCTIONS, *COMPONENTS, WHERE)
    near = get_close_matches(name, known, 1, cutoff=0.7)
    label = f"did you mean `{near[0]}`?" if near else ""
    listed = ", ".join(f"`{each}`" for each in known)
    return mistake("E0235", f"there is no function `{name}`", (call.origin, label), notes=(f"functions are {listed}",))


def _other_number(call: syntax.Call, takes: str) -> CompileError:
    given = counted(len(call.arguments), "argument")
    return mistake("E0236", f"`{call.function}` has {given} here, and takes {takes}", (call.origin, ""))


def _where(call: syntax.Call, resolve: Resolve) -> checked.Expression:
    if call.over:
        raise _no_indices(call)
    if len(call.arguments) != 3:
        raise _other_number(call, "3")
    condition, *others = call.arguments
    if not isinstance(condition, syntax.Condition):
        message = "the first argument of `where` is a comparison, such as `a[i] > 0`"
        raise mistake("E0237", message, (condition.origin, ""))
    for other in others:
        if isinstance(other, syntax.Condition):
            message = "only the first argument of `where` is a comparison"
            raise mistake("E0237", message, (other.origin, ""))
    function, is_swapped = CONDITIONS[condition.comparison]
    left, right, then, otherwise = gather(resolve, syntax.operands(call))
    sides = (right, left) if is_swapped else (left, right)
    return checked.Apply(function, (*sides, then, otherwise), call.origin)


def _extremum(call: syntax.Call, function: Function, resolve: Resolve) -> checked.Expression:
    if not function.is_extremum:
        raise _no_indices(call)
    if len(call.arguments) != 1:
        raise _other_number(call, "1 behind its indices")
    names = tuple(_indices(call))
    (operand,) = gather(resolve, syntax.operands(call))
    return checked.Extremum(function, tuple(checked.Index(name, UNSAID) for name in names), operand, call.origin)


def _indices(call: syntax.Call) -> Iterator[str]:
    """The names of the indices that `max` and `min` are over, each once."""
    found: set[str] = set()
    for each in call.over:
        if not isinstance(each, syntax.Reference) or each.members or each.positions is not None:
            message = f"`{call.function}` is over the names of indices: `{call.function}{{k}}(A[i,k])`"
            raise mistake("E0238", message, (each.origin, ""))
        if each.name in found:
            raise mistake("E0238", f"`{call.function}` is over index `{each.name}` twice", (each.origin, ""))
        found.add(each.name)
        yield each.name


def _no_indices(call: syntax.Call) -> CompileError:
    message = f"`{call.function}` has no indices: only `max` and `min` are over some"
    return mistake("E0238", message, (call.origin, ""))
