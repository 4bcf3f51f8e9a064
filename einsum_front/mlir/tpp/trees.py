"""Payloads as trees, which the templates of elementwise primitives are compared with.

x < 0 ? 0 : x      ("arith.select", ("arith.cmpfolt", x, 0), 0, x), the template of `relu`
"""

from collections.abc import Iterator

from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.tpp.operations import BINARY, UNARY
from einsum_front.mlir.tpp.payload import PayloadWriter


class NoPrimitiveError(Exception):
    """An operation is no primitive, and not made of some."""


Tree = tuple[object, ...]
"""`("argument", n)`, `("number", x)`, or the name of an operation and the trees of its operands."""


def tree_of(payload: mlir.Payload, name: str) -> Tree:
    """What is computed for a value of the payload."""
    arguments = [each.name for each in payload.arguments]
    if name in arguments:
        return "argument", arguments.index(name)
    operation = next((each for each in payload.operations if each.result.name == name), None)
    match operation:
        case mlir.Literal(value=int() | float() as value):
            return "number", float(value)
        case mlir.Scalar(operands=operands):
            return operation.name + operation.predicate, *(tree_of(payload, each.name) for each in operands)
        case _:
            raise NoPrimitiveError


def _templates() -> Iterator[tuple[str, Tree]]:
    """The trees of primitives, those of more operations first."""
    found = []
    for name in (*UNARY, *BINARY):
        entries = [mlir.Value(f"v{n}", mlir.ScalarType.F64) for n in range(3 if name in BINARY else 2)]
        writer = PayloadWriter(entries)
        payload = writer.payload(writer.apply(name, None))
        found.append((name, tree_of(payload, payload.yields[0].name)))
    return iter(sorted(found, key=lambda each: -len(str(each[1]))))


TEMPLATES = tuple(_templates())


def bound(template: Tree, tree: Tree, found: dict[int, Tree]) -> bool:
    """True if the tree is the template with `found` as its arguments."""
    match template:
        case ("argument", int(number)):
            return found.setdefault(number, tree) == tree
        case ("number", _):
            return template == tree
        case name, *parts:
            inner = zip(parts, tree[1:], strict=False)
            return (
                tree[0] == name
                and len(tree) == len(template)
                and all(isinstance(a, tuple) and isinstance(b, tuple) and bound(a, b, found) for a, b in inner)
            )
        case _:  # open: the empty tuple
            return False
