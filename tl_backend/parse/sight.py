"""What is in sight in text of Tiny Tensor Compiler 0.4: types of operands follow from the definitions before them."""

from collections import ChainMap
from typing import NoReturn

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Diagnostic, Label, Origin, Span
from einsum_front.core.parsing import Placed
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.parse.said import Cooperative, Said, Subscripted
from einsum_front.tl_backend.program import Argument
from einsum_front.tl_backend.semantics import result_type
from einsum_front.tl_backend.types import MemrefType, ScalarType, Type


class Forgiven(Exception):  # noqa: N818  # no error: one was reported
    """The instruction cannot be understood, and why was reported."""


@dataclass(frozen=True, slots=True)
class Number:
    """A constant in sight."""

    value: tl.Constant
    type: ScalarType


class Sight:
    """The values in sight at a place of the text, with their types; None where a mistake hides a type."""

    def __init__(self, arguments: tuple[Argument, ...], diagnostics: list[Diagnostic]) -> None:
        self._diagnostics = diagnostics
        self._sight: ChainMap[str, Type | Number | Cooperative | None] = ChainMap()
        self._sight |= {each.name.name: each.type for each in arguments}
        self._taken: set[str] = set(self._sight)
        self._others: dict[str, str] = {}
        """Values that stand for others: conditions for the integers that arguments of that type are."""

    # -- operands ------------------------------------------------------------------------------------------------------

    def _operands(self, said: Said, count: int) -> tuple[tl.Operand | Subscripted, ...]:
        if len(said.operands) != count:
            message = f"`{said.words[0]}` takes {count} operand{'s' if count > 1 else ''}, not {len(said.operands)}"
            self._fail("E0401", message, said.word)
        return said.operands

    def _look_up(self, local: tl.Local) -> Type | Number | Cooperative:
        try:
            found = self._sight[local.name]
        except KeyError:
            self._fail("E0410", f"there is no value `%{local.name}` here", local.origin[0])
        if found is None:
            raise Forgiven
        return found

    def _memref(self, local: tl.Local) -> MemrefType:
        type_ = self._look_up(local)
        if not isinstance(type_, MemrefType):
            self._fail("E0420", f"`%{local.name}` is no memref", local.origin[0])
        return type_

    def _place(self, said: Said) -> tuple[Subscripted, MemrefType]:
        (place,) = self._operands(said, 1)
        if not isinstance(place, Subscripted):
            self._fail("E0401", f"`{said.words[0]}` needs brackets behind its operand", said.word)
        return place, self._memref(place.value)

    def _type_of_number(self, operand: tl.Operand | Subscripted, said: Said) -> ScalarType:
        """The type of a scalar; a number that stands for a bound is an index."""
        if isinstance(operand, tl.IntegerConstant):
            return ScalarType.INDEX
        type_ = self._look_up(operand) if isinstance(operand, tl.Local) else None
        type_ = type_.type if isinstance(type_, Number) else type_
        if not isinstance(type_, ScalarType):
            self._fail("E0420", f"`{said.words[0]}` takes a number here", said.word)
        return type_

    def _number(self, operand: tl.Operand | Subscripted, said: Said, type_: ScalarType | None = None) -> tl.Operand:
        """A scalar as an operand, constants as numbers; of this type, if they are constants."""
        if isinstance(operand, tl.Constant):
            self._fail(
                "E0420", f"`{said.words[0]}` takes values", operand.origin[0], "`constant` makes one of a number"
            )
        found = self._type_of_number(operand, said)
        if not isinstance(operand, tl.Local):
            self._fail("E0401", f"`{said.words[0]}` takes values", said.word)
        known = self._look_up(operand)
        if not isinstance(known, Number):
            return tl.Local(self._others.get(operand.name, operand.name), operand.origin)
        if type_ is not None and found is not type_:
            words = f"`%{operand.name}` is of type {found.value}, which should be {type_.value}"
            self._fail("E0420", words, operand.origin[0])
        match known.value:
            case tl.IntegerConstant(value=integer):
                return tl.IntegerConstant(integer, operand.origin)
            case tl.FloatConstant(value=value):
                return tl.FloatConstant(value, operand.origin)
            case tl.ComplexConstant(value=value):
                return tl.ComplexConstant(value, operand.origin)

    def _bound(self, operand: tl.Operand | Subscripted, said: Said, type_: ScalarType) -> tl.IndexOperand:
        """An integer of a type; a number is one too, as YATeTo writes bounds."""
        number = operand if isinstance(operand, tl.IntegerConstant) else self._number(operand, said, type_)
        if isinstance(number, tl.FloatConstant | tl.ComplexConstant):
            self._fail("E0420", f"`{said.words[0]}` takes an integer here", number.origin[0])
        return number

    def _index(self, operand: tl.IndexOperand, said: Said) -> tl.IndexOperand:
        return self._bound(operand, said, ScalarType.INDEX)

    def _indices(self, place: Subscripted, said: Said) -> tuple[tl.IndexOperand, ...]:
        found = []
        for part in place.subscripts:
            if not isinstance(part, tl.Position):
                self._fail("E0401", "expected indices", place.origin[0])
            found.append(self._index(part.index, said))
        return tuple(found)

    # -- results -------------------------------------------------------------------------------------------------------

    def _result(self, said: Said) -> tl.Local:
        if len(said.results) != 1:
            self._fail("E0401", f"`{said.words[0]}` returns a value, which needs a name", said.word)
        return said.results[0]

    def _annotation(self, said: Said) -> Placed[Type | Cooperative]:
        if not said.types:
            self._fail("E0401", f"`{said.words[0]}` needs the type of its value behind a colon", said.word)
        return said.types[0]

    def _scalar_type(self, said: Said) -> ScalarType:
        type_ = self._annotation(said)
        if not isinstance(type_.value, ScalarType):
            self._fail("E0420", f"`{said.words[0]}` returns a number", type_.span)
        return type_.value

    def _value(self, said: Said, node: tl.ValueInstruction) -> tl.ValueInstruction:
        """The node, its result in sight with the type that follows from the operands, which the text must not deny."""
        written = self._annotation(said)
        found = result_type(node) if _is_in_range(node) else None
        if found is not None and not _agrees(written.value, found):
            self._fail("E0420", "the value has another type", written.span, "not what follows from the operands")
        self._sight[node.result.name] = written.value if found is None else found
        return node

    def _fresh(self, stem: str, origin: Origin) -> tl.Local:
        name = next(name for count in range(len(self._taken) + 1) if (name := f"{stem}{count}") not in self._taken)
        self._taken.add(name)
        return tl.Local(name, origin)

    def _fail(self, code: str, message: str, span: Span, label: str = "") -> NoReturn:
        self._diagnostics.append(Diagnostic(code, message, (Label(span, label),)))
        raise Forgiven


def _is_in_range(node: tl.ValueInstruction) -> bool:
    """False where the type of the result cannot be asked for, because of a mistake that the verifier will name."""
    match node:
        case tl.Subview(slices=slices, type=memref):
            return len(slices) == memref.order
        case tl.Expand(mode=mode, type=memref):
            return 0 <= mode < memref.order
        case tl.Fuse(first=first, last=last, type=memref):
            return 0 <= first < last < memref.order
        case (
            tl.Alloca() | tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.GroupId() | tl.GroupSize()
            | tl.Load() | tl.MathCall() | tl.Size()
        ):  # fmt: skip
            return True


def _agrees(written: Type | Cooperative, found: Type) -> bool:
    """True if a type that is written is the one that was found; it may know less: `?` for a number."""
    match written, found:
        case MemrefType(), MemrefType():
            pairs = zip((*written.shape, *written.strides), (*found.shape, *found.strides), strict=False)
            is_like = written.element is found.element and written.order == found.order
            return is_like and all(one is None or one == other for one, other in pairs)
        case _:  # open: types of scalars and groups, or of two kinds
            return written == found
