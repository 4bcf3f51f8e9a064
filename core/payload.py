"""What is done with one entry of each operand: a list of operations, each of which has a number.

    payload   = { operation }
    operation = function { argument }
    argument  = entry | scalar

An entry is known by its number: those of the operands come first, then the results of the operations in their order.
The value of a payload is the last of them; of one without operations, that of the only operand.

    $2 = add $0, $1
    $3 = relu $2            relu(a + b)

Scalars are those of the language that a payload stands in.
"""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from einsum_front.core.dataclass import dataclass
from einsum_front.core.functions import Array, Function, evaluate

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Entry:
    """The entry of an operand, or the result of an operation."""

    number: int


@dataclass(frozen=True, slots=True)
class Operation(Generic[S]):
    """A function of entries and scalars."""

    function: Function
    arguments: tuple[Entry | S, ...]


@dataclass(frozen=True, slots=True)
class Payload(Generic[S]):
    """Operations in order."""

    operations: tuple[Operation[S], ...] = ()

    def scalars(self) -> tuple[S, ...]:
        """The scalars, in the order of the text."""
        return tuple(
            argument
            for operation in self.operations
            for argument in operation.arguments
            if not isinstance(argument, Entry)
        )


def mapped(payload: Payload[S], change: Callable[[S], T]) -> Payload[T]:
    """The payload with other scalars."""

    def argument(given: Entry | S) -> Entry | T:
        return given if isinstance(given, Entry) else change(given)

    return Payload(tuple(Operation(each.function, tuple(map(argument, each.arguments))) for each in payload.operations))


LONGEST = 120
"""Characters of a payload as text."""

SIGNS = {Function.ADD: "+", Function.SUB: "-", Function.MUL: "*", Function.DIV: "/"}


def payload_text(payload: Payload[S], entries: Sequence[str], scalar: Callable[[S], str]) -> str:
    """The payload on operands that are texts: `relu(A[i] + b[i])`; a long one is `f(A[i], b[i])`."""
    found = list(entries)
    for operation in payload.operations:
        arguments = [found[each.number] if isinstance(each, Entry) else scalar(each) for each in operation.arguments]
        if operation.function in SIGNS:
            inner = f" {SIGNS[operation.function]} ".join(arguments)
            found.append(f"({inner})")
        else:
            found.append(f"{operation.function.value}({', '.join(map(_bare, arguments))})")
        if len(found[-1]) > LONGEST:
            return f"f({', '.join(entries)})"
    return _bare(found[-1])


def _bare(text: str) -> str:
    """An argument without the parentheses around all of it."""
    depth = 0
    for position, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0 and position < len(text) - 1:
            return text
    return text[1:-1] if text.startswith("(") else text


def value_of(payload: Payload[S], entries: Sequence[Array], scalar: Callable[[S], Array]) -> Array:
    """The value of a payload on arrays of entries, which broadcast."""
    found = list(entries)
    for operation in payload.operations:
        arguments = [found[each.number] if isinstance(each, Entry) else scalar(each) for each in operation.arguments]
        found.append(evaluate(operation.function, arguments))
    return found[-1]
