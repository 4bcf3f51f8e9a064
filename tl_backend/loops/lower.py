"""Loops as a kernel tree: the blocks of elements of a work-group, then the elements that fill no block, one by one.

    for (long e_o = first; e_o + 4 <= stop; e_o += 4) { a block }
    for (long e_o = …; e_o < stop; ++e_o) { the same with one lane }

Unrolled loops are gone: what they add to one place is one sum. A factor that is known to be zero leaves its product
out.
"""

from collections.abc import Iterator
from dataclasses import field

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.names import Names
from einsum_front.tl_backend.access import Affine, named
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Vector, size_of
from einsum_front.tl_backend.kernel.types import Scalar as Number_
from einsum_front.tl_backend.loops.extents import LINE, used_lines
from einsum_front.tl_backend.loops.nodes import (
    Access,
    Binding,
    Elements,
    Factor,
    Fill,
    Loop,
    Loops,
    Node,
    Nodes,
    Number,
    Prefetch,
    Product,
    Scalar,
    Stage,
    Tensor,
    Write,
    products,
    walk,
)
from einsum_front.tl_backend.loops.registers import Registers, Transfer, cannot_lower, find_registers, inside_of
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.geometry import group_id
from einsum_front.tl_backend.opencl.kernel import Kernel, free_names
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.parameters import Parameters
from einsum_front.tl_backend.opencl.requirements import check_target
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.opencl.transpose import transpose_function
from einsum_front.tl_backend.opencl.view import View
from einsum_front.tl_backend.program import Function

ELEMENTS_OF_A_GROUP = 64
"""Elements that a work-item runs one after the other."""

MOST_STATEMENTS = 200_000
"""Products of unrolled code."""


def lower(loops: Loops, function: Function, target: Target, taken: frozenset[str] = frozenset()) -> Kernel:
    """The kernel of loops that keep the rules, with the parameters of the function and none of the names in `taken`.

    Raises `CompileError`: E06xx for what the target cannot do, E0913 for loops that have no code.
    """
    check_target(function, target)
    return _Lowering(loops, function, target, free_names(target, taken)).kernel()


class _Lowering:
    """What is one for the file: names, parameters, tables."""

    def __init__(self, loops: Loops, function: Function, target: Target, names: Names) -> None:
        batch = loops.batch
        if batch is None or not isinstance(batch.extent, Elements):
            raise CompilerBug("loops without one over the elements")
        self.loops, self.target, self.names, self.batch = loops, target, names, batch
        self.width = batch.extent.block
        self._entry = names.fresh(local_name(function.name))
        self.transpose = names.fresh("transpose")
        self.parameters = Parameters(function, names)
        self.scalar = REGISTER[loops.tensors[0].element]
        self.tables: list[tree.Table] = []
        self.statements = 0

    def kernel(self) -> Kernel:
        names = self.names
        words = "elements", "first", "stop", "element"
        elements, first, stop, element = (tree.Name(names.fresh(word)) for word in words)
        together = max(ELEMENTS_OF_A_GROUP, self.width)
        start = index.multiply(group_id(), index.constant(together))
        body: list[tree.Statement] = [
            tree.Declare(Number_.I64, first.text, start),
            tree.Declare(Number_.I64, stop.text, index.minimum(index.add(first, index.constant(together)), elements)),
        ]
        whole, last = first, stop
        if self.width > 1:
            count, rest = index.constant(self.width), tree.Name(names.fresh("rest"))
            number = tree.Binary(tree.BinaryOperator.REMAINDER, index.subtract(stop, first), count)
            body.append(tree.Declare(Number_.I64, rest.text, index.subtract(stop, number)))
            body.append(self._over(element, (whole, rest), self.width))
            whole = rest
        body.append(self._over(element, (whole, last), 1))
        parameters = (*self.parameters.list, tree.Parameter(Number_.I64, elements.text))
        functions: tuple[tree.Function, ...] = (tree.Function(self._entry, parameters, tuple(body), (1, 1, 1)),)
        if self.width > 1:
            vector = Vector(self.scalar, self.width)
            functions = (transpose_function(self.transpose, vector, self.target), *functions)
        return Kernel(tree.File(functions, tables=tuple(self.tables)), elements_per_group=together)

    def _over(self, element: tree.Name, bounds: tuple[tree.Name, tree.Name], width: int) -> tree.For:
        block = _Block(self, width, element, self.names.inner())
        step = index.constant(width)
        return tree.For(Number_.I64, element.text, *bounds, step, block.statements_of_all(), over=self.batch.axis)

    def table(self, hint: str, numbers: tuple[int, ...]) -> tree.Name:
        """The table of these numbers."""
        for each in self.tables:
            if each.values == numbers and each.element is Number_.I32:
                return tree.Name(each.name)
        self.tables.append(tree.Table(Number_.I32, self.names.fresh(hint), numbers))
        return tree.Name(self.tables[-1].name)

    def values(self, hint: str, numbers: tuple[float, ...]) -> tree.Name:
        """The table of these numbers of the element type."""
        for each in self.tables:
            if repr(each.values) == repr(numbers) and each.element is self.scalar:
                return tree.Name(each.name)
        self.tables.append(tree.Table(self.scalar, self.names.fresh(hint), numbers))
        return tree.Name(self.tables[-1].name)


@dataclass(slots=True)
class _Sum:
    """What unrolled code adds to a place, or sets it to first."""

    place: tree.Place
    is_set: bool
    terms: list[tree.Expression]
    origin: Product


@dataclass(slots=True)
class _Block:
    """The statements for a block of `width` elements.

    `at` has for each axis in sight its number, where it is unrolled, or its variable; `pending` are the sums of
    unrolled code that are not in the text yet.
    """

    lowering: _Lowering
    width: int
    element: tree.Name
    names: Names
    at: dict[str, int | tree.Name] = field(default_factory=dict)
    arrays: dict[str, tree.Name] = field(default_factory=dict)
    pointers: dict[str, tuple[tree.Name, ...]] = field(default_factory=dict)
    registers: dict[str, Registers] = field(default_factory=dict)
    tabled: dict[str, tree.Expression] = field(default_factory=dict)
    pending: dict[object, _Sum] = field(default_factory=dict)

    def statements_of_all(self) -> tree.Statements:
        """Arrays, pointers to the elements, and the nodes."""
        loops = self.lowering.loops
        found: list[tree.Statement] = [*self._temporaries()]
        used = {access.tensor for product in products(loops.body) for access in product.accesses}
        for tensor in loops.tensors:
            if tensor.batch is not None and tensor.name in used:
                found += self._lanes(tensor)
        self.at[self.lowering.batch.axis] = 0
        return (*found, *self._nodes(self.lowering.batch.body))

    def _temporaries(self) -> Iterator[tree.Statement]:
        """Arrays of the temporaries; those that are not used at the same time share one."""
        loops = self.lowering.loops
        ranges: dict[str, list[int]] = {}
        for number, node in enumerate(self._parts(loops.body)):
            for product in products((node,)):
                for access in product.accesses:
                    if loops.by_name[access.tensor].is_temporary:
                        ranges.setdefault(access.tensor, [number, number])[1] = number
        ends: list[int] = []
        owners: list[list[str]] = []
        for name, (first, last) in sorted(ranges.items(), key=lambda item: item[1]):
            place = next((number for number, end in enumerate(ends) if end < first), len(ends))
            if place == len(ends):
                ends.append(last)
                owners.append([])
            ends[place] = last
            owners[place].append(name)
        element = self._lane_type
        for names in owners:
            size = max(loops.by_name[name].span for name in names)
            home = self.names.fresh(local_name(names[0]) if len(names) == 1 else "shared")
            yield tree.DeclareArray(element, home, size, AddressSpace.PRIVATE, alignment=LINE)
            for name in names:
                self.arrays[name] = tree.Name(home)

    def _parts(self, nodes: Nodes) -> Nodes:
        """The nodes that live ranges are made of: those one after the other inside of all stages."""
        while len(nodes) == 1 and isinstance(nodes[0], Loop | Stage):
            if isinstance(nodes[0], Loop) and not isinstance(nodes[0].extent, Elements):
                break
            nodes = nodes[0].body
        return nodes

    @property
    def _lane_type(self) -> Number_ | Vector:
        scalar = self.lowering.scalar
        return Vector(scalar, self.width) if self.width > 1 else scalar

    def _lanes(self, tensor: Tensor) -> Iterator[tree.Statement]:
        view = self.lowering.parameters.values[tensor.name]
        if not isinstance(view, View):
            raise CompilerBug("an argument of a batch that is no memref")
        found = []
        for lane in range(self.width):
            name = self.names.fresh(f"{local_name(tensor.name)}_{lane}")
            number = index.add(self.element, index.constant(lane))
            address = index.add(view.base, index.multiply(number, view.strides[-1]))
            plain = Pointer(view.pointer.target, view.pointer.space, view.pointer.is_const)
            yield tree.Declare(plain, name, address)
            found.append(tree.Name(name))
        self.pointers[tensor.name] = tuple(found)

    # -- nodes ---------------------------------------------------------------------------------------------------------

    def _nodes(self, nodes: Nodes) -> tree.Statements:
        found: list[tree.Statement] = []
        for node in nodes:
            if _is_unrolled(node):
                found += self._unrolled(node)
                continue
            found += self._flush()
            found += self._node(node)
        return (*found, *self._flush())

    def _node(self, node: Node) -> Iterator[tree.Statement]:
        match node:
            case Loop(binding=Binding.SEQUENTIAL):
                yield self._sequential(node)
            case Loop(extent=int() as extent):
                for number in range(extent):
                    self.at[node.axis] = number
                    yield from self._nodes(node.body)
                del self.at[node.axis]
            case Stage():
                yield tree.Block(tuple(self._stage(node)))
            case Prefetch():
                yield from self._prefetch(node)
            case Loop() | Product():
                raise CompilerBug("a loop over elements inside of another one")

    def _sequential(self, loop: Loop) -> tree.Statement:
        if loop.where is not None:
            return self._rows(loop, self.lowering.loops.by_name[loop.where])
        if not isinstance(loop.extent, int):
            raise CompilerBug("a loop over elements inside of another one")
        variable = tree.Name(self.names.fresh(local_name(loop.axis)))
        self.at[loop.axis] = variable
        body = self._nodes(loop.body)
        del self.at[loop.axis]
        return tree.For(
            Number_.I32, variable.text, index.ZERO, index.constant(loop.extent), index.ONE, body, over=loop.axis
        )

    def _rows(self, loop: Loop, tensor: Tensor) -> tree.Statement:
        """A loop over the points at which a tensor may differ from zero: a table has them row after row."""
        product = next(products(loop.body))
        access = next(each for each in product.accesses[1:] if each.tensor == tensor.name)
        position = self._known(tensor.position(access.index))
        factor = dict(position.terms)[loop.axis]
        others = [term for term in position.terms if term[0] != loop.axis]
        if len(others) > 1 or not isinstance(loop.extent, int):
            raise cannot_lower(f"the zeros of `{tensor.name}` along `{loop.axis}` depend on more than one loop")
        if any(name not in self.at for name, _ in others):
            raise cannot_lower(f"the zeros of `{tensor.name}` along `{loop.axis}` depend on a loop inside of it")
        row, stride, rows = (others[0][0], others[0][1], self._extent(others[0][0])) if others else ("", 0, 1)
        starts, points, numbers = [0], [], []
        nonzeros, known = tensor.known_nonzeros or frozenset(), tensor.known_values
        for number in range(rows):
            for point in range(loop.extent):
                entry = position.constant + stride * number + factor * point
                if entry in nonzeros:
                    points.append(point)
                    numbers.append(0.0 if known is None else known.get(entry, 0.0))
            starts.append(len(points))
        if not points:
            return tree.Block(())
        return self._table_loop(loop, access, (row, tuple(starts), tuple(points), tuple(numbers) if known else None))

    def _table_loop(
        self, loop: Loop, access: Access, table: tuple[str, tuple[int, ...], tuple[int, ...], tuple[float, ...] | None]
    ) -> tree.Statement:
        row, starts, points, numbers = table
        name = local_name(access.tensor)
        counter, point = (tree.Name(self.names.fresh(each)) for each in ("t", local_name(loop.axis)))
        if row:
            variable, begins = self.at[row], self.lowering.table(f"{name}_starts", starts)
            here = variable if isinstance(variable, tree.Name) else index.constant(variable)
            first, stop = (tree.Subscript(begins, index.add(here, index.constant(each))) for each in (0, 1))
        else:
            first, stop = index.ZERO, index.constant(len(points))  # type: ignore[assignment]
        where = self.lowering.table(f"{name}_points", points)
        self.at[loop.axis] = point
        before = self.tabled.get(access.tensor)
        if numbers is not None:
            self.tabled[access.tensor] = tree.Subscript(self.lowering.values(f"{name}_values", numbers), counter)
        body = (tree.Declare(Number_.I32, point.text, tree.Subscript(where, counter)), *self._nodes(loop.body))
        self.tabled.pop(access.tensor, None)
        if before is not None:
            self.tabled[access.tensor] = before
        del self.at[loop.axis]
        return tree.For(Number_.I32, counter.text, first, stop, index.ONE, body, over=loop.axis)

    def _extent(self, axis: str) -> int:
        loops = (node for node, _ in walk(self.lowering.loops.body) if isinstance(node, Loop) and node.axis == axis)
        found = next(loops).extent
        if isinstance(found, int):
            return found
        raise CompilerBug("a table with a row for each element")

    def _prefetch(self, node: Prefetch) -> Iterator[tree.Statement]:
        if not self.lowering.target.has_prefetch or self.width < self.lowering.width or node.first == node.stop:
            return
        tensor = self.lowering.loops.by_name[node.tensor]
        lines = used_lines(self.lowering.loops, node.tensor)[node.first : node.stop]
        ahead = node.distance * self.lowering.width * (tensor.batch or 0) * size_of(self.lowering.scalar)
        base = self.pointers[node.tensor][0]
        if node.axis is None:
            for line in lines:
                yield tree.Prefetch(base, index.constant(ahead + LINE * line))
            return
        share = -(-len(lines) // self._extent(node.axis))
        turn = index.multiply(self._index(named(node.axis)), index.constant(share))
        is_run = lines == list(range(lines[0], lines[-1] + 1))
        if not is_run:  # the last iterations may find no line of their own
            lines += [lines[-1]] * (share * self._extent(node.axis) - len(lines))
            table = self.lowering.table(f"{local_name(node.tensor)}_lines", tuple(lines))
        for number in range(share):
            place = index.add(turn, index.constant(number))
            asked = index.add(place, index.constant(lines[0])) if is_run else tree.Subscript(table, place)
            offset = index.add(index.constant(ahead), index.multiply(asked, index.constant(LINE)))
            yield tree.Prefetch(base, offset)

    def _stage(self, stage: Stage) -> Iterator[tree.Statement]:
        tensor = self.lowering.loops.by_name[stage.tensor]
        array = tree.Name(self.names.fresh(f"{local_name(stage.tensor)}_regs"))
        registers = find_registers(stage, self.lowering.loops, array, self.width, self._lane_axes)
        outer = self._index(registers.outer)
        lanes = self.pointers[stage.tensor] if tensor.batch is not None else (self._base(tensor),)
        pointers = tuple(index.add(each, outer) for each in lanes)
        scalar = self.lowering.scalar
        unit = Vector(scalar, registers.unit) if registers.unit > 1 else scalar
        has_lanes = self.width > 1 and (tensor.batch is not None or tensor.is_temporary)
        element = Vector(scalar, self.width) if has_lanes else unit
        space = AddressSpace.PRIVATE if tensor.is_temporary else AddressSpace.GLOBAL
        yield tree.DeclareArray(
            element, array.text, registers.size, AddressSpace.PRIVATE, LINE, is_zero=stage.fill is Fill.ZERO
        )
        if has_lanes and tensor.is_temporary:
            raise cannot_lower(f"the temporary `{tensor.name}` is an array of vectors already")
        outside = self.registers.get(stage.tensor)
        fill: tree.Statements
        write: tree.Statements
        if outside is not None:
            fill, write = self._from_registers(stage, registers, outside)
        else:
            transfer = Transfer(
                registers,
                stage,
                pointers,
                scalar,
                space,
                self.lowering.transpose,
                self.lowering.table,
                self.names.fresh,
            )
            fill, write = tuple(transfer.fill(tensor.span)), tuple(transfer.write())
        yield tree.Section((f"load %{stage.tensor}",), fill)
        self.registers[stage.tensor] = registers
        yield from self._nodes(stage.body)
        del self.registers[stage.tensor]
        if outside is not None:
            self.registers[stage.tensor] = outside
        yield tree.Section((f"store %{stage.tensor}",), write)

    def _from_registers(
        self, stage: Stage, mine: Registers, outside: Registers
    ) -> tuple[tree.Statements, tree.Statements]:
        """How registers come from those of a stage around, and go there."""
        if mine.unit != outside.unit:
            raise cannot_lower(f"`{stage.tensor}` is used as numbers and as vectors in stages inside of each other")

        moved = self._known(mine.outer + outside.outer.times(-1))

        def pair(offset: int) -> tuple[tree.Place, tree.Place]:
            there = moved + Affine(offset - outside.low)
            if any(factor % mine.unit for _, factor in there.terms) or there.constant % mine.unit:
                raise cannot_lower(f"a vector of `{stage.tensor}` does not begin where its registers do")
            terms = tuple((name, factor // mine.unit) for name, factor in there.terms)
            place = self._index(Affine(there.constant // mine.unit, terms))
            own = index.constant((offset - mine.low) // mine.unit)
            return tree.Subscript(mine.array, own), tree.Subscript(outside.array, place)

        filled = mine.places if stage.fill is Fill.LOAD else ()
        if not moved.terms:  # known zeros are in none of them
            filled = tuple(each for each in filled if each + moved.constant in outside.places)
        fill = [tree.Assign(*pair(offset)) for offset in filled]
        operator = tree.BinaryOperator.ADD if stage.write is Write.ADD else None
        written = mine.written if stage.write is not Write.NOTHING else ()
        return tuple(fill), tuple(tree.Assign(*pair(offset)[::-1], operator) for offset in written)

    @property
    def _lane_axes(self) -> frozenset[str]:
        """Axes whose points are elements."""
        found: set[str] = set()
        for product in products(self.lowering.batch.body):
            for access in product.accesses:
                if access.element is not None:
                    found |= set(access.element.names) - {self.lowering.batch.axis}
        return frozenset(found)

    def _base(self, tensor: Tensor) -> tree.Expression:
        if tensor.is_temporary:
            return self.arrays[tensor.name]
        view = self.lowering.parameters.values[tensor.name]
        if not isinstance(view, View):
            raise CompilerBug("memory that is no memref")
        return view.base

    # -- unrolled code -------------------------------------------------------------------------------------------------

    def _unrolled(self, node: Node) -> tree.Statements:
        """Adds the products to what is pending; what has to come first is in the result."""
        match node:
            case Product():
                return self._product(node, None)
            case Loop(binding=Binding.VECTOR, body=(Product() as product,)):
                self.at[node.axis] = 0
                found = self._product(product, node)
                del self.at[node.axis]
                return found
            case Loop(extent=int() as extent, body=body):
                found = ()
                for number in range(extent):
                    self.at[node.axis] = number
                    for each in body:
                        found += self._unrolled(each)
                del self.at[node.axis]
                return found
            case Loop() | Stage() | Prefetch():
                raise CompilerBug("a node that is no unrolled code")

    def _product(self, product: Product, vector: Loop | None) -> tree.Statements:
        self.lowering.statements += 1
        if self.lowering.statements > MOST_STATEMENTS:
            raise cannot_lower(f"the unrolled code would have more than {MOST_STATEMENTS} products")
        values = []
        for factor in product.factors:
            value = self._value(factor, vector)
            if value is None:
                if product.adds:
                    return ()
                value = tree.Floating(0.0, self.lowering.scalar)
            values.append(value)
        names = {access.tensor for access in product.accesses[1:]}
        place = self._place(product.target, vector)
        found: tree.Statements = ()
        key = (product.target.tensor, place)
        if any(name in names for name, _ in self._keys()) or (not product.adds and key in self.pending):
            found = tuple(self._flush())
        values = values[1:] if len(values) > 1 and values[0] == tree.Floating(1.0, self.lowering.scalar) else values
        term = values[0]
        for each in values[1:]:
            term = tree.Binary(tree.BinaryOperator.MULTIPLY, term, each)
        if key in self.pending:
            self.pending[key].terms.append(term)
        else:
            self.pending[key] = _Sum(place, not product.adds, [term], product)
        return found

    def _keys(self) -> tuple[tuple[str, tree.Place], ...]:
        return tuple(self.pending)  # type: ignore[arg-type]

    def _flush(self) -> Iterator[tree.Statement]:
        pending, self.pending = self.pending, {}
        for each in pending.values():
            terms = each.terms if each.is_set else [each.place, *each.terms]
            if len(terms) > 1 and terms[0] == tree.Floating(0.0, self.lowering.scalar):
                terms = terms[1:]
            value = terms[0]
            for term in terms[1:]:
                value = tree.Binary(tree.BinaryOperator.ADD, value, term)
            yield tree.Section((), (tree.Assign(each.place, value),), each.origin.origin)

    def _value(self, factor: Factor, vector: Loop | None) -> tree.Expression | None:
        """A factor; None if it is known to be zero."""
        match factor:
            case Number(value=number):
                return tree.Floating(number, self.lowering.scalar)
            case Scalar(name=name):
                value = self.lowering.parameters.values[name]
                if isinstance(value, tree.Name):
                    return value
                raise CompilerBug("a scalar that is no parameter")
            case Access():
                return None if self._is_zero(factor, vector) else self._read(factor, vector)

    def _is_zero(self, access: Access, vector: Loop | None) -> bool:
        tensor = self.lowering.loops.by_name[access.tensor]
        if tensor.known_nonzeros is None:
            return False
        position = tensor.position(access.index)
        stride = 0 if vector is None else dict(position.terms).get(vector.axis, 0)
        first = self._known(position).number
        if first is None:
            return False
        lanes = vector.extent if vector is not None and isinstance(vector.extent, int) and stride else 1
        return not any(first + stride * lane in tensor.known_nonzeros for lane in range(lanes))

    def _read(self, access: Access, vector: Loop | None) -> tree.Expression:
        tensor = self.lowering.loops.by_name[access.tensor]
        if access.tensor in self.tabled:
            return self.tabled[access.tensor]
        position = self._known(tensor.position(access.index)).number
        is_number = vector is None or not dict(tensor.offset(access.index).terms).get(vector.axis, 0)
        if tensor.is_literal and tensor.known_values is not None and position is not None and is_number:
            return tree.Floating(tensor.known_values.get(position, 0.0), self.lowering.scalar)
        has_lanes = tensor.batch is not None and self.width > 1 and access.tensor not in self.registers
        if has_lanes:
            offset = self._index(tensor.offset(access.index))
            parts = tuple(tree.Subscript(each, offset) for each in self.pointers[access.tensor])
            return tree.Pack(Vector(self.lowering.scalar, self.width), parts)
        return self._place(access, vector)

    def _place(self, access: Access, vector: Loop | None) -> tree.Place:
        tensor = self.lowering.loops.by_name[access.tensor]
        stride = 0 if vector is None else dict(tensor.offset(access.index).terms).get(vector.axis, 0)
        registers = self.registers.get(access.tensor)
        if registers is not None:
            inside = self._known(inside_of(access, tensor, registers))
            if any(factor % registers.unit for _, factor in inside.terms) or inside.constant % registers.unit:
                raise cannot_lower(f"a vector of `{access.tensor}` does not begin where its registers do")
            terms = tuple((name, factor // registers.unit) for name, factor in inside.terms)
            return tree.Subscript(registers.array, self._index(Affine(inside.constant // registers.unit, terms)))
        offset = self._index(tensor.offset(access.index))
        if tensor.batch is not None:
            if self.width > 1:
                raise cannot_lower(f"`{access.tensor}` is written by the lanes of vectors: stage it")
            base: tree.Expression = self.pointers[access.tensor][0]
        else:
            base = self._base(tensor)
        if stride == 1 and vector is not None and isinstance(vector.extent, int) and vector.axis not in self._lane_axes:
            space = AddressSpace.PRIVATE if tensor.is_temporary else AddressSpace.GLOBAL
            is_const = not tensor.is_temporary and self._is_const(tensor)
            pointer = Pointer(Vector(self.lowering.scalar, vector.extent, is_unaligned=True), space, is_const)
            return tree.Access(pointer, index.add(base, offset))
        return tree.Subscript(base, offset)

    def _is_const(self, tensor: Tensor) -> bool:
        view = self.lowering.parameters.values[tensor.name]
        return isinstance(view, View) and view.pointer.is_const

    def _known(self, affine: Affine) -> Affine:
        """The index with the numbers of unrolled loops in it."""
        total = Affine(affine.constant)
        for name, factor in affine.terms:
            value = self.at.get(name)
            total += Affine(factor * value) if isinstance(value, int) else Affine(0, ((name, factor),))
        return total

    def _index(self, affine: Affine) -> tree.Expression:
        known = self._known(affine)
        terms = []
        for name, factor in known.terms:
            value = self.at[name]
            if not isinstance(value, tree.Name):
                raise CompilerBug(f"the axis `{name}` is not in sight")
            terms.append(index.multiply(value, index.constant(factor)))
        if terms and known.constant < 0:
            return index.subtract(index.total(terms), index.constant(-known.constant))
        return index.add(index.total(terms), index.constant(known.constant))


def _is_unrolled(node: Node) -> bool:
    """True if nothing of the node is a loop in the code."""
    if isinstance(node, Product):
        return True
    if not isinstance(node, Loop) or node.binding is Binding.SEQUENTIAL:
        return False
    return all(_is_unrolled(each) for each in node.body)
