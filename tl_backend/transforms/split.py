"""`split AXIS by N`: a loop becomes two, the inner one of N points."""

from dataclasses import replace

from einsum_front.tl_backend.access import named
from einsum_front.tl_backend.loops.nodes import Binding, Loop, Loops, Nodes
from einsum_front.tl_backend.loops.rewrites import substituted
from einsum_front.tl_backend.transforms.step import Arguments, Step, fixed, loop_of, need, unique, with_loop


def _apply(loops: Loops, arguments: Arguments) -> Loops:
    return halved(loops, arguments["AXIS"], int(arguments["N"]))[0]


def halved(loops: Loops, axis: str, size: int) -> tuple[Loops, str]:
    """The loops with two in the place of one, and the axis of the inner one."""
    loop, _ = loop_of(loops, axis)
    extent = fixed(loop)
    need(size > 0 and extent % size == 0, f"{size} does not divide the {extent} points of `{axis}`: `cut` it first")
    need(loop.where is None, f"`{axis}` leaves out points")
    need(loop.binding is not Binding.VECTOR, f"`{axis}` is the lanes of a vector")
    outer, inner = (unique(loops, f"{axis}_{part}") for part in "oi")

    def change(loop: Loop) -> Nodes:
        body = substituted(loop.body, axis, named(outer).times(size) + named(inner))
        return (
            replace(loop, axis=outer, extent=extent // size, body=(replace(loop, axis=inner, extent=size, body=body),)),
        )

    return with_loop(loops, axis, change), inner


SPLIT = Step("split", "AXIS by N", "a loop becomes two, `AXIS_o` around `AXIS_i` of N points", _apply)
