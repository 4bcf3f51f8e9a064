"""Meanings of the collective instructions: one table for all who ask for ranks, sizes, loops or effects.

    target[…] := alpha * sum over the reduction axes of the product of the inputs[…] + beta * target[…]

A row of `FORMS` says for each operand which axis each of its modes runs along: `mk,kn->mn` is a matrix product. Axes
of the target are parallel: their points are independent of each other. All others are reduction axes. An instruction
that is defined for several ranks has a form for each. That all inputs are multiplied, that a transposed input has its
axes in the other order, and what alpha and beta do, holds for all rows.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from itertools import zip_longest
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.functions import Function
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.types import Extent, GroupType, MemrefType, ScalarType, Type


class Axis(IntEnum):
    """Axis that a mode of an operand runs along: the rows or the columns of the target, or what is summed over."""

    M = 0
    N = 1
    K = 2

    @property
    def letter(self) -> str:
        """The letter in texts and messages."""
        return self.name.lower()


BY_LETTER = tuple(sorted(Axis, key=lambda axis: axis.letter))

AxisMap = tuple[Axis, ...]
"""The axis of each mode of an operand."""


@dataclass(frozen=True, slots=True)
class IndexMaps:
    """The axes that the modes of the inputs and of the target run along."""

    inputs: tuple[AxisMap, ...]
    target: AxisMap

    @property
    def operands(self) -> tuple[AxisMap, ...]:
        """The maps of the inputs, then that of the target."""
        return *self.inputs, self.target

    @property
    def ranks(self) -> tuple[int, ...]:
        """The rank of each operand."""
        return tuple(map(len, self.operands))

    @property
    def reduction(self) -> tuple[Axis, ...]:
        """The axes that are summed over."""
        return tuple(axis for axis in Axis if axis not in self.target and any(axis in map_ for map_ in self.inputs))

    @property
    def subscripts(self) -> str:
        """The maps as an index string: `mk,kn->mn`."""
        inputs, target = map(_letters, self.inputs), _letters(self.target)
        return f"{','.join(inputs)}->{target}"


def _letters(map_: AxisMap) -> str:
    return "".join(axis.letter for axis in map_)


def _forms(*subscripts: str) -> Mapping[tuple[int, ...], IndexMaps]:
    return {form.ranks: form for form in map(_form, subscripts)}


def _form(subscripts: str) -> IndexMaps:
    inputs, target = subscripts.split("->")
    return IndexMaps(tuple(map(_axes, inputs.split(","))), _axes(target))


def _axes(letters: str) -> AxisMap:
    return tuple(Axis[letter.upper()] for letter in letters)


FORMS: Mapping[type[tl.Collective], Mapping[tuple[int, ...], IndexMaps]] = {
    tl.Axpby: _forms("->", "m->m", "mn->mn"),
    tl.Gemm: _forms("mk,kn->mn"),
    tl.Gemv: _forms("mk,k->m"),
    tl.Ger: _forms("m,n->mn"),
    tl.HadamardProduct: _forms("m,m->m"),
    tl.Sum: _forms("k->", "mk->m"),
}
"""The forms of every collective instruction by the ranks of its operands; of inputs that are not transposed."""


# -- maps, ranks and sizes ---------------------------------------------------------------------------------------------


def index_maps(instruction: tl.Collective) -> IndexMaps:
    """The maps of an instruction whose operands have the ranks of one of its forms."""
    maps = _index_maps(instruction)
    if maps is None:
        raise CompilerBug(f"{type(instruction).__name__} has operands of the ranks {_ranks(instruction)}")
    return maps


def letters_of(instruction: tl.Collective) -> dict[Axis, str]:
    """The indices of the notation that run along the axes, as far as they are known."""
    found: dict[Axis, str] = {}
    for map_, letters in zip(index_maps(instruction).operands, instruction.letters, strict=False):
        if len(map_) == len(letters):
            found |= {axis: letter for axis, letter in zip(map_, letters, strict=True) if axis not in found}
    return found


def is_elementwise(instruction: tl.Collective) -> bool:
    """True if an entry of the target depends on the entries of the inputs at the same position alone."""
    maps = _index_maps(instruction)
    return maps is not None and all(map_ == maps.target for map_ in maps.inputs)


def _ranks(instruction: tl.Collective) -> tuple[int, ...]:
    return tuple(len(memref.type.shape) for memref in memrefs(instruction))


def _index_maps(instruction: tl.Collective) -> IndexMaps | None:
    form = FORMS[type(instruction)].get(_ranks(instruction))
    if form is None or tl.Transpose.T not in instruction.transposes:
        return form
    pairs = zip_longest(form.inputs, instruction.transposes)
    return IndexMaps(tuple(map_[::-1] if each is tl.Transpose.T else map_ for map_, each in pairs), form.target)


def allowed_ranks(instruction: tl.Collective) -> Iterator[tuple[tl.TypedMemref, tuple[int, ...]]]:
    """For every operand the ranks that it may have, given those of the operands before it as far as they are right."""
    allowed = list(FORMS[type(instruction)])
    for number, memref in enumerate(memrefs(instruction)):
        yield memref, tuple(sorted({ranks[number] for ranks in allowed}))
        allowed = [ranks for ranks in allowed if ranks[number] == memref.type.order] or allowed


def memrefs(instruction: tl.Collective) -> tuple[tl.TypedMemref, ...]:
    """The inputs, then the target."""
    return *instruction.inputs, instruction.target


@dataclass(frozen=True, slots=True)
class ModeUse:
    """The mode of one operand that an axis runs along; operands are numbered, inputs first."""

    number: int
    operand: tl.TypedMemref
    mode: int

    @property
    def size(self) -> Extent:
        """The size of the mode."""
        return self.operand.type.shape[self.mode]


def mode_uses(instruction: tl.Collective) -> dict[Axis, tuple[ModeUse, ...]]:
    """For every axis of the instruction the modes that run along it, all of one size; inputs come first.

    Axes are in the order of their letters.
    """
    uses: dict[Axis, tuple[ModeUse, ...]] = dict.fromkeys(Axis, ())
    operands = zip(memrefs(instruction), index_maps(instruction).operands, strict=True)
    for number, (operand, map_) in enumerate(operands):
        for mode, axis in enumerate(map_):
            uses[axis] = (*uses[axis], ModeUse(number, operand, mode))
    return {axis: uses[axis] for axis in BY_LETTER if uses[axis]}


def sizes(instruction: tl.Collective) -> dict[Axis, Extent]:
    """The size of every axis, if one of the modes that run along it tells; None if only the launch knows."""
    return {
        axis: next((use.size for use in uses if use.size is not None), None)
        for axis, uses in mode_uses(instruction).items()
    }


def known_sizes(instruction: tl.Collective) -> dict[Axis, int]:
    """The same for estimates: dynamic sizes count as 1."""
    return {axis: size or 1 for axis, size in sizes(instruction).items()}


def widest(elements: Iterable[ScalarType]) -> ScalarType:
    """The type that is computed in: a complex one, or of `f32` and `f64` the wider one; for narrow numbers `f32`.

    Of integers that are copied it is the wider one too.
    """
    found = max(elements, key=lambda element: (element.is_complex, element.is_floating, element.bits))
    return ScalarType.F32 if found.is_narrow else found


def compute_type(instruction: tl.Collective) -> ScalarType:
    """The type that the instruction computes in."""
    return widest(memref.type.element for memref in memrefs(instruction))


# -- memory effects ----------------------------------------------------------------------------------------------------


def reads(instruction: tl.Instruction) -> tuple[tl.Local, ...]:
    """The memrefs whose elements the instruction itself reads; a target only if beta may differ from 0."""
    match instruction:
        case tl.Load(operand=operand, type=type_):
            return (operand,) if isinstance(type_, MemrefType) else ()
        case tl.Collective(inputs=inputs, beta=beta, target=target):
            read = inputs if beta.is_number(0) else (*inputs, target)
            return tuple(memref.value for memref in read)
        case (
            tl.Alloca() | tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse()
            | tl.GroupId() | tl.GroupSize() | tl.MathCall() | tl.Size() | tl.Subview() | tl.Store() | tl.If() | tl.For()
            | tl.Foreach() | tl.Yield() | tl.Barrier() | tl.LifetimeStop()
        ):  # fmt: skip
            return ()


def writes(instruction: tl.Instruction) -> tuple[tl.Local, ...]:
    """The memrefs whose elements the instruction itself writes."""
    match instruction:
        case tl.Store(target=stored):
            return (stored,)
        case tl.Collective(target=target):
            return (target.value,)
        case (
            tl.Alloca() | tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse()
            | tl.GroupId() | tl.GroupSize() | tl.Load() | tl.MathCall() | tl.Size() | tl.Subview() | tl.If() | tl.For()
            | tl.Foreach() | tl.Yield() | tl.Barrier() | tl.LifetimeStop()
        ):  # fmt: skip
            return ()


# -- the types that instructions return; legality is the verifier's matter ---------------------------------------------
# The answers hold for legal instructions.


def result_type(instruction: tl.ValueInstruction) -> Type:
    """The type of the value that the instruction names."""
    match instruction:
        case tl.Alloca(type=memref):
            return memref
        case (
            tl.ArithUnary(operator=tl.UnaryOperator.IM | tl.UnaryOperator.RE, type=scalar)
            | tl.MathCall(function=Function.ABS, type=scalar)
        ) if scalar.is_complex:
            return scalar.real
        case (
            tl.ArithBinary(type=scalar)
            | tl.ArithUnary(type=scalar)
            | tl.Cast(to_type=scalar)
            | tl.MathCall(type=scalar)
        ):
            return scalar
        case tl.Compare():
            return ScalarType.BOOL
        case tl.Expand(type=memref, mode=mode, shape=shape):
            return expand_type(memref, mode, shape)
        case tl.Fuse(type=memref, first=first, last=last):
            return fuse_type(memref, first, last)
        case tl.GroupId() | tl.GroupSize() | tl.Size():
            return ScalarType.INDEX
        case tl.Load(type=operand):
            return load_type(operand)
        case tl.Subview(type=memref, slices=slices):
            return subview_type(memref, slices)


def load_type(operand: MemrefType | GroupType) -> ScalarType | MemrefType:
    """The element of a memref, or the memref of a group; the group's offset moves the pointer, not the type."""
    match operand:
        case MemrefType(element=element):
            return element
        case GroupType(memref=memref):
            return memref


def subview_type(memref: MemrefType, slices: tuple[tl.Position | tl.Slice, ...]) -> MemrefType:
    """A mode at one position is gone, a sliced mode has the size of its slice; the strides of what stays are kept.

    [4:8, 8:4]   memref<f32x32x16>        -> memref<f32x8x4,strided<1,32>>
    [2:4, %1]    memref<f32x16x8>         -> memref<f32x4>
    [5:?]        memref<f32x16>           -> memref<f32x11>
    """
    kept = [
        (_slice_size(slice_, size), stride)
        for slice_, size, stride in zip(slices, memref.shape, memref.strides, strict=True)
        if isinstance(slice_, tl.Slice)
    ]
    return MemrefType(memref.element, tuple(size for size, _ in kept), tuple(stride for _, stride in kept))


def _slice_size(slice_: tl.Slice, mode_size: Extent) -> Extent:
    if slice_.size is not None:
        return _known(slice_.size)
    offset = _known(slice_.offset)
    return None if offset is None or mode_size is None else mode_size - offset


def fuse_type(memref: MemrefType, first: int, last: int) -> MemrefType:
    """The modes `first` to `last` become one of their product's size, with the stride of the first.

    [1,3]   memref<f32x32x16x8x4x42>                     -> memref<f32x32x512x42>
    [1,3]   memref<f32x32x16x?x4x42,strided<1,32,?,?,?>> -> memref<f32x32x?x42,strided<1,32,?>>
    """
    shape, strides = memref.shape, memref.strides
    return MemrefType(
        memref.element,
        (*shape[:first], _product(shape[first : last + 1]), *shape[last + 1 :]),
        (*strides[: first + 1], *strides[last + 1 :]),
    )


def expand_type(memref: MemrefType, mode: int, shape: tuple[tl.IndexOperand | None, ...]) -> MemrefType:
    """The mode becomes the modes of `shape`; a `?` is what remains of the mode, if that can be known.

    The first new stride is the mode's own, the others follow the canonical computation.

        [1->2x?]   memref<f32x32x16x8>               -> memref<f32x32x2x8x8>
        [0->?x4]   memref<f32x?x7,strided<2,?>>      -> memref<f32x?x4x7,strided<2,?,?>>
        [0->4x8]   memref<f32x32x7,strided<2,64>>    -> memref<f32x4x8x7,strided<2,8,64>>
    """
    sizes = _expanded_sizes(memref.shape[mode], shape)
    strides: list[Extent] = [memref.strides[mode]]
    for size in sizes[:-1]:
        strides.append(_product((strides[-1], size)))
    return MemrefType(
        memref.element,
        (*memref.shape[:mode], *sizes, *memref.shape[mode + 1 :]),
        (*memref.strides[:mode], *strides, *memref.strides[mode + 1 :]),
    )


def _expanded_sizes(mode_size: Extent, shape: tuple[tl.IndexOperand | None, ...]) -> tuple[Extent, ...]:
    """The new mode sizes: a local's is dynamic, a `?` is the mode size divided by the product of the given sizes."""
    given = _product(tuple(_known(entry) for entry in shape if entry is not None))
    inferred = mode_size // given if mode_size is not None and given else None
    return tuple(inferred if entry is None else _known(entry) for entry in shape)


def _known(operand: tl.IndexOperand) -> Extent:
    return operand.value if isinstance(operand, tl.IntegerConstant) else None


def _product(extents: tuple[Extent, ...]) -> Extent:
    known = [extent for extent in extents if extent is not None]
    return prod(known) if len(known) == len(extents) else None
