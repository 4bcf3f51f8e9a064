"""Loops with other accesses, and with values in the place of axes."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from einsum_front.tl_backend.access import Affine
from einsum_front.tl_backend.loops.nodes import Access, Apply, Loop, Node, Nodes, Prefetch, Product, Stage, rewrite

T = TypeVar("T")


def with_accesses(nodes: Nodes, change: Callable[[Access], Access]) -> Nodes:
    """The nodes with other accesses."""

    def operand(each: T) -> T | Access:
        return change(each) if isinstance(each, Access) else each

    def changed(node: Node) -> Nodes | None:
        match node:
            case Product(target=target, factors=factors):
                return (replace(node, target=change(target), factors=tuple(map(operand, factors))),)
            case Apply(target=target, calls=calls, value=value):
                new = tuple(replace(call, operands=tuple(map(operand, call.operands))) for call in calls)
                return (replace(node, target=change(target), calls=new, value=operand(value)),)
            case Loop() | Stage() | Prefetch():
                return None

    return rewrite(nodes, changed)


def substituted(nodes: Nodes, axis: str, value: Affine) -> Nodes:
    """The nodes with a value in the place of an axis."""

    def changed(access: Access) -> Access:
        element = None if access.element is None else substitute(access.element, axis, value)
        return replace(access, index=tuple(substitute(each, axis, value) for each in access.index), element=element)

    return with_accesses(nodes, changed)


def substitute(affine: Affine, axis: str, value: Affine) -> Affine:
    """An index with a value in the place of an axis."""
    factor = dict(affine.terms).get(axis, 0)
    if not factor:
        return affine
    others = Affine(affine.constant, tuple(term for term in affine.terms if term[0] != axis))
    return others + value.times(factor)
