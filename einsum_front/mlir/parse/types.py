"""Parse tree to types, affine maps and attributes.

The methods are named after the rules and terminals of grammar.lark, which calls them from the leaves upwards.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from lark import Token, v_args

from einsum_front.core.diagnostics import CompilerBug, Diagnostic, Label, Source, Span
from einsum_front.core.limits import LARGEST_INTEGER, MOST_INDICES
from einsum_front.core.parsing import Placed, PlacedReader
from einsum_front.core.words import counted
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.affine import is_linear, linear
from einsum_front.mlir.parse.constants import dense_of, number_of, of_bits, unquoted
from einsum_front.mlir.parse.syntax import (
    Alias,
    Array,
    Attribute,
    AttributeValue,
    Dense,
    Dictionary,
    Floating,
    FunctionType,
    Integer,
    Numbers,
    Opaque,
    Raw,
    Resource,
    Symbol,
    Text,
    TypeAttribute,
    Unit,
)

SCALARS = {type_.value: type_ for type_ in mlir.ScalarType}
ANY = mlir.TensorType((), mlir.ScalarType.F64)
"""Stands for a type that is none, which is said."""

Affine = Placed[mlir.AffineExpr | str | tuple[str, object, object]]


@v_args(inline=True)
class TypeReader(PlacedReader):
    """Reads types, maps and attributes of one source."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._types: dict[str, mlir.Type | None] = {}
        self._attributes: dict[str, Attribute] = {}
        self._texts: dict[str, str] = {}

    def _whole(self) -> Span:
        """Where something stands that has no characters of its own."""
        return Span(self._source, 0, 0)

    # -- types ---------------------------------------------------------------------------------------------------------

    def scalar(self, name: Token) -> Placed[mlir.Type]:
        if (found := SCALARS.get(re.sub(r"\s", "", name))) is not None:
            return Placed(found, self._span(name))
        self._report("E0805", f"`{name}` is no type", self._span(name), f"there are {', '.join(SCALARS)}")
        return Placed(mlir.ScalarType.F64, self._span(name))

    def other_type(self, token: Token) -> Placed[mlir.Type]:
        self._reject_type(str(token), self._span(token))
        return Placed(ANY, self._span(token))

    def vector(self, keyword: Token, shaped: Token, close: Token) -> Placed[mlir.Type]:
        """A list of numbers of an attribute, such as the strides of a convolution."""
        shape, element = self._shaped(shaped)
        return Placed(mlir.TensorType(shape, element), self._span(keyword).to(self._span(close)))

    def vector_value(self, type_: Placed[mlir.Type]) -> Placed[mlir.Type]:
        self._reject_type(type_.span.text, type_.span)
        return Placed(ANY, type_.span)

    def _reject_type(self, text: str, span: Span) -> None:
        kind = "it is of another dialect" if text.startswith("!") else "values are numbers, tensors and memrefs"
        self._report("E0805", f"values of type `{text}` are not read", span, kind)

    def type_alias(self, name: Token, type_: Placed[mlir.Type]) -> tuple[str, Attribute]:
        self._types[str(name)] = type_.value
        return str(name), Placed(TypeAttribute(type_.value), type_.span)

    def aliased_type(self, name: Token) -> Placed[mlir.Type]:
        if (found := self._types.get(str(name))) is None:
            self._report("E0805", f"there is no alias `{name}` before this line", self._span(name))
            return Placed(ANY, self._span(name))
        return Placed(found, self._span(name))

    def tensor(self, keyword: Token, shaped: Token, encoding: Attribute | None, close: Token) -> Placed[mlir.Type]:
        shape, element = self._shaped(shaped)
        if encoding is not None:
            self._report("E0805", "a tensor with an encoding is not read", encoding.span, "its entries lie in some way")
        return Placed(mlir.TensorType(shape, element), self._span(keyword).to(self._span(close)))

    def memref(
        self, keyword: Token, shaped: Token, *rest: "Placed[mlir.Strided] | Attribute | Token"
    ) -> Placed[mlir.Type]:
        shape, element = self._shaped(shaped)
        *parts, close = rest
        layout: mlir.Strided | None = None
        for part in parts:
            if isinstance(part, Token):
                continue
            layout_ = self._known(part)
            match layout_:
                case mlir.Strided() as strided:
                    layout = strided
                    if len(strided.strides) != len(shape):
                        modes, strides = counted(len(shape), "mode"), counted(len(strided.strides), "stride")
                        message = f"a memref with {modes} has {strides}"
                        self._report("E0805", message, part.span)
                        layout = None
                case Integer():
                    pass  # the number of the memory that it lies in
                case mlir.AffineMap() as map_ if map_.positions == tuple(range(len(shape))):
                    pass  # packed
                case mlir.AffineMap(results=(expression,), dims=dims) if dims == len(shape) and is_linear(expression):
                    layout = _strides(expression, dims)
                case Opaque():
                    pass  # a memory of another dialect
                case _:  # open: any other attribute is reported
                    self._report("E0805", "this layout of a memref is not read", part.span, "`strided<…>` is")
        end = self._span(close) if isinstance(close, Token) else close.span
        return Placed(mlir.MemrefType(shape, element, layout), self._span(keyword).to(end))

    def _known(self, part: Placed[object]) -> object:
        """What an attribute is, which may be the name of one."""
        found = self._attributes.get(part.value.name) if isinstance(part.value, Alias) else None
        return part.value if found is None else found.value

    def strided(self, keyword: Token, strides: list[int | None], *rest: object) -> Placed[mlir.Strided]:
        numbers = [each for each in rest if not isinstance(each, Token)]
        offset = numbers[0] if numbers else 0
        close = next(each for each in reversed(rest) if isinstance(each, Token))
        given = offset[0] if isinstance(offset, list) else 0
        return Placed(mlir.Strided(tuple(strides), given), self._span(keyword).to(self._span(close)))

    def sizes(self, *sizes: Token | None) -> list[int | None]:
        return [self._size(size) for size in sizes if size is not None]

    def stride_offset(self, _keyword: Token, _colon: Token, size: Token) -> list[int | None]:
        return [self._size(size)]

    def _size(self, token: Token) -> int | None:
        return None if token == "?" else self._integer(token)

    def _integer(self, token: Token) -> int:
        digits = token.lstrip("-").lstrip("0")
        if len(digits) > len(str(LARGEST_INTEGER + 1)) or int(digits or "0") > LARGEST_INTEGER + 1:
            self._report("E0804", f"integer `{token}` is out of range", self._span(token), "not in [-2^63, 2^63-1]")
            return 1
        return int(token)

    def _shaped(self, token: Token) -> tuple[tuple[int | None, ...], mlir.ScalarType]:
        found = re.fullmatch(r"((?:(?:\?|[0-9]+)\s*x\s*)*)(.*?)\s*", str(token), re.DOTALL)
        sizes, element = (found[1], re.sub(r"\s", "", found[2])) if found else ("", str(token))
        shape = [None if size == "?" else int(size[:20]) for size in re.findall(r"\?|[0-9]+", sizes)]
        span = self._span(token)
        if element not in SCALARS:
            self._reject_entries(element, span)
        if any(size is not None and not 0 < size <= LARGEST_INTEGER for size in shape):
            self._report("E0804", "an extent is a number from 1 to 2^63-1", span)
            shape = [1] * len(shape)
        if len(shape) > MOST_INDICES:
            self._report("E0804", f"a type has {len(shape)} modes, more than {MOST_INDICES}", span)
            shape = shape[:1]
        return tuple(shape), SCALARS.get(element, mlir.ScalarType.F64)

    def _reject_entries(self, element: str, span: Span) -> None:
        """A type that is not read is said where it stands first: others of that spelling have the same cause."""
        is_unranked = element.startswith("*")
        what = "tensors and memrefs of any rank" if is_unranked else f"entries `{element}`"
        message = f"{what} are not read"
        if any(each.message == message for each in self.diagnostics):
            return
        is_byte = re.fullmatch(r"b?f8\w*", element) is not None
        notes = ("primitives have numbers of 16 bits at least: VNNI is K/2 x N x 2, of bf16",) if is_byte else ()
        wanted = "an extent for each mode, `?` if it is dynamic" if is_unranked else f"entries are {', '.join(SCALARS)}"
        label = Label(span, wanted)
        self.diagnostics.append(Diagnostic("E0805", message, (label,), notes))

    def types(self, *types: Placed[mlir.Type]) -> tuple[Placed[mlir.Type], ...]:
        return types

    def types_in_brackets(self, types: tuple[Placed[mlir.Type], ...] | None) -> tuple[Placed[mlir.Type], ...]:
        return types or ()

    def result_types(self, types: Placed[mlir.Type] | tuple[Placed[mlir.Type], ...]) -> tuple[Placed[mlir.Type], ...]:
        return types if isinstance(types, tuple) else (types,)

    def function_type(self, inputs: tuple[Placed[mlir.Type], ...], *rest: object) -> FunctionType:
        results = next(each for each in rest if isinstance(each, tuple))
        return FunctionType(inputs, results)

    # -- affine maps ---------------------------------------------------------------------------------------------------

    def affine_map(self, keyword: Token, dims: list[Token], symbols: list[Token] | None, *rest: object) -> Attribute:
        given = [each for each in rest if isinstance(each, Placed)]
        close = next(each for each in reversed(rest) if isinstance(each, Token))
        names = {str(name): number for number, name in enumerate(dims)}
        if len(names) < len(dims):
            self._report("E0806", "an affine map names an iterator twice", self._span(dims[0]))
        names |= {str(name): number for number, name in enumerate(symbols or (), start=len(dims))}
        span = self._span(keyword).to(self._span(close))
        return Placed(mlir.AffineMap(len(dims), tuple(self._affine(each, names) for each in given), (span,)), span)

    def dims(self, *names: Token | None) -> list[Token]:
        return [name for name in names if name is not None]

    def symbols(self, *names: Token | None) -> list[Token]:
        return self.dims(*names)

    def dim(self, name: Token) -> Affine:
        return Placed(str(name), self._span(name))

    def affine_constant(self, token: Token) -> Affine:
        return Placed(mlir.Constant(self._integer(token)), self._span(token))

    def add(self, left: Affine, _plus: Token, right: Affine) -> Affine:
        return Placed(("+", left, right), left.span.to(right.span))

    def subtract(self, left: Affine, minus: Token, right: Affine) -> Affine:
        return self.add(left, minus, self.negate(minus, right))

    def add_negative(self, left: Affine, number: Token) -> Affine:
        return Placed(("+", left, self.affine_constant(number)), left.span.to(self._span(number)))

    def negate(self, _minus: Token, factor: Affine) -> Affine:
        return Placed(("*", factor, Placed(mlir.Constant(-1), factor.span)), factor.span)

    def multiply(self, left: Affine, right: Affine) -> Affine:
        return Placed(("*", left, right), left.span.to(right.span))

    def division(self, left: Affine, word: Token, right: Affine) -> Affine:
        return Placed((str(word), left, right), left.span.to(right.span))

    def _affine(self, placed: Placed[object], names: dict[str, int]) -> mlir.AffineExpr:
        match placed.value:
            case str() as name:
                if name not in names:
                    self._report("E0806", f"the affine map has no iterator `{name}`", placed.span)
                return mlir.Dim(names.get(name, 0))
            case mlir.Constant() as constant:
                return constant
            case ("+", Placed() as left, Placed() as right):
                return _added(self._affine(left, names), self._affine(right, names))
            case (str() as word, Placed() as left, Placed() as right) if word != "*":
                return mlir.Divide(self._affine(left, names), word, self._affine(right, names))
            case (_, Placed() as left, Placed() as right):
                first, second = self._affine(left, names), self._affine(right, names)
                if isinstance(first, mlir.Constant):
                    first, second = second, first
                if not isinstance(second, mlir.Constant):
                    self._report("E0806", "a product of iterators is not affine", placed.span)
                    return first
                return _multiplied(first, second.value)
            case _:
                raise CompilerBug(f"{placed.value!r} is no affine expression")

    # -- attributes ----------------------------------------------------------------------------------------------------

    def dictionary(self, opening: Token, entries: Dictionary, closing: Token) -> Attribute:
        return Placed(dict(entries), self._span(opening).to(self._span(closing)))

    def empty(self, opening: Token, closing: Token) -> Attribute:
        return Placed({}, self._span(opening).to(self._span(closing)))

    def entries(self, *entries: tuple[str, Attribute]) -> Dictionary:
        found: dict[str, Attribute] = {}
        for name, value in entries:
            if name in found:
                self._report("E0806", f"`{name}` is said twice", value.span)
            found[name] = value
        return found

    def entry(self, name: Token, value: Attribute | None) -> tuple[str, Attribute]:
        return str(name).strip('"'), Placed(Unit(), self._span(name)) if value is None else value

    def attribute(self, value: "Attribute | Token | FunctionType") -> Attribute:
        if isinstance(value, Token):
            return Placed(self._word(value), self._span(value))
        assert isinstance(value, Placed)
        return value

    def _word(self, token: Token) -> AttributeValue:
        match token.type:
            case "TRUE" | "FALSE":
                return token.type == "TRUE"
            case "UNIT":
                return Unit()
            case "STRING":
                return Text(unquoted(token))
            case "SYMBOL":
                return Symbol(token[1:].strip('"'))
            case "ALIAS":
                return Alias(str(token))
            case "OPAQUE":
                name, _, argument = token.partition("<")
                return Opaque(name[1:], argument.removesuffix(">"))
            case other:
                raise CompilerBug(f"{other} is no attribute")

    def type_attribute(self, type_: Placed[mlir.Type] | FunctionType) -> Attribute:
        if isinstance(type_, FunctionType):
            spans = [each.span for each in (*type_.inputs, *type_.results)]
            return Placed(TypeAttribute(type_), spans[0] if spans else self._whole())
        return Placed(TypeAttribute(type_.value), type_.span)

    def integer(self, token: Token, *rest: object) -> Attribute:
        type_ = next((each for each in rest if isinstance(each, Placed)), None)
        kind = None if type_ is None else type_.value
        if token.startswith("0x") and isinstance(kind, mlir.ScalarType) and kind.is_floating:
            return Placed(Floating(of_bits(int(token, 16), kind), kind), self._span(token))
        number = int(token, 16) if token.startswith("0x") else self._integer(token)
        return Placed(Integer(number, kind), self._span(token))

    def floating(self, token: Token, *rest: object) -> Attribute:
        type_ = next((each for each in rest if isinstance(each, Placed)), None)
        return Placed(Floating(float(token), None if type_ is None else type_.value), self._span(token))

    def array(self, *entries: Attribute | None) -> Attribute:
        given = tuple(entry for entry in entries if entry is not None)
        return Placed(Array(given), given[0].span.to(given[-1].span) if given else self._whole())

    def dense_array(self, keyword: Token, _element: Token, *rest: Token | None) -> Attribute:
        tokens = [each for each in rest if each is not None]
        numbers = tuple(number_of(each) for each in tokens if each.type in ("INT", "FLOAT", "TRUE", "FALSE"))
        return Placed(Numbers(numbers), self._span(keyword).to(self._span(tokens[-1])))

    def dense(self, keyword: Token, *rest: object) -> Attribute:
        values = next((each for each in rest if isinstance(each, list | tuple)), None)
        token = next(
            (each for each in rest if isinstance(each, Token) and each.type not in ("CLOSE_ANGLE", "COLON")), None
        )
        type_ = next(each for each in rest if isinstance(each, Placed))
        span = self._span(keyword).to(type_.span)
        made = dense_of(token if values is None else values, type_.value)
        if isinstance(made, str):
            self._report("E0806", made, span if token is None else self._span(token))
            made = Dense(0, (), type_.value)
        return Placed(made, span)

    def resource(self, keyword: Token, name: Token, *rest: object) -> Attribute:
        type_ = next(each for each in rest if isinstance(each, Placed))
        return Placed(Resource(str(name).strip('"'), type_.value), self._span(keyword).to(type_.span))

    def complex_constant(self, word: Token, value: Attribute, _colon: Token, type_: Placed[mlir.Type]) -> Raw:
        span = self._span(word)
        return Raw(Placed(str(word), span), span.to(type_.span), (), {"value": value}, (), (type_,))

    def dense_complex(self, real: Token, imaginary: Token) -> tuple[Token, Token]:
        return real, imaginary

    def dense_list(self, *values: object) -> list[object]:
        return [value for value in values if value is not None]


def types_of(name: str, last: Placed[mlir.Type], count: int) -> Iterator[Placed[mlir.Type]]:
    """The types of the operands, then of the result, of a comparison or an operation of `complex`: one is written."""
    part = replace(last, value=last.value.part or last.value if isinstance(last.value, mlir.ScalarType) else last.value)
    word = name.partition(".")[2]
    yield from (part if word == "create" else last for _ in range(count))
    if word in ("eq", "neq", "cmpf", "cmpi"):
        yield replace(last, value=mlir.ScalarType.I1)
    else:
        yield part if word in ("re", "im", "abs") else last


def _added(left: mlir.AffineExpr, right: mlir.AffineExpr) -> mlir.AffineExpr:
    if isinstance(left, mlir.Constant) and isinstance(right, mlir.Constant):
        return mlir.Constant(left.value + right.value)
    return mlir.Add(left, right)


def _multiplied(expression: mlir.AffineExpr, factor: int) -> mlir.AffineExpr:
    if isinstance(expression, mlir.Constant):
        return mlir.Constant(expression.value * factor)
    return expression if factor == 1 else mlir.Multiply(expression, factor)


def _strides(expression: mlir.AffineExpr, dims: int) -> mlir.Strided:
    """The strides of a layout that is written as a map; a symbol is the offset."""
    found = linear(expression)
    is_open = any(dim >= dims for dim in found.factors)
    return mlir.Strided(tuple(found.factors.get(dim, 0) for dim in range(dims)), None if is_open else found.constant)
