"""Writes tensor language instructions one after the other: result types, nested regions, fresh names, origins."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from string import ascii_letters, digits

from diagnostics import Origin
from tl_backend.instructions import (
    ArithBinary,
    BinaryOperator,
    Cast,
    Compare,
    Condition,
    Expand,
    FloatConstant,
    For,
    Foreach,
    Fuse,
    GroupId,
    If,
    IndexOperand,
    Instruction,
    IntegerConstant,
    Load,
    Local,
    Operand,
    Position,
    Region,
    Slice,
    Store,
    Subview,
    TypedMemref,
    Yield,
)
from tl_backend.result_types import expand_type, fuse_type, subview_type
from tl_backend.types import GroupType, MemrefType, ScalarType

ZERO = IntegerConstant(0)
ONE = FloatConstant(1.0)
_NAME_CHARACTERS = frozenset(ascii_letters + digits + "_")


@dataclass(frozen=True, slots=True)
class Memref:
    """A value of memref type."""

    value: Local
    type: MemrefType

    @property
    def typed(self) -> TypedMemref:
        """The value as an operand of a collective instruction."""
        return TypedMemref(self.value, self.type)


class Writer:
    """The regions of a function that are being written; `origin` goes to every instruction that is added."""

    def __init__(self, taken: frozenset[str]) -> None:
        self.origin: Origin = ()
        self._taken = set(taken)
        self._regions: list[list[Instruction]] = [[]]

    @property
    def body(self) -> Region:
        """The instructions of the outermost region."""
        return tuple(self._regions[0])

    def add(self, instruction: Instruction) -> None:
        """Append to the region that is being written."""
        self._regions[-1].append(instruction)

    def fresh(self, hint: str) -> Local:
        """A local that the function has not used yet, named after `hint`."""
        stem = "".join(character for character in hint if character in _NAME_CHARACTERS)
        stem = stem if stem[:1].isalpha() else f"v{stem}"
        name, count = stem, 0
        while name in self._taken:
            count += 1
            name = f"{stem}_{count}"
        self._taken.add(name)
        return Local(name)

    # -- values --------------------------------------------------------------------------------------------------------

    def group_id(self) -> Local:
        """The number of the work-group."""
        result = self.fresh("group")
        self.add(GroupId(result, self.origin))
        return result

    def arith(self, operator: BinaryOperator, left: Operand, right: Operand, type_: ScalarType, hint: str) -> Local:
        """`left operator right`."""
        result = self.fresh(hint)
        self.add(ArithBinary(result, operator, left, right, type_, self.origin))
        return result

    def times(self, left: Operand, right: Operand, type_: ScalarType) -> Operand:
        """The product; a factor of 1 is left out."""
        if left == ONE:
            return right
        if right == ONE:
            return left
        return self.arith(BinaryOperator.MUL, left, right, type_, "product")

    def cast(self, operand: Operand, from_type: ScalarType, to_type: ScalarType, hint: str) -> Local:
        """The operand in another type."""
        result = self.fresh(hint)
        self.add(Cast(result, operand, from_type, to_type, self.origin))
        return result

    def entry(self, memref: Memref, indices: tuple[IndexOperand, ...]) -> Local:
        """The entry of a memref at the indices."""
        result = self.fresh(f"{memref.value.name}_entry")
        self.add(Load(result, memref.value, indices, memref.type, self.origin))
        return result

    def item(self, group: Local, type_: GroupType, index: IndexOperand, result: Local) -> Memref:
        """The memref of a group at the index."""
        self.add(Load(result, group, (index,), type_, self.origin))
        return Memref(result, type_.memref)

    def store(self, value: Local, memref: Memref, indices: tuple[IndexOperand, ...]) -> None:
        """Write an entry of a memref."""
        self.add(Store(value, memref.value, indices, memref.type, self.origin))

    def subview(self, memref: Memref, slices: tuple[Position | Slice, ...], result: Local | None = None) -> Memref:
        """A view on a part of a memref."""
        result = result or self.fresh(f"{memref.value.name}_view")
        self.add(Subview(result, memref.value, slices, memref.type, self.origin))
        return Memref(result, subview_type(memref.type, slices))

    def fuse(self, memref: Memref, first: int, last: int) -> Memref:
        """A view with the modes `first` to `last` seen as one."""
        result = self.fresh(f"{memref.value.name}_fused")
        self.add(Fuse(result, memref.value, first, last, memref.type, self.origin))
        return Memref(result, fuse_type(memref.type, first, last))

    def expand(self, memref: Memref, mode: int, shape: tuple[int, ...], result: Local) -> Memref:
        """A view with a mode seen as several."""
        sizes = tuple(IntegerConstant(size) for size in shape)
        self.add(Expand(result, memref.value, mode, sizes, memref.type, self.origin))
        return Memref(result, expand_type(memref.type, mode, sizes))

    # -- control -------------------------------------------------------------------------------------------------------

    def unless_zero(
        self, scalar: Operand, otherwise: Callable[[], Operand], if_zero: Operand, type_: ScalarType
    ) -> Local:
        """The value that `otherwise` writes, or `if_zero` where the scalar is 0 at run time; all of one type."""
        is_zero, result = self.fresh("is_zero"), self.fresh("chosen")
        self.add(Compare(is_zero, Condition.EQ, scalar, FloatConstant(0.0), type_, self.origin))
        self._regions.append([])
        value = otherwise()
        self.add(Yield((value,), (type_,), self.origin))
        body = tuple(self._regions.pop())
        self.add(If((result,), is_zero, (type_,), (Yield((if_zero,), (type_,), self.origin),), body, self.origin))
        return result

    # -- loops ---------------------------------------------------------------------------------------------------------

    @contextmanager
    def loop(self, variable: Local, start: int, stop: int) -> Iterator[Local]:
        """A sequential loop around what is added inside the `with`."""
        self._regions.append([])
        yield variable
        body = tuple(self._regions.pop())
        bounds = (IntegerConstant(start), IntegerConstant(stop), IntegerConstant(1))
        self.add(For(variable, *bounds, ScalarType.INDEX, body, self.origin))

    @contextmanager
    def foreach(self, variable: Local, stop: int) -> Iterator[Local]:
        """A loop without order, spread over the work-items, around what is added inside the `with`."""
        self._regions.append([])
        yield variable
        body = tuple(self._regions.pop())
        self.add(Foreach(variable, ZERO, IntegerConstant(stop), ScalarType.INDEX, body, self.origin))
