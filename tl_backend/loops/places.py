"""Places of entries, and the sums of unrolled code.

Unrolled loops are gone: what they add to one place is one sum. A factor that is known to be zero leaves its product
out.
"""

from collections.abc import Iterator
from dataclasses import field

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.names import Names
from einsum_front.tl_backend.access import Affine
from einsum_front.tl_backend.kernel import tree, types
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Vector
from einsum_front.tl_backend.loops.nodes import (
    Access,
    Apply,
    Binding,
    Factor,
    Loop,
    Node,
    Number,
    Operand,
    Prefetch,
    Product,
    Result,
    Scalar,
    Stage,
    Tensor,
    Update,
    walk,
)
from einsum_front.tl_backend.loops.registers import Registers, cannot_lower, stored
from einsum_front.tl_backend.loops.shared import Shared
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.elementary import ELEMENTARY, elementary
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.parameters import View
from einsum_front.tl_backend.opencl.scalar import REGISTER, converted, number
from einsum_front.tl_backend.opencl.scalar import call as called

MOST_STATEMENTS = 200_000
"""Products of unrolled code."""


@dataclass(slots=True)
class _Sum:
    """What unrolled code adds to a place, or sets it to first."""

    place: tree.Place
    is_set: bool
    terms: list[tree.Expression]
    origin: Product


@dataclass(frozen=True, slots=True)
class _Value:
    """An operand of a function, and whether it has a number for each lane."""

    expression: tree.Expression
    has_lanes: bool


@dataclass(slots=True)
class Places:
    """What stands where, in a block of `width` elements.

    `at` has for each axis in sight its number, where it is unrolled, or its variable; `pending` are the sums of
    unrolled code that are not in the text yet. If it `is_streamed`, stores go past the caches where loops say so.
    """

    shared: Shared
    width: int
    element: tree.Name
    names: Names
    at: dict[str, int | tree.Name] = field(default_factory=dict)
    arrays: dict[str, tree.Name] = field(default_factory=dict)
    pointers: dict[str, tuple[tree.Name, ...]] = field(default_factory=dict)
    registers: dict[str, Registers] = field(default_factory=dict)
    tabled: dict[str, tree.Expression] = field(default_factory=dict)
    pending: dict[object, _Sum] = field(default_factory=dict)
    is_streamed: bool = False

    @property
    def _lane_type(self) -> types.Scalar | Vector:
        scalar = self.shared.scalar
        return Vector(scalar, self.width) if self.width > 1 else scalar

    def _extent(self, axis: str) -> int:
        loops = (node for node, _ in walk(self.shared.loops.body) if isinstance(node, Loop) and node.axis == axis)
        found = next(loops).extent
        if isinstance(found, int):
            return found
        raise CompilerBug("a table with a row for each element")

    def _base(self, tensor: Tensor) -> tree.Expression:
        if tensor.is_temporary:
            return self.arrays[tensor.name]
        return self._of_group(tensor)

    def _of_group(self, tensor: Tensor) -> tree.Expression:
        """Where an argument begins; where the lanes are columns, that of the element that has them."""
        view, mode = self._view(tensor), self.shared.batch_modes.get(tensor.name)
        if mode is None or not self.shared.lanes.are_columns:
            return view.base
        return index.add(view.base, index.multiply(tree.Name(self.shared.group), view.strides[mode]))

    def _view(self, tensor: Tensor) -> View:
        view = self.shared.parameters.values[tensor.name]
        if not isinstance(view, View):
            raise CompilerBug("memory that is no memref")
        return view

    # -- unrolled code -------------------------------------------------------------------------------------------------

    def _unrolled(self, node: Node) -> tree.Statements:
        """Adds the products to what is pending; what has to come first is in the result."""
        match node:
            case Product() | Apply():
                return self._update(node, None)
            case Loop(binding=Binding.VECTOR, body=((Product() | Apply()) as update,)):
                self.at[node.axis] = 0
                found = self._update(update, node)
                del self.at[node.axis]
                return found
            case Loop(extent=int() as extent, body=body):
                found = ()
                for point in range(extent):
                    self.at[node.axis] = point
                    for each in body:
                        found += self._unrolled(each)
                del self.at[node.axis]
                return found
            case Loop() | Stage() | Prefetch():
                raise CompilerBug("a node that is no unrolled code")

    def _update(self, update: Update, vector: Loop | None) -> tree.Statements:
        self.shared.statements += len(update.calls) if isinstance(update, Apply) else 1
        if self.shared.statements > MOST_STATEMENTS:
            raise cannot_lower(f"the unrolled code would have more than {MOST_STATEMENTS} products")
        return self._apply(update, vector) if isinstance(update, Apply) else self._product(update, vector)

    def _apply(self, apply: Apply, vector: Loop | None) -> tree.Statements:
        """A variable for the result of each function, in a block of their own."""
        names, results = self.names.inner(), dict[str, _Value]()
        statements: list[tree.Statement] = []
        for call in apply.calls:
            operands = [self._operand(each, vector, results) for each in call.operands]
            has_lanes = any(each.has_lanes for each in operands)
            type_: types.Scalar | Vector = self._type_of(vector) if has_lanes else self.shared.scalar
            values = [self._spread(each, type_) for each in operands]
            name = names.fresh(local_name(call.name))
            results[call.name] = _Value(tree.Name(name), has_lanes)
            if call.function in ELEMENTARY:
                statements += elementary(call.function, {name: values[0]}, type_, names)
            else:
                statements.append(tree.Declare(type_, name, called(call.function, values)))
        value = self._operand(apply.value, vector, results)
        is_vector = vector is not None and apply.target.uses(vector.axis)
        type_ = self._type_of(vector) if is_vector else self.shared.scalar
        place = self._place(apply.target, vector)
        made = self._as_stored(self._spread(value, type_), place, apply.target)
        assign = stored(place, made, is_streamed=self._streams(apply.target.tensor))
        return (*self._flush(), tree.Section((), (tree.Block((*statements, assign)),), apply.origin))

    def _operand(self, operand: Operand, vector: Loop | None, results: "dict[str, _Value]") -> "_Value":
        if isinstance(operand, Result):
            return results[operand.name]
        value = self._value(operand, vector)
        if value is None:
            return _Value(number(0.0, self.shared.scalar), has_lanes=False)
        has_lanes = isinstance(operand, Access) and vector is not None and operand.uses(vector.axis)
        return _Value(value, has_lanes)

    def _type_of(self, vector: Loop | None) -> types.Scalar | Vector:
        """A number for each lane of a vector loop, where the block has lanes."""
        if vector is None or not isinstance(vector.extent, int):
            return self.shared.scalar
        if vector.axis in self.shared.lane_axes:
            return self._lane_type
        return Vector(self.shared.scalar, vector.extent)

    def _spread(self, value: "_Value", type_: types.Scalar | Vector) -> tree.Expression:
        """A number for all lanes, where each has to have one."""
        if value.has_lanes or not isinstance(type_, Vector):
            return value.expression
        return tree.Pack(type_, (value.expression,))

    def _product(self, product: Product, vector: Loop | None) -> tree.Statements:
        values = []
        for factor in product.factors:
            value = self._value(factor, vector)
            if value is None:
                if product.adds:
                    return ()
                value = number(0.0, self.shared.scalar)
            values.append(self._held(value) if vector is not None and vector.axis in self.shared.lane_axes else value)
        names = {access.tensor for access in product.accesses[1:]}
        place = self._place(product.target, vector)
        found: tree.Statements = ()
        key = (product.target.tensor, place)
        if any(name in names for name, _ in self._keys()) or (not product.adds and key in self.pending):
            found = tuple(self._flush())
        values = values[1:] if len(values) > 1 and values[0] == number(1.0, self.shared.scalar) else values
        term = values[0]
        for each in values[1:]:
            term = tree.Binary(tree.BinaryOperator.MULTIPLY, term, each)
        if key in self.pending:
            self.pending[key].terms.append(term)
        else:
            self.pending[key] = _Sum(place, not product.adds, [term], product)
        return found

    def _held(self, value: tree.Expression) -> tree.Expression:
        """A number of the code in all lanes, from its register if it has one."""
        if not isinstance(value, tree.Floating) or self.width < self.shared.width:
            return value
        name = self.shared.held.get(abs(value.value))
        return value if name is None else name if value.value > 0 else tree.Unary(tree.UnaryOperator.NEGATE, name)

    def _keys(self) -> tuple[tuple[str, tree.Place], ...]:
        return tuple(self.pending)  # type: ignore[arg-type]

    def _flush(self) -> Iterator[tree.Statement]:
        pending, self.pending = self.pending, {}
        for each in pending.values():
            before = self._as_computed(each.place, each.origin.target)
            terms = each.terms if each.is_set else [before, *each.terms]
            if len(terms) > 1 and terms[0] == number(0.0, self.shared.scalar):
                terms = terms[1:]
            value = terms[0]
            for term in terms[1:]:
                value = tree.Binary(tree.BinaryOperator.ADD, value, term)
            streams = each.is_set and self._streams(each.origin.target.tensor)
            value = self._as_stored(value, each.place, each.origin.target)
            yield tree.Section((), (stored(each.place, value, is_streamed=streams),), each.origin.origin)

    def _streams(self, tensor: str) -> bool:
        """Whether stores of a tensor go past the caches; none that go to registers do."""
        is_memory = self.is_streamed and tensor not in self.registers
        return is_memory and self.shared.loops.by_name[tensor].streamed is not None

    def may_stream(self, tensor: Tensor, elements: tree.Expression) -> tree.Expression:
        """A condition: there are many elements, or columns of all, and lines of the memory are whole vectors."""
        most = tree.Integer((tensor.streamed or 0) * 2**20 // max(tensor.span * tensor.bytes, 1), types.Scalar.I64)
        start: tree.Expression = tree.Cast(types.Scalar.U64, self._of_group(tensor))
        if tensor.is_fastest:
            row = tree.Cast(types.Scalar.U64, index.multiply(self._row_length(tensor), index.constant(tensor.bytes)))
            start = tree.Binary(tree.BinaryOperator.BIT_OR, start, row)
        line, zero = (tree.Integer(each, types.Scalar.U64) for each in (types.LINE, 0))
        rest = tree.Binary(tree.BinaryOperator.REMAINDER, start, line)
        return tree.Conditional(
            tree.Binary(tree.BinaryOperator.GREATER, elements, most),
            tree.Binary(tree.BinaryOperator.EQUAL, rest, zero),
            tree.Integer(0, types.Scalar.BOOL),
        )

    def _value(self, factor: Factor, vector: Loop | None) -> tree.Expression | None:
        """A factor; None if it is known to be zero."""
        match factor:
            case Number(value=value):
                return number(value, self.shared.scalar)
            case Scalar(name=name):
                parameter = self.shared.parameters.values[name]
                if isinstance(parameter, tree.Name):
                    return parameter
                raise CompilerBug("a scalar that is no parameter")
            case Access():
                return None if self._is_zero(factor, vector) else self._read(factor, vector)

    def _is_zero(self, access: Access, vector: Loop | None) -> bool:
        tensor = self.shared.loops.by_name[access.tensor]
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
        tensor = self.shared.loops.by_name[access.tensor]
        if access.tensor in self.tabled:
            return self.tabled[access.tensor]
        position = self._known(tensor.position(access.index)).number
        is_number = vector is None or not dict(tensor.offset(access.index).terms).get(vector.axis, 0)
        if tensor.is_literal and tensor.known_values is not None and position is not None and is_number:
            return number(tensor.known_values.get(position, 0.0), self.shared.scalar)
        is_apart = tensor.batch is not None and not tensor.is_fastest
        has_lanes = is_apart and self.width > 1 and access.tensor not in self.registers
        if has_lanes:
            offset = self._index(tensor.offset(access.index))
            parts = tuple(tree.Subscript(each, offset) for each in self.pointers[access.tensor])
            return tree.Pack(Vector(self.shared.scalar, self.width), parts)
        return self._as_computed(self._place(access, vector), access)

    def _scalar(self, tensor: Tensor) -> types.Scalar:
        """The type of an entry in memory."""
        return REGISTER[tensor.memory or tensor.element]

    def _types(self, place: tree.Place, access: Access) -> tuple[types.Scalar | Vector, types.Scalar | Vector]:
        """The type of a place in memory, and that of its number where it is computed with."""
        is_memory = access.tensor not in self.registers
        scalar = self._scalar(self.shared.loops.by_name[access.tensor]) if is_memory else self.shared.scalar
        found = place.pointer.target if isinstance(place, tree.Access) else scalar
        if isinstance(found, Vector):
            return found, Vector(self.shared.scalar, found.width)
        return scalar, self.shared.scalar

    def _as_computed(self, place: tree.Place, access: Access) -> tree.Expression:
        stored_as, computed_as = self._types(place, access)
        return converted(place, stored_as, computed_as)

    def _as_stored(self, value: tree.Expression, place: tree.Place, access: Access) -> tree.Expression:
        stored_as, computed_as = self._types(place, access)
        return converted(value, computed_as, stored_as)

    def _place(self, access: Access, vector: Loop | None) -> tree.Place:
        tensor = self.shared.loops.by_name[access.tensor]
        stride = 0 if vector is None else dict(tensor.offset(access.index).terms).get(vector.axis, 0)
        registers = self.registers.get(access.tensor)
        if registers is not None:
            return self._register(registers, tensor.offset(access.index), tensor)
        offset = self._index(tensor.offset(access.index))
        if tensor.is_fastest:
            return self._row(tensor, offset)
        if tensor.batch is not None:
            if self.width > 1:
                raise cannot_lower(
                    f"`{access.tensor}` is written by interleaved elements, which are apart in memory: "
                    f"the recipe needs a step `stage {access.tensor}`"
                )
            base: tree.Expression = self.pointers[access.tensor][0]
        else:
            base = self._base(tensor)
        if (
            stride == 1
            and vector is not None
            and isinstance(vector.extent, int)
            and vector.axis not in self.shared.lane_axes
        ):
            space = AddressSpace.PRIVATE if tensor.is_temporary else AddressSpace.GLOBAL
            is_const = not tensor.is_temporary and self._view(tensor).pointer.is_const
            pointer = Pointer(Vector(self._scalar(tensor), vector.extent, is_unaligned=True), space, is_const)
            return tree.Access(pointer, index.add(base, offset))
        return tree.Subscript(base, offset)

    def _row(self, tensor: Tensor, offset: tree.Expression) -> tree.Place:
        """The lanes of an entry where the elements are neighbours: part of a row."""
        view = self._view(tensor)
        place = index.multiply(offset, self._row_length(tensor))
        (start,) = self.pointers[tensor.name]
        if self.width == 1:
            return tree.Subscript(start, place)
        vector = Vector(self._scalar(tensor), self.width, is_unaligned=True)
        return tree.Access(Pointer(vector, AddressSpace.GLOBAL, view.pointer.is_const), index.add(start, place))

    def _row_length(self, tensor: Tensor) -> tree.Expression:
        """Entries from a row of elements to the next."""
        behind = self.shared.lanes.modes[tensor.name][-1] + 1
        strides = self._view(tensor).strides
        is_row = tensor.size == 1 and self.shared.lanes.are_columns  # what is behind is the next element, if anything
        return index.ZERO if is_row or behind == len(strides) else strides[behind]

    def _register(self, registers: Registers, offset: Affine, tensor: Tensor) -> tree.Subscript:
        """The register of the entry at an offset, or of the vector that begins there."""
        inside = self._known(offset + registers.outer.times(-1) + Affine(-registers.low))
        unit = registers.unit
        if any(factor % unit for _, factor in inside.terms) or inside.constant % unit:
            raise cannot_lower(f"a vector of `{tensor.name}` does not begin where its registers do")
        terms = tuple((name, factor // unit) for name, factor in inside.terms)
        return tree.Subscript(registers.array, self._index(Affine(inside.constant // unit, terms)))

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
