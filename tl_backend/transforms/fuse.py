"""`fuse AXIS, OTHER`: two loops of as many points, one directly after the other, become one."""

from dataclasses import replace

from einsum_front.tl_backend.access import named
from einsum_front.tl_backend.loops.nodes import Loop, Loops, Node, Nodes, Stage, inner, updates
from einsum_front.tl_backend.loops.rewrites import substituted
from einsum_front.tl_backend.transforms.step import (
    Arguments,
    Step,
    accesses_to,
    loop_of,
    meet_at_one_point,
    need,
    written,
)


def _apply(loops: Loops, arguments: Arguments) -> Loops:
    first, second = (loop_of(loops, arguments[word]) for word in ("AXIS", "OTHER"))
    one, other = first[0], second[0]
    is_next = first[1] == second[1] and other in _after(one, first[1], loops)
    need(is_next, f"`{other.axis}` does not stand directly after `{one.axis}`")
    need(one.extent == other.extent, f"`{one.axis}` has {one.extent} points, `{other.axis}` {other.extent}")
    need(one.where == other.where and one.binding is other.binding, "they are bound to different things")
    moved = substituted(other.body, other.axis, named(one.axis))
    shared = (written(one.body) & _used(moved)) | (written(moved) & _used(one.body))
    moved_loops = replace(loops, body=(*loops.body, *moved))  # the extents of all axes
    for name in sorted(shared):
        found = accesses_to((*one.body, *moved), [name])
        need(
            meet_at_one_point(found, one.axis, moved_loops),
            f"a point of `{other.axis}` uses entries of `{name}` of other points",
        )

    def joined(nodes: Nodes) -> Nodes:
        result: list[Node] = []
        for node in nodes:
            if node == one:
                result.append(replace(one, body=(*one.body, *moved)))
            elif node != other:
                result.append(replace(node, body=joined(node.body)) if isinstance(node, Loop | Stage) else node)
        return tuple(result)

    return replace(loops, body=joined(loops.body))


def _after(loop: Loop, around: Nodes, loops: Loops) -> Nodes:
    siblings = inner(around[-1]) if around else loops.body
    place = siblings.index(loop)
    return siblings[place + 1 : place + 2]


def _used(nodes: Nodes) -> frozenset[str]:
    return frozenset(access.tensor for update in updates(nodes) for access in update.accesses)


FUSE = Step("fuse", "AXIS , OTHER", "two loops of as many points, one after the other, become the first", _apply)
