"""The nodes of a block of elements as statements: loops, tables of non-zeros, stages, prefetches."""

from collections.abc import Iterator

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.tl_backend.access import Affine, named
from einsum_front.tl_backend.kernel import tree, types
from einsum_front.tl_backend.kernel.types import LINE, AddressSpace, Pointer, Vector, size_of
from einsum_front.tl_backend.loops.extents import used_lines
from einsum_front.tl_backend.loops.nodes import (
    Access,
    Apply,
    Binding,
    Fill,
    Loop,
    Node,
    Nodes,
    Prefetch,
    Product,
    Stage,
    Tensor,
    Write,
    is_unrolled,
    updates,
)
from einsum_front.tl_backend.loops.places import Places
from einsum_front.tl_backend.loops.registers import Registers, Transfer, cannot_lower, find_registers
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.names import local_name


class Block(Places):
    """The statements for a block of elements."""

    def statements_of_all(self, batch: Loop) -> tree.Statements:
        """Arrays, pointers to the elements, and the nodes of a loop over the elements."""
        loops = self.shared.loops
        found: list[tree.Statement] = [*self._temporaries(batch.body)]
        used = {access.tensor for update in updates(batch.body) for access in update.accesses}
        for tensor in loops.tensors:
            if tensor.batch is not None and tensor.name in used:
                found += self._lanes(tensor)
        self.at[batch.axis] = 0
        return (*found, *self._nodes(batch.body))

    def _temporaries(self, nodes: Nodes) -> Iterator[tree.Statement]:
        """Arrays of the temporaries; those that are not used at the same time share one."""
        loops = self.shared.loops
        ranges: dict[str, list[int]] = {}
        for number, node in enumerate(self._parts(nodes)):
            for update in updates((node,)):
                for access in update.accesses:
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
        while len(nodes) == 1 and isinstance(nodes[0], Stage):
            nodes = nodes[0].body
        return nodes

    def _lanes(self, tensor: Tensor) -> Iterator[tree.Statement]:
        view = self._view(tensor)
        apart = view.strides[self.shared.lanes.modes[tensor.name][0]]
        found = []
        for lane in range(1 if tensor.is_fastest else self.width):
            name = self.names.fresh(f"{local_name(tensor.name)}_{lane}")
            number = index.add(self.element, index.constant(lane))
            address = index.add(self._of_group(tensor), index.multiply(number, apart))
            plain = Pointer(view.pointer.target, view.pointer.space, view.pointer.is_const)
            yield tree.Declare(plain, name, address)
            found.append(tree.Name(name))
        self.pointers[tensor.name] = tuple(found)

    # -- nodes ---------------------------------------------------------------------------------------------------------

    def _nodes(self, nodes: Nodes) -> tree.Statements:
        found: list[tree.Statement] = []
        for node in nodes:
            if is_unrolled(node):
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
            case Loop() | Product() | Apply():
                raise CompilerBug("a loop over elements inside of another one")

    def _sequential(self, loop: Loop) -> tree.Statement:
        if loop.where is not None:
            return self._rows(loop, self.shared.loops.by_name[loop.where])
        if not isinstance(loop.extent, int):
            raise CompilerBug("a loop over elements inside of another one")
        variable = tree.Name(self.names.fresh(local_name(loop.axis)))
        self.at[loop.axis] = variable
        body = self._nodes(loop.body)
        del self.at[loop.axis]
        return tree.For(
            types.Scalar.I32, variable.text, index.ZERO, index.constant(loop.extent), index.ONE, body, over=loop.axis
        )

    def _rows(self, loop: Loop, tensor: Tensor) -> tree.Statement:
        """A loop over the points at which a tensor may differ from zero: a table has them row after row."""
        update = next(updates(loop.body))
        access = next(each for each in update.accesses[1:] if each.tensor == tensor.name)
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
            variable, begins = self.at[row], self.shared.table(f"{name}_starts", starts)
            here = variable if isinstance(variable, tree.Name) else index.constant(variable)
            first, stop = (tree.Subscript(begins, index.add(here, index.constant(each))) for each in (0, 1))
        else:
            first, stop = index.ZERO, index.constant(len(points))  # type: ignore[assignment]
        where = self.shared.table(f"{name}_points", points)
        self.at[loop.axis] = point
        before = self.tabled.get(access.tensor)
        if numbers is not None:
            self.tabled[access.tensor] = tree.Subscript(self.shared.values(f"{name}_values", numbers), counter)
        body = (tree.Declare(types.Scalar.I32, point.text, tree.Subscript(where, counter)), *self._nodes(loop.body))
        self.tabled.pop(access.tensor, None)
        if before is not None:
            self.tabled[access.tensor] = before
        del self.at[loop.axis]
        return tree.For(types.Scalar.I32, counter.text, first, stop, index.ONE, body, over=loop.axis)

    def _prefetch(self, node: Prefetch) -> Iterator[tree.Statement]:
        if not self.shared.target.has_prefetch or self.width < self.shared.width or node.first == node.stop:
            return
        tensor = self.shared.loops.by_name[node.tensor]
        lines = used_lines(self.shared.loops, node.tensor)[node.first : node.stop]
        ahead = node.distance * self.shared.width * (tensor.batch or 0) * size_of(self.shared.scalar)
        base = self.pointers[node.tensor][0]
        apart: tree.Expression = index.constant(LINE)
        if tensor.is_fastest:
            apart = index.multiply(self._row_length(tensor), index.constant(size_of(self.shared.scalar)))
        if node.axis is None:
            for line in lines:
                yield tree.Prefetch(base, index.add(index.multiply(index.constant(line), apart), index.constant(ahead)))
            return
        share = -(-len(lines) // self._extent(node.axis))
        turn = index.multiply(self._index(named(node.axis)), index.constant(share))
        is_run = lines == list(range(lines[0], lines[-1] + 1))
        if not is_run:  # the last iterations may find no line of their own
            lines += [lines[-1]] * (share * self._extent(node.axis) - len(lines))
            table = self.shared.table(f"{local_name(node.tensor)}_lines", tuple(lines))
        for number in range(share):
            place = index.add(turn, index.constant(number))
            asked = index.add(place, index.constant(lines[0])) if is_run else tree.Subscript(table, place)
            offset = index.add(index.constant(ahead), index.multiply(asked, apart))
            yield tree.Prefetch(base, offset)

    def _stage(self, stage: Stage) -> Iterator[tree.Statement]:
        tensor = self.shared.loops.by_name[stage.tensor]
        array = tree.Name(self.names.fresh(f"{local_name(stage.tensor)}_regs"))
        registers = find_registers(stage, self.shared.loops, array, self.width, self.shared.lane_axes)
        outer = self._index(registers.outer)
        lanes = self.pointers[stage.tensor] if tensor.batch is not None else (self._base(tensor),)
        row = self._row_length(tensor) if tensor.is_fastest else None
        outer = outer if row is None else index.multiply(outer, row)
        pointers = tuple(index.add(each, outer) for each in lanes)
        scalar = self.shared.scalar
        unit = Vector(scalar, registers.unit) if registers.unit > 1 else scalar
        has_lanes = self.width > 1 and (tensor.batch is not None or tensor.is_temporary)
        element = Vector(scalar, self.width) if has_lanes else unit
        space = AddressSpace.PRIVATE if tensor.is_temporary else AddressSpace.GLOBAL
        yield tree.DeclareArray(
            element, array.text, registers.size, AddressSpace.PRIVATE, LINE, is_zero=stage.fill is Fill.ZERO
        )
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
                row,
                self.width if tensor.batch is not None else 1,  # entries of temporaries are vectors themselves
                scalar,
                space,
                self.shared.transpose,
                self.shared.table,
                self.names.fresh,
                self._streams(tensor.name),
                self._scalar(tensor),
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

        tensor, moved = self.shared.loops.by_name[stage.tensor], self._known(mine.outer + outside.outer.times(-1))

        def pair(offset: int) -> tuple[tree.Place, tree.Place]:
            entry = mine.outer + Affine(offset)
            return self._register(mine, entry, tensor), self._register(outside, entry, tensor)

        filled = mine.places if stage.fill is Fill.LOAD else ()
        if not moved.terms:  # known zeros are in none of them
            filled = tuple(each for each in filled if each + moved.constant in outside.places)
        fill = [tree.Assign(*pair(offset)) for offset in filled]
        operator = tree.BinaryOperator.ADD if stage.write is Write.ADD else None
        written = mine.written if stage.write is not Write.NOTHING else ()
        return tuple(fill), tuple(tree.Assign(*pair(offset)[::-1], operator) for offset in written)
