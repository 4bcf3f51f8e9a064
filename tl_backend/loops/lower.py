"""Loops as a kernel tree: the blocks of elements of a work-group, then the elements that fill no block.

for (long e_o = first; e_o < rest; e_o += 8) { a block }
for (long e_o = rest; e_o < rest1; e_o += 2) { the same with two lanes, where elements are neighbours }
for (long e_o = rest1; e_o < stop; ++e_o) { the same with one lane }

Where loops stand around that over the elements, these are inside of each.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import reduce

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.split import outlined
from einsum_front.tl_backend.kernel.types import Scalar, Type, Vector
from einsum_front.tl_backend.loops.block import Block
from einsum_front.tl_backend.loops.lanes import close_rows
from einsum_front.tl_backend.loops.nodes import Apply, Binding, Elements, Loop, Loops, Nodes, Prefetch, Product, Stage
from einsum_front.tl_backend.loops.shared import Shared
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.kernel import Kernel, free_names, group_id, transpose_function, work_group
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.parameters import View
from einsum_front.tl_backend.opencl.requirements import check_target
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function

ELEMENTS_OF_A_GROUP = 64
"""Elements that a work-item runs one after the other."""

COLUMNS_OF_A_GROUP = 1024
"""Columns from which on another work-group takes a part of them."""

MOST_GROUPS = 32
"""Work-groups that share the columns of an element; some are idle where fewer columns are there than was thought."""

ELEMENTS_OF_A_ROW = 2048
"""The same where it takes one row after the other: a row should be several cache lines."""

At = dict[str, int | tree.Name]
"""Axes around: numbers of unrolled loops, variables of others."""


def lower(loops: Loops, function: Function, target: Target, taken: frozenset[str] = frozenset()) -> Kernel:
    """The kernel of loops that keep the rules, with the parameters of the function and none of the names in `taken`.

    Raises `CompileError`: E06xx for what the target cannot do, E0913 for loops that have no code.
    """
    check_target(function, target)
    shared = Shared(loops, function, target, free_names(target, taken))
    words = "elements", "first", "stop", "element"
    elements, first, stop, element = (tree.Name(shared.names.fresh(word)) for word in words)
    is_outermost = loops.batch in loops.body
    together = max(ELEMENTS_OF_A_GROUP if is_outermost else ELEMENTS_OF_A_ROW, shared.width)
    groups = _groups(shared)
    last = () if shared.lanes.are_columns else (tree.Parameter(Scalar.I64, elements.text),)
    parameters = (*shared.parameters.list, *last)
    if shared.lanes.are_columns:
        body = [*_columns(shared, function, (elements, first, stop), together, groups)]
    else:
        start = index.multiply(group_id(), index.constant(together))
        body = [
            tree.Declare(Scalar.I64, first.text, start),
            tree.Declare(Scalar.I64, stop.text, index.minimum(index.add(first, index.constant(together)), elements)),
        ]
    parts: list[_Part] = []
    begin = first
    is_whole = shared.lanes.count is not None and shared.lanes.count % shared.width == 0  # shares are whole blocks, too
    for width in () if is_whole else _widths(loops, shared.width):
        end = tree.Name(shared.names.fresh("rest"))
        left = index.remainder(index.subtract(stop, begin), index.constant(width))
        body.append(tree.Declare(Scalar.I64, end.text, index.subtract(stop, left)))
        parts.append(_Part(width, begin, end))
        begin = end
    parts.append(_Part(shared.width if is_whole else 1, begin, stop))
    functions: tuple[tree.Function, ...] = ()
    if shared.width > 1 and _is_turned(loops):
        functions = (transpose_function(shared.transpose, Vector(shared.scalar, shared.width), target),)
    outer = _Outer(shared, element, tuple(parts))
    plain = (*shared.held_numbers(), *outer.nodes(loops.body, {}, shared.names.inner()))
    if any(each.streamed is not None for each in loops.tensors):
        count: tree.Expression = elements
        if groups:
            of_all = index.divide(tree.GroupCount(), index.constant(groups))
            count = index.multiply(stop if groups == 1 else elements, of_all)
        body.append(tree.Declare(Scalar.BOOL, shared.streams.text, _streams(shared, element, count)))
        types = {
            each.name: each.type for each in (*parameters, *(each for each in body if isinstance(each, tree.Declare)))
        }
        past, called = _past_caches(outer, types)
        functions = (*functions, past)
        plain = (tree.If(shared.streams, (called,), plain),)
    body += plain
    kernel = tree.Function(shared.entry, parameters, tuple(body), (1, 1, 1))
    file = tree.File((*functions, kernel), tables=tuple(shared.tables))
    return Kernel(
        file,
        elements_per_group=1 if groups else together,
        groups_per_element=groups or 1,
        close=_close(shared, function),
    )


def _streams(shared: Shared, element: tree.Name, count: tree.Expression) -> tree.Expression:
    """The condition under which results of so many elements go past the caches."""
    block = Block(shared, shared.width, element, shared.names)
    conditions = (block.may_stream(each, count) for each in shared.loops.tensors if each.streamed is not None)
    return reduce(lambda one, other: tree.Conditional(one, other, tree.Integer(0, Scalar.BOOL)), conditions)


def _past_caches(outer: "_Outer", types: Mapping[str, Type]) -> tuple[tree.Function, tree.Call]:
    """What does all of it with stores past the caches, and its call where names have these types.

    It is a function of its own: in one with the usual code, compilers keep values for both.
    """
    shared = outer.shared
    shared.statements = 0
    streamed = replace(outer, is_streamed=True).nodes(shared.loops.body, {}, shared.names.inner())
    body = (*shared.held_numbers(), *streamed, tree.Fence())
    return outlined(body, types, shared.names.fresh(f"{shared.entry}_streamed"), shared.tables)


def _close(shared: Shared, function: Function) -> tuple[tuple[str, tuple[int, int]], ...]:
    """The modes that rows of columns take to follow each other."""
    if not shared.lanes.are_columns:
        return ()
    return tuple(
        (name, pair)
        for name in shared.lanes.modes
        if name in shared.parameters.values
        for pair in close_rows(function, name)
    )


def _groups(shared: Shared) -> int:
    """Work-groups that share the columns of an element; 0 where elements are the lanes."""
    lanes = shared.lanes
    if not lanes.are_columns:
        return 0
    return min(MOST_GROUPS, max(1, (lanes.count or lanes.likely) // COLUMNS_OF_A_GROUP))


def _columns(
    shared: Shared, function: Function, names: tuple[tree.Name, tree.Name, tree.Name], together: int, groups: int
) -> Iterator[tree.Statement]:
    """Which columns of which element a work-group runs: an equal share, of whole blocks."""
    count, first, stop = names
    name = next(name for name in shared.lanes.modes if name in function.batch_modes)
    view = shared.parameters.values[name]
    if not isinstance(view, View):
        raise CompilerBug("columns of what is no memref")
    columns = reduce(index.multiply, (view.shape[mode] for mode in shared.lanes.modes[name]))
    yield tree.Declare(Scalar.I64, shared.group, group_id(groups))
    if groups == 1:
        yield tree.Declare(Scalar.I64, first.text, index.ZERO)
        yield tree.Declare(Scalar.I64, stop.text, columns)
        return
    share = tree.Name(shared.names.fresh("share"))
    whole = index.constant(together * groups)
    blocks = index.divide(index.add(columns, index.subtract(whole, index.ONE)), whole)
    part = index.remainder(work_group(), index.constant(groups))
    yield tree.Declare(Scalar.I64, count.text, columns)
    yield tree.Declare(Scalar.I64, share.text, index.multiply(blocks, index.constant(together)))
    yield tree.Declare(Scalar.I64, first.text, index.minimum(index.multiply(part, share), count))
    yield tree.Declare(Scalar.I64, stop.text, index.minimum(index.add(first, share), count))


@dataclass(frozen=True, slots=True)
class _Part:
    """Elements of a work-group from `begin` to `end`, `width` of which are a block."""

    width: int
    begin: tree.Name
    end: tree.Name


@dataclass(frozen=True, slots=True)
class _Outer:
    """The loops around those over the elements, each of which is a loop for every part."""

    shared: Shared
    element: tree.Name
    parts: tuple[_Part, ...]
    is_streamed: bool = False

    def nodes(self, nodes: Nodes, at: At, names: Names) -> Iterator[tree.Statement]:
        """The statements; `at` has the axes around, as `Block` has them."""
        for node in nodes:
            match node:
                case Loop(extent=Elements()):
                    for part in self.parts:
                        block = Block(self.shared, part.width, self.element, names.inner(), dict(at))
                        block.is_streamed = self.is_streamed
                        body, step = block.statements_of_all(node), index.constant(part.width)
                        yield tree.For(Scalar.I64, self.element.text, part.begin, part.end, step, body, over=node.axis)
                case Loop(axis=axis, extent=int() as extent, binding=Binding.UNROLLED, body=body):
                    for number in range(extent):
                        yield from self.nodes(body, at | {axis: number}, names)
                case Loop(axis=axis, extent=int() as extent, body=body):
                    inner = names.inner()
                    variable = tree.Name(inner.fresh(local_name(axis)))
                    inside = tuple(self.nodes(body, at | {axis: variable}, inner))
                    yield tree.For(
                        Scalar.I32, variable.text, index.ZERO, index.constant(extent), index.ONE, inside, over=axis
                    )
                case Loop() | Stage() | Product() | Apply() | Prefetch():
                    raise CompilerBug("a node around the loops over the elements")


def _widths(loops: Loops, width: int) -> tuple[int, ...]:
    """The lanes of blocks; a quarter of them for what remains, if nothing is turned around for it."""
    if width == 1:
        return ()
    return (width,) if width < 8 or _is_turned(loops) else (width, width // 4)


def _is_turned(loops: Loops) -> bool:
    """True if elements lie apart, so that vectors of them are transposed on their way."""
    return any(each.batch is not None and not each.is_fastest for each in loops.tensors)
