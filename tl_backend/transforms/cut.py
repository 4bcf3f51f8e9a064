"""`cut AXIS at N`: a loop becomes two one after the other, up to a point and from there on."""

from dataclasses import replace

from einsum_front.tl_backend.access import Affine, named
from einsum_front.tl_backend.loops.nodes import Binding, Loop, Loops, Nodes, axes_of, rewrite
from einsum_front.tl_backend.loops.rewrites import substituted
from einsum_front.tl_backend.transforms.step import Arguments, Step, fixed, loop_of, need, unique, with_loop


def _apply(loops: Loops, arguments: Arguments) -> Loops:
    axis, point = arguments["AXIS"], int(arguments["N"])
    loop, _ = loop_of(loops, axis)
    extent = fixed(loop)
    need(0 < point < extent, f"{point} is not between 0 and the {extent} points of `{axis}`")
    need(loop.where is None, f"`{axis}` leaves out points")
    need(loop.binding is not Binding.VECTOR, f"`{axis}` is the lanes of a vector")

    def part(loop: Loop, ending: str, start: int, points: int) -> Loop:
        body = loop.body
        for each in axes_of(body):
            body = _renamed(body, each, unique(loops, f"{each}_{ending}"))
        name = unique(loops, f"{axis}_{ending}")
        return replace(loop, axis=name, extent=points, body=substituted(body, axis, named(name) + Affine(start)))

    return with_loop(loops, axis, lambda loop: (part(loop, "a", 0, point), part(loop, "b", point, extent - point)))


def _renamed(body: Nodes, axis: str, name: str) -> Nodes:
    def change(node: object) -> Nodes | None:
        if not isinstance(node, Loop) or node.axis != axis:
            return None
        return (replace(node, axis=name, body=substituted(node.body, axis, named(name))),)

    return rewrite(body, change)


CUT = Step("cut", "AXIS at N", "a loop becomes `AXIS_a` of the first N points and `AXIS_b` of the others", _apply)
