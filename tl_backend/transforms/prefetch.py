"""`prefetch TENSORS distance N`: cache lines of elements N blocks ahead are asked for, by all loops.

A loop of many iterations takes as many lines as its share of the products is; each iteration asks for some of them. In
loops over tables there are none: they are short, and wait for what they have asked for.
"""

from dataclasses import replace
from itertools import accumulate

from einsum_front.tl_backend.loops.extents import used_lines
from einsum_front.tl_backend.loops.nodes import Apply, Binding, Loop, Loops, Node, Nodes, Prefetch, Product, Stage
from einsum_front.tl_backend.transforms.step import Arguments, Step, batch_of, need, tensors_like


def _apply(loops: Loops, arguments: Arguments) -> Loops:
    batch, distance = batch_of(loops), int(arguments["N"])
    need(1 <= distance <= 64, "the distance is from 1 to 64 blocks")
    names = tensors_like(loops, arguments["TENSORS"])
    for name in names:
        need(bool(loops.by_name[name].batch), f"`{name}` has no known distance from element to element")
    lines = [(name, each) for name in names for each in range(len(used_lines(loops, name)))]
    return replace(loops, body=(replace(batch, body=_dealt(batch.body, lines, distance, loops)),))


def _dealt(body: Nodes, lines: list[tuple[str, int]], distance: int, loops: Loops) -> Nodes:
    """The nodes with their shares of the lines."""
    if len(body) == 1 and isinstance(body[0], Stage):
        return (replace(body[0], body=_dealt(body[0].body, lines, distance, loops)),)
    ends = [0, *accumulate(_work(node, loops) for node in body)]
    result: list[Node] = []
    for node, first, stop in zip(body, ends, ends[1:], strict=False):
        mine = lines[round(len(lines) * first / ends[-1]) : round(len(lines) * stop / ends[-1])]
        is_long = isinstance(node, Loop) and node.binding is Binding.SEQUENTIAL and node.where is None
        asked = _runs(mine, distance, node.axis if isinstance(node, Loop) and is_long else None)
        if isinstance(node, Loop) and is_long:
            result.append(replace(node, body=(*asked, *node.body)))
        else:
            result += [*asked, node]
    return tuple(result)


def _runs(lines: list[tuple[str, int]], distance: int, axis: str | None) -> Nodes:
    by_tensor: dict[str, list[int]] = {}
    for name, line in lines:
        by_tensor.setdefault(name, []).append(line)
    return tuple(Prefetch(name, distance, each[0], each[-1] + 1, axis) for name, each in by_tensor.items())


def _work(node: Node, loops: Loops) -> float:
    """The products of a node, about."""
    match node:
        case Product():
            return 1
        case Apply(calls=calls):
            return len(calls)
        case Prefetch():
            return 0
        case Stage(body=body):
            return sum(_work(each, loops) for each in body)
        case Loop(body=body, extent=extent, binding=binding, where=where):
            inside = sum(_work(each, loops) for each in body)
            if binding is Binding.VECTOR or not isinstance(extent, int):
                return inside
            tensor = None if where is None else loops.by_name[where]
            share = 1.0 if tensor is None else len(tensor.known_nonzeros or ()) / max(tensor.size, 1)
            return extent * inside * share


PREFETCH = Step("prefetch", "TENSORS distance N", "cache lines of elements N blocks ahead are asked for", _apply)
