"""Loops with other accesses, and with values in the place of axes."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from einsum_front.tl_backend.access import Affine, named
from einsum_front.tl_backend.loops.nodes import (
    Access,
    Apply,
    Loop,
    Loops,
    Node,
    Nodes,
    Number,
    Prefetch,
    Product,
    Stage,
    Tensor,
    Update,
    points,
    rewrite,
    updates,
)

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


def without_copies(loops: Loops) -> Loops:
    """The loops that read arguments which are only read where they read copies in the type that is computed with.

    So no copy is made of entries that nothing uses, and declared zeros are left out.
    """
    for tensor in loops.tensors:
        reading = [each for each in updates(loops.body) if tensor.name in (access.tensor for access in each.accesses)]
        if tensor.memory is None or len(reading) != 1 or (copied := _copied(reading[0], tensor, loops)) is None:
            continue
        element = named(next(loops.batches).axis)

        def read(access: Access, copied: str = copied, name: str = tensor.name, element: Affine = element) -> Access:
            return Access(name, access.index, element) if access.tensor == copied else access

        def kept(node: Node, copied: str = copied) -> Nodes | None:
            inside = list(updates((node,)))
            is_copy = isinstance(node, Loop | Update) and all(each.target.tensor == copied for each in inside)
            return () if inside and is_copy else None

        body = with_accesses(rewrite(loops.body, kept), read)
        loops = replace(loops, tensors=tuple(each for each in loops.tensors if each.name != copied), body=body)
    return loops


def _copied(update: Update, tensor: Tensor, loops: Loops) -> str | None:
    """The temporary that gets all entries of an argument, and no others but zeros; None if it is no such copy."""
    match update:
        case Product(target=target, adds=False, factors=(Access() as source,)) if source.tensor == tensor.name:
            found = loops.by_name[target.tensor]
        case _:  # open: anything else than a copy
            return None
    writes = [each for each in points(loops.body) if each[0].target.tensor == found.name]
    others = [each for each, _ in writes if each is not update]
    is_alone = all(isinstance(each, Product) and each.factors == (Number(0.0),) and not each.adds for each in others)
    is_whole = found.size == tensor.size == next(count for each, count in writes if each is update)
    is_same = found.shape == tensor.shape and found.position(target.index) == tensor.position(source.index)
    return found.name if found.is_temporary and is_alone and is_whole and is_same else None
