"""`reorder AXES`: loops with nothing between them stand in another order."""

from dataclasses import replace

from einsum_front.core.words import listed
from einsum_front.tl_backend.loops.nodes import Loop, Loops, Nodes, updates
from einsum_front.tl_backend.transforms.step import (
    Arguments,
    IllegalStepError,
    Step,
    accesses_to,
    loop_of,
    meet_at_one_point,
    need,
    with_loop,
    written,
)


def _apply(loops: Loops, arguments: Arguments) -> Loops:
    axes = [each.strip() for each in arguments["AXES"].split(",")]
    need(len(set(axes)) == len(axes) > 1, "it takes two axes at least, each once")
    top = min(axes, key=lambda axis: len(loop_of(loops, axis)[1]))

    def change(loop: Loop) -> Nodes:
        chain = [loop]
        while len(chain[-1].body) == 1 and isinstance(chain[-1].body[0], Loop):
            chain.append(chain[-1].body[0])
        by_axis = {each.axis: each for each in chain}
        missing = [f"`{axis}`" for axis in axes if axis not in by_axis]
        named = listed(missing or ["-"], "and")
        need(not missing, f"the loop over `{top}` has to be around {named}, with nothing but loops between")
        if any(by_axis[axis].where is not None for axis in axes):
            raise IllegalStepError("a loop that leaves out points stays where it is")
        body = chain[-1].body
        check_order(loops, chain[-1].body, axes)
        order = iter(axes)
        new = [by_axis[next(order)] if each.axis in axes else each for each in chain]
        for each in reversed(new):
            body = (replace(each, body=body),)
        return body

    return with_loop(loops, top, change)


def check_order(loops: Loops, body: Nodes, axes: list[str]) -> None:
    """Points may come in any order: sums grow by them, and what is set or read besides belongs to one point."""
    changed = written(body)
    read = {access.tensor for update in updates(body) for access in update.accesses[1:]}
    sets = {update.target.tensor for update in updates(body) if not update.adds}
    for name in sorted(changed & (read | sets)):
        found = accesses_to(body, [name])
        late = [axis for axis in axes if not meet_at_one_point(found, axis, loops)]
        need(not late, f"`{name}` is written and used at different points of `{late[0] if late else ''}`")


REORDER = Step("reorder", "AXES", "loops with nothing between them stand in this order", _apply)
