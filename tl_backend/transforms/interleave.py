"""`interleave AXIS by N`: the lanes of vectors are N elements; temporaries have one entry for each lane."""

from dataclasses import replace

from einsum_front.tl_backend.access import named
from einsum_front.tl_backend.loops.nodes import Access, Elements, Loop, Loops, Nodes
from einsum_front.tl_backend.loops.rewrites import substituted, with_accesses
from einsum_front.tl_backend.loops.verify import WIDTHS
from einsum_front.tl_backend.transforms.step import Arguments, IllegalStepError, Step, loop_of, need, unique, with_loop
from einsum_front.tl_backend.transforms.vectorize import sunk


def _apply(loops: Loops, arguments: Arguments) -> Loops:
    axis, size = arguments["AXIS"], int(arguments["N"])
    need(size in WIDTHS, "a vector has 2, 4, 8 or 16 lanes")
    loop, _ = loop_of(loops, axis)
    if loop.extent != Elements():
        raise IllegalStepError(f"`{axis}` does not run over the elements one by one")
    outer, lane = (unique(loops, f"{axis}_{part}") for part in "oi")

    def of_lane(access: Access) -> Access:
        return replace(access, element=named(lane)) if loops.by_name[access.tensor].is_temporary else access

    def change(loop: Loop) -> Nodes:
        body = with_accesses(substituted(loop.body, axis, named(outer).times(size) + named(lane)), of_lane)
        return (Loop(outer, Elements(size), (Loop(lane, size, body),)),)

    return sunk(with_loop(loops, axis, change), lane, size)


INTERLEAVE = Step("interleave", "AXIS by N", "the lanes of vectors are N elements of the batch", _apply)
