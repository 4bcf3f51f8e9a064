"""Meanings of the collective instructions: one table for all who ask for ranks, sizes, loops or effects.

    target[…] := alpha * sum over the reduction axes of the product of the inputs[…] + beta * target[…]

A row of `FORMS` says for each operand which axis each of its modes runs along: `mk,kn->mn` is a matrix product. Axes
of the target are parallel: their points are independent of each other. All others are reduction axes. An instruction
that is defined for several ranks has a form for each. That all inputs are multiplied, that a transposed input has its
axes in the other order, and what alpha and beta do, holds for all rows.
"""

from collections.abc import Iterator, Mapping
from enum import IntEnum
from itertools import zip_longest

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.types import Extent, MemrefType, ScalarType


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
    return tuple(memref.type.order for memref in memrefs(instruction))


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


def widest(elements: Iterator[ScalarType]) -> ScalarType:
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
