"""Where a memref lies: the buffer, the affine position of its first entry, and the stride of each of its modes.

    %b = subview %B[2:4, %i, %g]                 %b: buffer B, starts (2, i, g), mode 0 walks mode 0 of B
    %f = fuse %B[0,1]                            %f: buffer B, starts (0, 0, 0), mode 0 walks mode 0 of B

Positions are affine in loop variables, in the number of the work-group, and in other values that have a name. Every
question about "which memory" has its answer here: the buffer of a name, the part of the buffer that a view may touch,
whether two views may or must have an entry in common, and the offset in elements that a schedule computes with.
"""

from collections.abc import Callable, Mapping
from dataclasses import field, replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.semantics import expand_type, fuse_type, reads, writes
from einsum_front.tl_backend.traverse import walked
from einsum_front.tl_backend.types import Extent, GroupType, MemrefType, ScalarType

# -- affine positions --------------------------------------------------------------------------------------------------


Terms = tuple[tuple[str, int], ...]
"""Named values, each with its factor."""


@dataclass(frozen=True, slots=True)
class Affine:
    """`constant` plus a multiple of each of some named values. The order of the terms means nothing."""

    constant: int = 0
    terms: Terms = field(default=(), compare=False)
    _unordered: Terms | frozenset[tuple[str, int]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_unordered", self.terms if len(self.terms) < 2 else frozenset(self.terms))

    def __add__(self, other: "Affine") -> "Affine":
        if not self.terms and not other.terms:
            return Affine(self.constant + other.constant)
        factors = dict(self.terms)
        for name, factor in other.terms:
            factors[name] = factors.get(name, 0) + factor
        terms = tuple((name, factor) for name, factor in factors.items() if factor)
        return Affine(self.constant + other.constant, terms)

    def times(self, factor: int) -> "Affine":
        """The product with a number."""
        terms = tuple((name, each * factor) for name, each in self.terms if factor)
        return Affine(self.constant * factor, terms)

    @property
    def names(self) -> tuple[str, ...]:
        """The values that it depends on."""
        return tuple(name for name, _ in self.terms)

    @property
    def number(self) -> int | None:
        """The constant, if it depends on nothing."""
        return None if self.terms else self.constant


def named(name: str) -> Affine:
    """The value of the name."""
    return Affine(0, ((name, 1),))


Values = Mapping[str, Affine]
"""Values of type `index` that are known to be affine in others, by name."""


def value_of(operand: tl.Operand, values: Values) -> Affine:
    """The operand in terms of what it is computed from, as far as that is known."""
    match operand:
        case tl.IntegerConstant(value=value):
            return Affine(value)
        case tl.Local(name=name):
            return values.get(name) or named(name)
        case tl.FloatConstant(value=number) | tl.ComplexConstant(value=number):
            raise CompilerBug(f"{number} is used as an index")


def affine(instruction: tl.ArithBinary, values: Values) -> Affine | None:
    """Sums, differences and multiples of affine values; None for other results."""
    if instruction.type is not ScalarType.INDEX:
        return None
    left, right = (value_of(operand, values) for operand in (instruction.left, instruction.right))
    match instruction.operator:
        case tl.BinaryOperator.ADD:
            return left + right
        case tl.BinaryOperator.SUB:
            return left + right.times(-1)
        case tl.BinaryOperator.MUL if not right.terms:
            return left.times(right.constant)
        case tl.BinaryOperator.MUL if not left.terms:
            return right.times(left.constant)
        case (
            tl.BinaryOperator.MUL | tl.BinaryOperator.DIV | tl.BinaryOperator.REM | tl.BinaryOperator.SHL
            | tl.BinaryOperator.SHR | tl.BinaryOperator.AND | tl.BinaryOperator.OR | tl.BinaryOperator.XOR
        ):  # fmt: skip
            return None


# -- parts of buffers --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Interval:
    """The positions `start` (included) to `stop` (excluded; None: the end) of a mode that may be touched."""

    start: int = 0
    stop: int | None = None


@dataclass(frozen=True, slots=True)
class Area:
    """A box of positions in a buffer. All of the box is touched if it is exact; at most the box is, if it is not."""

    buffer: str
    box: tuple[Interval, ...]
    is_exact: bool

    def may_overlap(self, other: "Area") -> bool:
        """True if areas of the same buffer may have an element in common.

        Different positions of a memref are different memory; two memrefs of a group are the same, or have none in
        common.
        """
        return all(
            (left.stop is None or right.start < left.stop) and (right.stop is None or left.start < right.stop)
            for left, right in zip(self.box, other.box, strict=True)
        )

    def must_overlap(self, other: "Area") -> bool:
        """True if areas have an element in common for certain: exact boxes, or a box inside of an exact one."""
        if self.buffer != other.buffer or not self.may_overlap(other):
            return False
        return (self.is_exact and other.is_exact) or self._contains(other) or other._contains(self)

    def _contains(self, inner: "Area") -> bool:
        """True if all of this box is touched, and the inner one lies in it."""
        return self.is_exact and all(
            left.start <= right.start and (left.stop is None or (right.stop is not None and right.stop <= left.stop))
            for left, right in zip(self.box, inner.box, strict=True)
        )


# -- accesses ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode of a view: it walks mode `of` of the buffer, `step` positions at a time.

    A fused mode walks the first of the modes that it is made of, and goes on into the next ones; `is_plain` says that
    the mode stays in its mode of the buffer.
    """

    of: int
    step: Extent = 1
    is_plain: bool = True


@dataclass(frozen=True, slots=True)
class Access:
    """A view on a buffer of this type: an argument, an `alloca`, or any memref of a group.

    `starts` has for each mode of the buffer the position where the view starts; `shape` the sizes of the view's own
    modes. The position of the member in its group is `member`, None for other buffers.
    """

    area: Area
    type: MemrefType
    starts: tuple[Affine, ...]
    modes: tuple[Mode, ...]
    shape: tuple[Extent, ...]
    member: Affine | None = None

    @property
    def buffer(self) -> str:
        """The name of the argument or of the `alloca`.

        Memory of different buffers does not overlap: an alloca is new memory, and the language asks of its caller that
        what a kernel writes overlaps no other argument. All memrefs of a group have the group as their buffer.
        """
        return self.area.buffer

    @property
    def strides(self) -> tuple[Extent, ...]:
        """The strides of the view's modes, in elements; None where only the launch knows."""
        return tuple(_times(mode.step, self.type.strides[mode.of]) for mode in self.modes)

    def offset(self, *, without: int | None = None) -> Affine | None:
        """Elements from the start of the buffer to the first entry, but for one mode; None if a stride is unknown."""
        total = Affine()
        for mode, (start, stride) in enumerate(zip(self.starts, self.type.strides, strict=True)):
            if mode != without and start != Affine():
                if stride is None:
                    return None
                total += start.times(stride)
        return total

    def view(self, instruction: tl.ValueInstruction, values: Values) -> "Access":
        """Access of a view on this one, or of a memref that is loaded from a group."""
        match instruction:
            case tl.Subview(slices=slices, result=result):
                return self._part(slices, result, values)
            case tl.Fuse(first=first, last=last):
                return self._retyped(first, last, lambda type_: fuse_type(type_, first, last))
            case tl.Expand(mode=mode, shape=shape):
                return self._retyped(mode, mode, lambda type_: expand_type(type_, mode, shape))
            case tl.Load(indices=(index,)):
                return replace(self, member=value_of(index, values))
            case _:
                raise CompilerBug(f"{type(instruction).__name__} makes no view")

    def _part(self, slices: tuple[tl.Position | tl.Slice, ...], result: tl.Local, values: Values) -> "Access":
        starts, box, is_exact = list(self.starts), list(self.area.box), self.area.is_exact
        kept: list[tuple[Mode, Extent]] = []
        for mode, size, pick in zip(self.modes, self.shape, slices, strict=True):
            start = value_of(_start(pick), values)
            moved = named(result.name) if mode.step is None and start != Affine() else start.times(mode.step or 0)
            starts[mode.of] += moved
            rest = None if size is None or start.terms else size - start.constant
            count = _count(pick, values, rest)
            is_exact = is_exact and mode.is_plain and not start.terms and _is_sized(pick, values)
            if mode.is_plain and not starts[mode.of].terms:
                first = starts[mode.of].constant
                is_open = isinstance(pick, tl.Slice) and (pick.size is None or count is None)
                box[mode.of] = Interval(first, box[mode.of].stop if is_open or count is None else first + count)
            if isinstance(pick, tl.Slice):
                kept.append((mode, count))
        area = Area(self.buffer, tuple(box), is_exact)
        modes, shape = tuple(mode for mode, _ in kept), tuple(size for _, size in kept)
        return replace(self, area=area, starts=tuple(starts), modes=modes, shape=shape)

    def _retyped(self, first: int, last: int, retype: Callable[[MemrefType], MemrefType]) -> "Access":
        """The modes from the first to the last as other ones, of which the first has the step of the first."""
        known = retype(MemrefType(self.type.element, self.shape, tuple(mode.step for mode in self.modes)))
        of, new = self.modes[first].of, len(known.shape) - len(self.shape) + last - first + 1
        modes = (Mode(of, step, is_plain=False) for step in known.strides[first : first + new])
        return replace(self, modes=(*self.modes[:first], *modes, *self.modes[last + 1 :]), shape=known.shape)


def whole(buffer: str, type_: MemrefType | GroupType) -> Access:
    """All of an argument or an alloca; for a group all of one of its memrefs, nobody knows which."""
    memref = type_.memref if isinstance(type_, GroupType) else type_
    box = tuple(Interval(0, size) for size in memref.shape)
    area = Area(buffer, box, not isinstance(type_, GroupType))
    return Access(area, memref, (Affine(),) * len(box), tuple(map(Mode, range(len(box)))), memref.shape)


def _start(pick: tl.Position | tl.Slice) -> tl.IndexOperand:
    return pick.index if isinstance(pick, tl.Position) else pick.offset


def _count(pick: tl.Position | tl.Slice, values: Values, rest: Extent) -> Extent:
    """The positions of a pick; `rest` is what remains of the mode."""
    if isinstance(pick, tl.Position):
        return 1
    return rest if pick.size is None else value_of(pick.size, values).number


def _is_sized(pick: tl.Position | tl.Slice, values: Values) -> bool:
    return isinstance(pick, tl.Position) or pick.size is None or not value_of(pick.size, values).terms


def _times(one: Extent, other: Extent) -> Extent:
    return None if one is None or other is None else one * other


# -- the accesses of a function ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Accesses:
    """Meanings of names: `memrefs` has every memref and group in sight, `values` the affine ones of type `index`.

    Regions that are not inside each other may give a name twice: on the way through the text, a name means the last
    value that got it.
    """

    memrefs: dict[str, Access] = field(default_factory=dict)
    values: dict[str, Affine] = field(default_factory=dict)

    @staticmethod
    def of_arguments(function: Function) -> "Accesses":
        """Accesses before the first instruction."""
        found = Accesses()
        for argument in function.arguments:
            if isinstance(argument.type, MemrefType | GroupType):
                found.memrefs[argument.name.name] = whole(argument.name.name, argument.type)
        return found

    def copy(self) -> "Accesses":
        """The same, for who adds to them."""
        return Accesses(dict(self.memrefs), dict(self.values))

    def note(self, instruction: tl.Instruction) -> None:
        """Add what the instruction names, not what is inside it."""
        if isinstance(instruction, tl.For | tl.Foreach):
            self.values.pop(instruction.variable.name, None)
        if not isinstance(instruction, tl.ValueInstruction):
            return
        name, operand = instruction.result.name, viewed(instruction)
        if isinstance(instruction, tl.Alloca):
            self.memrefs[name] = whole(name, instruction.type)
        elif operand is not None:
            self.memrefs[name] = self.memrefs[operand.name].view(instruction, self.values)
        elif (value := self._value(instruction)) is not None:
            self.values[name] = value
        else:
            self.values.pop(name, None)

    def _value(self, instruction: tl.ValueInstruction) -> Affine | None:
        match instruction:
            case tl.Size(operand=operand, mode=mode):
                size = self.memrefs[operand.name].shape[mode]
                return None if size is None else Affine(size)
            case tl.ArithBinary():
                return affine(instruction, self.values)
            case (
                tl.Alloca() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse() | tl.GroupId()
                | tl.GroupSize() | tl.Load() | tl.MathCall() | tl.Subview()
            ):  # fmt: skip
                return None

    def areas(self, instruction: tl.Instruction) -> tuple[frozenset[Area], frozenset[Area]]:
        """Areas that the instruction itself reads, and those that it writes."""
        indices = instruction.indices if isinstance(instruction, tl.Load | tl.Store) else None
        read, written = (
            frozenset(self._area(memref, indices) for memref in memrefs)
            for memrefs in (reads(instruction), writes(instruction))
        )
        return read, written

    def _area(self, memref: tl.Local, indices: tuple[tl.IndexOperand, ...] | None) -> Area:
        access = self.memrefs[memref.name]
        if indices is None:
            return access.area
        entry = tl.Subview(memref, memref, tuple(map(tl.Position, indices)), access.type)
        return access.view(entry, self.values).area


def find_accesses(function: Function) -> Accesses:
    """The access of every memref and group of the function, by its name, which `function.get` keeps."""
    return function.get(_accesses)


def _accesses(function: Function) -> Accesses:
    found = Accesses.of_arguments(function)
    for instruction in function.get(walked):
        found.note(instruction)
    return found


def buffers(function: Function) -> Mapping[str, str]:
    """For every memref and group value the name of the argument or of the alloca whose memory it is a view on."""
    return function.get(_buffers)


def _buffers(function: Function) -> dict[str, str]:
    return {name: access.buffer for name, access in find_accesses(function).memrefs.items()}


def viewed(instruction: tl.ValueInstruction) -> tl.Local | None:
    """The operand whose memory the result is a view on, if the result is a memref that the instruction did not make."""
    match instruction:
        case tl.Expand(operand=operand) | tl.Fuse(operand=operand) | tl.Subview(operand=operand):
            return operand
        case tl.Load(operand=operand, type=type_):
            return operand if isinstance(type_, GroupType) else None
        case tl.Alloca() | tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.MathCall():
            return None
        case tl.GroupId() | tl.GroupSize() | tl.Size():
            return None
