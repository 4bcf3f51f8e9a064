"""`sink AXIS`: the loop over the elements stands inside of the others, around each product or function alone.

What is done with one row after the other reads memory as it lies. Elements are independent, so any order is right.
"""

from dataclasses import replace

from einsum_front.core.names import Names
from einsum_front.tl_backend.access import named
from einsum_front.tl_backend.loops.nodes import (
    Binding,
    Loop,
    Loops,
    Node,
    Nodes,
    Prefetch,
    Stage,
    axes_of,
    walk,
)
from einsum_front.tl_backend.loops.rewrites import substituted
from einsum_front.tl_backend.transforms.step import Arguments, Step, batch_of, need


def _apply(loops: Loops, arguments: Arguments) -> Loops:
    batch = batch_of(loops)
    need(batch.axis == arguments["AXIS"], f"`{arguments['AXIS']}` does not run over the elements")
    is_plain = not any(isinstance(node, Stage | Prefetch) for node, _ in walk(batch.body))
    need(is_plain, "stages and prefetches belong to one loop over the elements: they come after this step")
    names = Names(set(axes_of(loops.body)) - {batch.axis})
    return replace(loops, body=tuple(_sunk(each, batch, names) for each in batch.body))


def _sunk(node: Node, batch: Loop, names: Names) -> Node:
    """The node with the loop as far inside as sequential loops go; each has an axis of its own."""
    if isinstance(node, Loop) and node.binding is Binding.SEQUENTIAL and node.where is None:
        inside: Nodes = tuple(_sunk(each, batch, names) for each in node.body)
        return replace(node, body=inside)
    axis = names.fresh(batch.axis)
    return replace(batch, axis=axis, body=substituted((node,), batch.axis, named(axis)))


SINK = Step("sink", "AXIS", "the loop over the elements stands inside of the others, around each product alone", _apply)
