"""Types of expressions, and the rules that they keep: a broken one is an `IllTypedError` with its code.

Integers of different types meet in the wider one, at the same width in the one without a sign, and narrower ones than
`i32` in `i32`; numbers of different floating types, and floating ones and integers, never meet without a cast. A scalar
meets a vector of its type in all entries. A comparison gives a `bool`, or a vector of them.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import isfinite
from struct import pack, unpack

from einsum_front.core.dataclass import dataclass
from einsum_front.core.functions import Function
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import arity
from einsum_front.tl_backend.kernel.types import WIDTHS, AddressSpace, Pointer, Scalar, Type, Vector

COMPARISONS = frozenset(
    (
        tree.BinaryOperator.LESS,
        tree.BinaryOperator.LESS_EQUAL,
        tree.BinaryOperator.GREATER,
        tree.BinaryOperator.GREATER_EQUAL,
        tree.BinaryOperator.EQUAL,
        tree.BinaryOperator.NOT_EQUAL,
    )
)

BITWISE = frozenset((tree.BinaryOperator.BIT_AND, tree.BinaryOperator.BIT_OR, tree.BinaryOperator.BIT_XOR))

OF_INTEGERS = BITWISE | {tree.BinaryOperator.REMAINDER, tree.BinaryOperator.SHIFT_LEFT, tree.BinaryOperator.SHIFT_RIGHT}


@dataclass(frozen=True, slots=True)
class Symbol:
    """Type of a name; an array is a pointer to its first element. `is_fixed`: it is never assigned to."""

    type: Type
    is_fixed: bool = False


class IllTypedError(Exception):
    """An expression breaks a rule; the code and the sentence say which."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


def type_of(expression: tree.Expression, names: Mapping[str, Symbol]) -> Type:
    """The type of an expression where these names are declared; raises `IllTypedError`."""
    match expression:
        case tree.Name(text=text):
            return _plain(symbol_of(text, names).type)
        case tree.Integer():
            return _integer(expression)
        case tree.Floating():
            return _floating(expression)
        case tree.GroupId() | tree.GroupCount() | tree.ItemId():
            return Scalar.I64
        case tree.Unary(operator=operator, operand=operand):
            return _unary(operator, type_of(operand, names))
        case tree.Binary(operator=operator, left=left, right=right):
            return _binary(operator, type_of(left, names), type_of(right, names))
        case tree.Math(function=function, operands=operands):
            return _math(function, tuple(type_of(operand, names) for operand in operands))
        case tree.Conditional(condition=condition, then=then, otherwise=otherwise):
            return _conditional(*(type_of(part, names) for part in (condition, then, otherwise)))
        case tree.Subscript() | tree.Access() | tree.Cast():
            return _of_memory(expression, names)
        case tree.Pack() | tree.Shuffle() | tree.Lanes():
            return _of_vectors(expression, names)


def _of_memory(expression: tree.Subscript | tree.Access | tree.Cast, names: Mapping[str, Symbol]) -> Type:
    match expression:
        case tree.Subscript(base=base, index=index):
            return _subscript(type_of(base, names), type_of(index, names))
        case tree.Access(pointer=pointer, address=address):
            return _plain(_cast(pointer, type_of(address, names)).target)
        case tree.Cast(type=to, operand=operand):
            from_ = type_of(operand, names)
            if isinstance(to, Pointer):
                return _cast(to, from_)
            return _conversion(_plain(to), from_)


def _conversion(to: Type, from_: Type) -> Type:
    """Numbers become those of another type, in vectors of floating ones each entry; narrow ones of f32, and back."""
    match to, from_:
        case Scalar.U64, Pointer():
            return to
        case Vector(element=target), Vector(element=source) if to.width == from_.width:
            is_known = all(each.is_floating or each.is_narrow for each in (target, source))
        case Scalar() as target, Scalar() as source:
            is_known = True
        case _:  # open: pairs that are not converted
            raise IllTypedError("E0702", f"only a number is converted to a number, not {text(from_)} to {text(to)}")
    is_known &= not (target.is_narrow or source.is_narrow) or target is source or Scalar.F32 in (target, source)
    _require(is_known, lambda: f"{text(from_)} is not converted to {text(to)}")
    return to


def _of_vectors(expression: tree.Pack | tree.Shuffle | tree.Lanes, names: Mapping[str, Symbol]) -> Type:
    match expression:
        case tree.Pack(type=vector, parts=parts):
            return _pack(vector, tuple(type_of(part, names) for part in parts))
        case tree.Shuffle(first=first, second=second):
            return _shuffle(expression, type_of(first, names), type_of(second, names))
        case tree.Lanes(operand=operand, lanes=lanes):
            return _lanes(type_of(operand, names), lanes)


def symbol_of(name: str, names: Mapping[str, Symbol]) -> Symbol:
    """Symbol of a name; raises `IllTypedError` if nothing here has it."""
    if name not in names:
        raise IllTypedError("E0701", f"`{name}` is not declared here")
    return names[name]


def check_assignable(to: Type, from_: Type) -> None:
    """A value goes where its type is the same, but for alignment; integers go to wider ones, scalars to vectors.

    A pointer may become one to constants. An integer may go to an `i32`, which has to hold it. Raises `IllTypedError`.
    """
    match _plain(to), _plain(from_):
        case Pointer() as to, Pointer() as from_:
            is_const = to.is_const or not from_.is_const
            if (to.target, to.space) == (from_.target, from_.space) and is_const:
                return
        case Vector() as to, Vector() as from_:
            if (to.element, to.width) == (from_.element, from_.width):
                return
        case Vector(element=element), Scalar():
            if element is from_:
                return
        case Scalar() as to, Scalar() as from_:
            if to is from_ or (_is_integer(to) and _is_integer(from_) and _holds(to, from_)):
                return
        case _:  # open: raises behind the match
            pass
    raise IllTypedError("E0703", f"{text(from_)} does not become {text(to)} by itself")


def _holds(to: Scalar, from_: Scalar) -> bool:
    return to is Scalar.I32 or to.size >= from_.size


def text(type_: Type) -> str:
    """The type as messages name it."""
    match type_:
        case Scalar():
            return f"`{type_.value}`"
        case Vector(element=element, width=width):
            return f"`{element.value}x{width}`"
        case Pointer(target=target, space=space, is_const=is_const):
            return f"a {space.value} pointer to {'constant ' if is_const else ''}{text(target)}"


def _plain(type_: Type) -> Type:
    """A vector of one entry is a scalar."""
    match type_:
        case Vector(element=element, width=1):
            return element
        case Pointer(target=Vector(element=element, width=1)):
            return replace(type_, target=element)
        case Scalar() | Vector() | Pointer():
            return type_


def _is_integer(type_: Type) -> bool:
    return isinstance(type_, Scalar) and type_.is_integer


def _require(holds: bool, message: str | Callable[[], str], code: str = "E0702") -> None:
    """Words are put together when they are needed: expressions are asked for their types often, and seldom wrong."""
    if not holds:
        raise IllTypedError(code, message if isinstance(message, str) else message())


# -- constants ---------------------------------------------------------------------------------------------------------


def bounds(type_: Scalar) -> tuple[int, int]:
    """The least and the greatest integer of an integer type."""
    bits = 8 * type_.size
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if type_.is_signed else (0, (1 << bits) - 1)


def _integer(integer: tree.Integer) -> Scalar:
    type_ = integer.type
    if type_ is Scalar.BOOL:
        _require(integer.value in (0, 1), lambda: f"{integer.value} is no `bool`", "E0706")
        return type_
    _require(_is_integer(type_) and type_.size >= 4, lambda: f"no integer constant has the type {text(type_)}", "E0706")
    least, most = bounds(type_)
    _require(least <= integer.value <= most, lambda: f"{integer.value} does not fit into {text(type_)}", "E0706")
    return type_


def _floating(number: tree.Floating) -> Scalar:
    check_number(number.value, number.type)
    return number.type


def check_number(value: float, type_: Scalar) -> None:
    """Raises `IllTypedError` unless the number is one of the type, finite and exactly."""
    if not type_.is_floating:
        _integer(tree.Integer(int(value), type_))
        return
    is_held = isfinite(value) and (type_ is Scalar.F64 or _is_f32(value))
    _require(is_held, lambda: f"{value!r} is no finite number of {text(type_)}", "E0706")


def _is_f32(value: float) -> bool:
    try:
        return bool(unpack("f", pack("f", value))[0] == value)
    except OverflowError:
        return False


# -- operators ---------------------------------------------------------------------------------------------------------


def _unary(operator: tree.UnaryOperator, operand: Type) -> Type:
    element = operand.element if isinstance(operand, Vector) else operand
    match operator:
        case tree.UnaryOperator.NOT:
            _require(operand is Scalar.BOOL, lambda: f"only a `bool` is inverted, not {text(operand)}")
        case tree.UnaryOperator.COMPLEMENT:
            _require(_is_integer(element), lambda: f"only integers have a complement, not {text(operand)}")
        case tree.UnaryOperator.NEGATE:
            is_number = isinstance(element, Scalar) and element is not Scalar.BOOL and not element.is_narrow
            _require(is_number, lambda: f"only numbers are negated, not {text(operand)}")
    return _promoted(operand)


def _promoted(type_: Type) -> Type:
    return Scalar.I32 if isinstance(type_, Scalar) and type_.is_integer and type_.size < 4 else type_


def _binary(operator: tree.BinaryOperator, left: Type, right: Type) -> Type:
    if isinstance(left, Pointer) and operator in (tree.BinaryOperator.ADD, tree.BinaryOperator.SUBTRACT):
        _require(_is_integer(right), lambda: f"a pointer is moved by an integer, not by {text(right)}")
        return replace(left, is_restrict=False)
    joined = _joined(left, right)
    element = joined.element if isinstance(joined, Vector) else joined
    if operator in COMPARISONS:
        return replace(joined, element=Scalar.BOOL, is_unaligned=False) if isinstance(joined, Vector) else Scalar.BOOL
    if element is Scalar.BOOL:
        _require(operator in BITWISE, "truth values are joined by bits only")
    if operator in OF_INTEGERS:
        _require(not element.is_floating, lambda: f"{operator.name.lower()} is not defined for {text(joined)}")
    return joined


def _joined(left: Type, right: Type) -> Scalar | Vector:
    """The type that two operands meet in."""
    match left, right:
        case Vector(), Vector() if (left.element, left.width) == (right.element, right.width):
            return replace(left, is_unaligned=False)
        case (Vector() as vector, Scalar() as scalar) | (Scalar() as scalar, Vector() as vector) if (
            scalar is vector.element
        ):
            return replace(vector, is_unaligned=False)
        case Scalar(), Scalar() if _is_integer(left) and _is_integer(right):
            return max((Scalar.I32, left, right), key=lambda type_: (type_.size, not type_.is_signed))
        case Scalar(), Scalar() if left is right and not left.is_narrow:
            return left
        case _:
            raise IllTypedError("E0702", f"{text(left)} and {text(right)} do not go together")


def _math(function: tree.MathFunction | Function, operands: tuple[Type, ...]) -> Type:
    count = arity(function)
    _require(len(operands) == count, lambda: f"{function.name} has {count} operands, not {len(operands)}")
    if isinstance(function, Function) or count == 1:
        operand, *others = operands
        _require(all(each == operand for each in others), lambda: f"{function.name} is of operands of one type")
        element = operand.element if isinstance(operand, Vector) else operand
        is_number = isinstance(element, Scalar) and element.is_floating
        _require(is_number, lambda: f"{function.name} is of floating numbers, not of {text(operand)}")
        return replace(operand, is_unaligned=False) if isinstance(operand, Vector) else operand
    joined = _joined(*operands)
    is_floating = isinstance(joined, Scalar) and joined.is_floating
    if function is tree.MathFunction.REMAINDER:
        _require(is_floating, lambda: f"the remainder is one of floating numbers, not of {text(joined)}")
    return joined


def _conditional(condition: Type, then: Type, otherwise: Type) -> Type:
    joined = then if then == otherwise else _joined(then, otherwise)
    if isinstance(condition, Vector):
        is_choice = condition.element is Scalar.BOOL and isinstance(joined, Vector) and joined.width == condition.width
        _require(is_choice, "a vector of conditions chooses entries of vectors of its width", "E0705")
    else:
        _require(condition is Scalar.BOOL, lambda: f"a condition is a `bool`, not {text(condition)}")
    return joined


# -- memory ------------------------------------------------------------------------------------------------------------


def _subscript(base: Type, index: Type) -> Type:
    if not isinstance(base, Pointer):
        raise IllTypedError("E0702", f"only arrays and pointers have elements, not {text(base)}")
    _require(_is_integer(index), lambda: f"an element has an integer for its number, not {text(index)}")
    return _plain(base.target)


def _cast(to: Pointer, from_: Type) -> Pointer:
    match from_:
        case Pointer(space=space, is_const=is_const):
            _require(space is to.space, lambda: f"{text(from_)} does not point to {to.space.value} memory", "E0707")
            _require(to.is_const or not is_const, lambda: f"{text(from_)} cannot be used to write", "E0704")
        case Scalar() | Vector():
            is_address = from_ is Scalar.U64 and to.space is AddressSpace.GLOBAL
            _require(is_address, lambda: f"{text(from_)} is no address of {to.space.value} memory", "E0707")
    return to


# -- vectors -----------------------------------------------------------------------------------------------------------


def check_vector(type_: Type) -> None:
    """Raises `IllTypedError` unless the width of a vector is one that vectors have."""
    match type_:
        case Vector(width=width):
            _require(width == 1 or width in WIDTHS, lambda: f"no vector has {width} entries", "E0705")
        case Pointer(target=target):
            check_vector(target)
        case Scalar():
            pass


def _pack(vector: Vector, parts: tuple[Type, ...]) -> Type:
    check_vector(vector)
    width = 0
    for part in parts:
        element = part.element if isinstance(part, Vector) else part
        if element is not vector.element:
            raise IllTypedError("E0705", f"{text(part)} is no part of {text(vector)}")
        width += part.width if isinstance(part, Vector) else 1
    is_one_for_all = len(parts) == 1 and isinstance(parts[0], Scalar)
    _require(width == vector.width or is_one_for_all, lambda: f"{width} entries do not make {text(vector)}", "E0705")
    return _plain(vector)


def _shuffle(shuffle: tree.Shuffle, first: Type, second: Type) -> Type:
    vector = shuffle.type
    check_vector(vector)
    if not isinstance(first, Vector) or first != second or first.element is not vector.element:
        raise IllTypedError("E0705", f"entries of {text(first)} and {text(second)} do not make {text(vector)}")
    is_full = len(shuffle.lanes) == vector.width and all(0 <= lane < 2 * first.width for lane in shuffle.lanes)
    _require(is_full, lambda: f"{list(shuffle.lanes)} are no {vector.width} entries of two {text(first)}", "E0705")
    return vector


def _lanes(operand: Type, lanes: tuple[int, ...]) -> Type:
    if not isinstance(operand, Vector):
        raise IllTypedError("E0705", f"{text(operand)} has no entries")
    is_inside = all(0 <= lane < operand.width for lane in lanes)
    _require(is_inside, lambda: f"{list(lanes)} are no entries of {text(operand)}", "E0705")
    if len(lanes) == 1:
        return operand.element
    check_vector(vector := Vector(operand.element, len(lanes)))
    return vector
