"""`stage TENSORS [at AXIS]`: inside of a loop, what is used of a tensor lives in registers."""

from dataclasses import replace
from functools import partial

from einsum_front.tl_backend.loops.extents import around, entries
from einsum_front.tl_backend.loops.nodes import (
    Elements,
    Fill,
    Loop,
    Loops,
    Nodes,
    Stage,
    Tensor,
    Update,
    Write,
    updates,
)
from einsum_front.tl_backend.transforms.step import (
    Arguments,
    Step,
    accesses_to,
    batch_of,
    loop_of,
    meet_at_one_point,
    need,
    tensors_like,
    with_loop,
)


def _apply(loops: Loops, arguments: Arguments) -> Loops:
    axis = arguments.get("AXIS") or batch_of(loops).axis
    loop_of(loops, axis)
    for name in tensors_like(loops, arguments["TENSORS"]):
        tensor, body = loops.by_name[name], loop_of(loops, axis)[0].body
        used = [each for each in updates(body) if name in (access.tensor for access in each.accesses)]
        need(bool(used), f"`{name}` is not used inside of `{axis}`")
        staged = Stage(
            name, *_ways(loops, tensor, used, body, is_all=isinstance(loop_of(loops, axis)[0].extent, Elements)), body
        )
        loops = with_loop(loops, axis, partial(_with_body, body=(staged,)))
    return loops


def _with_body(loop: Loop, body: Nodes) -> Nodes:
    return (replace(loop, body=body),)


def _ways(loops: Loops, tensor: Tensor, used: list[Update], body: Nodes, *, is_all: bool) -> tuple[Fill, Write]:
    """How the registers are filled and written: sums start at zero, what is set first needs no filling."""
    written = [each for each in used if each.target.tensor == tensor.name]
    if not written:
        return Fill.LOAD, Write.NOTHING
    need(
        not (tensor.is_temporary and is_all), f"the temporary `{tensor.name}` is in registers already, if there is room"
    )
    is_read = any(access.tensor == tensor.name for each in used for access in each.accesses[1:])
    if not is_read and all(each.adds for each in written):
        return Fill.ZERO, Write.ADD
    names = [each.tensor for each in used[0].accesses]
    is_first = not used[0].adds and names.count(tensor.name) == 1 and names[0] == tensor.name
    is_set = is_first and _is_whole(tensor, used[0], used, body) and _is_in_time(loops, used[0], used, body)
    return (Fill.NOTHING if is_set else Fill.LOAD), Write.SET


def _is_whole(tensor: Tensor, first: Update, used: list[Update], body: Nodes) -> bool:
    """True if the first update sets all entries that the others use: it has no more loops, and as many points."""
    name = tensor.name
    touched = {
        each
        for update in used
        for access in update.accesses
        if access.tensor == name
        for each in entries(tensor.position(access.index), update, body)
    }
    return touched <= entries(tensor.position(first.target.index), first, body)


def _is_in_time(loops: Loops, first: Update, used: list[Update], body: Nodes) -> bool:
    """True if the first update sets each entry before another one uses it: in loops that both share, at one point."""
    shared = {axis for update in used[1:] for axis in around(update, body)} & around(first, body).keys()
    found = accesses_to(body, [first.target.tensor])
    return all(meet_at_one_point(found, axis, loops) for axis in shared)


STAGE = Step("stage", "TENSORS [ at AXIS ]", "inside of a loop, what is used of a tensor lives in registers", _apply)
