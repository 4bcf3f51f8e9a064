"""`stage TENSORS [at AXIS]`: inside of a loop, what is used of a tensor lives in registers."""

from dataclasses import replace
from functools import partial

from einsum_front.tl_backend.access import Terms
from einsum_front.tl_backend.loops.extents import around, entries
from einsum_front.tl_backend.loops.nodes import (
    Access,
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
    return (Fill.NOTHING if _are_set(loops, tensor, used, body) else Fill.LOAD), Write.SET


def _are_set(loops: Loops, tensor: Tensor, used: list[Update], body: Nodes) -> bool:
    """True if each entry is set before it is used: by updates before, in loops that both share at one point."""
    known: set[tuple[Terms, int]] = set()
    for update in used:
        reads = [access for access in update.accesses[1:] if access.tensor == tensor.name]
        targets = [update.target] if update.target.tensor == tensor.name else []
        needed = reads + (targets if update.adds else [])
        if any(not _entries(each, tensor, update, body) <= known for each in needed):
            return False
        known = known.union(*(_entries(each, tensor, update, body) for each in targets))
    sets = [each for each in used if each.target.tensor == tensor.name and not each.adds]
    found = accesses_to(body, [tensor.name])
    shared = {
        axis
        for one in sets
        for axis in around(one, body)
        if any(axis in around(each, body) for each in used if each is not one)
    }
    return all(meet_at_one_point(found, axis, loops) for axis in shared)


def _entries(access: Access, tensor: Tensor, update: Update, body: Nodes) -> set[tuple[Terms, int]]:
    return entries(tensor.position(access.index), update, body)


STAGE = Step("stage", "TENSORS [ at AXIS ]", "inside of a loop, what is used of a tensor lives in registers", _apply)
