"""Parse tree to operations as they are written: the forms of MLIR's printers become what the generic form says."""

import re
from collections.abc import Sequence
from dataclasses import replace

from lark import Token, v_args

from einsum_front.core.diagnostics import Span
from einsum_front.core.parsing import Placed
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.attributes import DYNAMIC
from einsum_front.mlir.parse.constants import unquoted
from einsum_front.mlir.parse.loop_reader import LoopReader
from einsum_front.mlir.parse.primitive_reader import entries_of
from einsum_front.mlir.parse.syntax import (
    RESOURCES,
    Argument,
    Attribute,
    Definition,
    Dictionary,
    Document,
    FunctionType,
    Integer,
    Numbers,
    Raw,
    Region,
    Symbol,
    Text,
    TypeAttribute,
    Use,
)
from einsum_front.mlir.parse.types import types_of

ENDINGS = {"return": "func.return", "yield": "tpp.yield", "scf.reduce": "scf.yield"}
"""Short names of what ends a region."""
QUOTE = '"'
RESOURCE = re.compile(r'("(?:[^"\\]|\\.)*"|[\w$.-]+)\s*:\s*"(0x[0-9a-fA-F]*)"')
LOCATION = re.compile(r'loc\(\s*(?:(?P<name>"(?:[^"\\]|\\.)*")\s*(?=[()])|(?P<alias>#[\w$]+)\s*\))')


@v_args(inline=True)
class DocumentReader(LoopReader):
    """Reads the operations of one source."""

    def module(self, *items: "Raw | tuple[str, Attribute | str]") -> Document:
        statements = tuple(item for item in items if isinstance(item, Raw))
        return Document(statements, {**self._attributes, **self._texts})

    def alias(self, name: Token, value: Attribute | Token) -> tuple[str, Attribute | str]:
        if isinstance(value, Token):
            self._texts[str(name)] = _location(value)
        else:
            self._attributes[str(name)] = value
        return str(name), ""

    def resources(self, token: Token) -> tuple[str, Attribute | str]:
        """Bytes of `dense_resource` by their names; other sections are read over."""
        for found in RESOURCE.finditer(token):
            self._texts[f"{RESOURCES}{found[1].strip(QUOTE)}"] = found[2]
        return RESOURCES, ""

    def statement(
        self, results: tuple[Definition, ...] | None, operation: Raw, late: Attribute | None, location: Token | None
    ) -> Raw:
        span = results[0].span.to(operation.span) if results else operation.span
        found = {**operation.attributes, **entries_of(late)}
        return replace(operation, results=results or (), location=_location(location), span=span, attributes=found)

    def results(self, *results: Definition) -> tuple[Definition, ...]:
        return results

    def result(self, name: Token, _colon: Token | None, count: Token | None) -> Definition:
        return Definition(name[1:], self._span(name), 1 if count is None else self._integer(count))

    # -- the generic form ----------------------------------------------------------------------------------------------

    def generic(
        self,
        name: Token,
        operands: tuple[Use, ...] | None,
        properties: Dictionary | None,
        regions: tuple[Region, ...] | None,
        attributes: Attribute | None,
        _colon: Token,
        type_: FunctionType,
    ) -> Raw:
        given = operands or ()
        span = self._span(name)
        if len(given) != len(type_.inputs):
            message = f"`{unquoted(name)}` has {len(given)} operands and {len(type_.inputs)} types"
            self._report("E0813", message, span)
        typed = tuple(replace(use, type=each) for use, each in zip(given, type_.inputs, strict=False))
        found = {**(properties or {}), **entries_of(attributes)}
        return Raw(Placed(unquoted(name), span), span, typed, found, regions or (), type_.results)

    def properties(self, entries: Dictionary | None) -> Dictionary:
        return entries or {}

    def regions(self, *regions: Region) -> tuple[Region, ...]:
        return regions

    def values(self, *names: Token) -> tuple[Use, ...]:
        return tuple(self.use(name) for name in names)

    def region(self, opening: Token, label: "tuple[Argument, ...] | None", *rest: "Raw | Span | Token") -> Region:
        for each in rest:
            if isinstance(each, Span):
                self._report("E0807", "a region has one block: control flow between blocks is not read", each)
        statements = tuple(each for each in rest if isinstance(each, Raw))
        closing = next(each for each in reversed(rest) if isinstance(each, Token))
        return Region(label or (), statements, self._span(opening).to(self._span(closing)))

    def more_blocks(self, *parts: object) -> Span:
        return next((each.span for each in parts if isinstance(each, Raw)), self._whole())

    def label(self, _label: Token, arguments: "tuple[Argument, ...] | None", _colon: Token) -> tuple[Argument, ...]:
        return arguments or ()

    def block_arguments(self, arguments: "tuple[Argument, ...] | None") -> tuple[Argument, ...]:
        return arguments or ()

    def arguments(self, *arguments: Argument) -> tuple[Argument, ...]:
        return arguments

    def argument(
        self,
        name: Token,
        _colon: Token,
        type_: Placed[mlir.Type],
        attributes: Attribute | None,
        _location: Token | None,
    ) -> Argument:
        return Argument(name[1:], type_.value, self._span(name), entries_of(attributes))

    # -- functions -----------------------------------------------------------------------------------------------------

    def module_op(self, word: Token, name: Token | None, _attributes: Dictionary | None, region: Region) -> Raw:
        span = self._span(word)
        found = {} if name is None else {"sym_name": Placed(Text(name[1:].strip('"')), self._span(name))}
        return Raw(Placed("builtin.module", span), span, (), found, (region,), ())

    def function(
        self,
        word: Token,
        visibility: Token | None,
        name: Token,
        parameters: "tuple[Argument, ...]",
        _arrow: Token | None,
        results: "tuple[Placed[mlir.Type], ...] | None",
        attributes: Dictionary | None,
        region: Region | None,
    ) -> Raw:
        span = self._span(name)
        type_ = FunctionType(tuple(Placed(each.type, each.span) for each in parameters), results or ())
        found = {
            **(attributes or {}),
            "function_type": Placed(TypeAttribute(type_), span),
            "sym_name": Placed(Text(name[1:].strip('"')), span),
        }
        if visibility is not None:
            found["sym_visibility"] = Placed(Text(str(visibility)), self._span(visibility))
        regions = () if region is None else (replace(region, arguments=parameters),)
        return Raw(Placed("func.func", self._span(word)), self._span(word).to(span), (), found, regions, ())

    def parameters(self, *parameters: "tuple[Argument, ...] | Placed[mlir.Type] | None") -> tuple[Argument, ...]:
        if parameters and isinstance(parameters[0], tuple):
            return parameters[0]
        types = enumerate(each for each in parameters if isinstance(each, Placed))
        return tuple(Argument(f"arg{number}", each.value, each.span) for number, each in types)

    def unnamed(self, type_: Placed[mlir.Type], _attributes: Attribute | None) -> Placed[mlir.Type]:
        return type_

    def function_results(self, *types: Placed[mlir.Type] | None) -> tuple[Placed[mlir.Type], ...]:
        return tuple(each for each in types if each is not None)

    def attributes(self, *parts: "Attribute | Token") -> Dictionary:
        found = next((each for each in parts if isinstance(each, Placed)), None)
        return entries_of(found)

    def call(
        self,
        word: Token,
        callee: Token,
        operands: tuple[Use, ...] | None,
        attributes: Attribute | None,
        _colon: Token,
        type_: FunctionType,
    ) -> Raw:
        found = {**entries_of(attributes), "callee": Placed(Symbol(callee[1:].strip('"')), self._span(callee))}
        given = operands or ()
        if len(given) != len(type_.inputs):
            self._report("E0813", f"a call has {len(given)} operands and {len(type_.inputs)} types", self._span(callee))
        typed = tuple(replace(use, type=each) for use, each in zip(given, type_.inputs, strict=False))
        span = self._span(word).to(self._span(callee))
        return Raw(Placed("func.call", span), span, typed, found, (), type_.results)

    # -- structured operations -----------------------------------------------------------------------------------------

    def structured(self, word: Token, *rest: object) -> Raw:
        inputs: tuple[Use, ...] = ()
        outputs: tuple[Use, ...] = ()
        found: dict[str, Attribute] = {}
        regions: tuple[Region, ...] = ()
        types: tuple[Placed[mlir.Type], ...] | None = None
        for part in rest:
            match part:
                case ("ins", tuple() as uses):
                    inputs += uses
                case ("outs", tuple() as uses):
                    outputs += uses
                case ("modifier", str() as name, Placed() as value):
                    found |= entries_of(value) if name == "attrs" else {name: value}
                case Placed(value=dict()):
                    found |= entries_of(part)
                case Token(type="ALIAS"):
                    found |= self._trait(part)
                case Region():
                    regions = (part,)
                case tuple():
                    types = part
                case _:  # open: punctuation between the parts
                    pass
        name, span = str(word), self._span(word)
        found["operandSegmentSizes"] = Placed(Numbers((len(inputs), len(outputs))), span)
        return Raw(Placed(name, span), span, inputs + outputs, found, regions, types)

    def modifier(self, name: Token, value: Attribute) -> tuple[str, str, Attribute]:
        return "modifier", str(name), value

    def numbered(self, name: Token, number: Token) -> tuple[str, str, Attribute]:
        return "modifier", str(name), Placed(Integer(self._integer(number)), self._span(number))

    def _trait(self, name: Token) -> dict[str, Attribute]:
        """The dictionary that an alias stands for."""
        found = self._attributes.get(str(name))
        if found is None or not isinstance(found.value, dict):
            self._report("E0806", f"there is no alias `{name}` of a dictionary before this line", self._span(name))
        return entries_of(found)

    def ins(self, operands: tuple[Use, ...]) -> tuple[str, tuple[Use, ...]]:
        return "ins", operands

    def outs(self, operands: tuple[Use, ...]) -> tuple[str, tuple[Use, ...]]:
        return "outs", operands

    def operands(self, values: tuple[Use, ...] | None, colon: Token | None, types: object) -> tuple[Use, ...]:
        given = types if isinstance(types, tuple) else ()
        uses = values or ()
        if len(uses) != len(given) and colon is not None:
            self._report("E0813", f"{len(uses)} operands have {len(given)} types", self._span(colon))
        return tuple(replace(use, type=each) for use, each in zip(uses, given, strict=False))

    def payload(self, arguments: "tuple[Argument, ...] | None", region: Region) -> Region:
        return region if arguments is None else replace(region, arguments=arguments)

    # -- operations on numbers, values that are there ------------------------------------------------------------------

    def constant(self, word: Token, attributes: Attribute | None, value: Attribute) -> Raw:
        span = self._span(word)
        found = {**entries_of(attributes), "value": value}
        return Raw(Placed("arith.constant", span), span.to(value.span), (), found)

    def plain(
        self,
        word: Token,
        predicate: Token | None,
        operands: tuple[Use, ...],
        _flags: Token | None,
        attributes: Attribute | None,
        _colon: Token,
        types: tuple[Placed[mlir.Type], ...],
        target: Placed[mlir.Type] | None,
    ) -> Raw:
        name, span = str(word), self._span(word)
        found = dict(entries_of(attributes))
        if predicate is not None:
            found["predicate"] = Placed(Text(str(predicate)), self._span(predicate))
        last = types[-1]
        given: Sequence[Placed[mlir.Type] | None] = (last,) * len(operands)
        results: tuple[Placed[mlir.Type], ...] | None = (last,)
        match name.partition(".")[2]:
            case "dim":
                given, results = (last, None), (Placed(mlir.ScalarType.INDEX, last.span),)
            case "copy" | "dealloc":
                given, results = (last, target or last), ()
            case "select":
                given = (None, last, last)
            case _ if name.startswith(("complex.", "arith.cmp")):
                *given, result = types_of(name, last, len(operands))
                results = (result,)
            case "fpowi":
                given, results = types, (types[0],)
            case _:  # open: the type that is written is that of the result
                results = results if target is None else (target,)
        typed = tuple(replace(use, type=each) for use, each in zip(operands, given, strict=False))
        uses = typed if len(typed) == len(operands) else operands
        return Raw(Placed(name, span), span.to(last.span), uses, found, (), results)

    def index_op(self, word: Token, number: Token, _colon: Token, type_: Placed[mlir.Type]) -> Raw:
        found: Dictionary = {"dim": Placed(Integer(self._integer(number)), self._span(number))}
        return Raw(Placed("linalg.index", self._span(word)), self._span(word), (), found, (), (type_,))

    def ending(self, word: Token, _attributes: Attribute | None, values: tuple[Use, ...] | None, *rest: object) -> Raw:
        types = next((each for each in rest if isinstance(each, tuple)), ())
        uses = values or ()
        span = self._span(word)
        name = ENDINGS.get(str(word), str(word))
        if len(types) != len(uses) and (types or name != "tpp.yield"):
            self._report("E0813", f"`{word}` has {len(uses)} values and {len(types)} types", span)
            types = ()
        typed = tuple(replace(use, type=each) for use, each in zip(uses, types, strict=False)) if types else uses
        return Raw(Placed(name, span), span, typed, {}, (), ())

    def allocate(self, word: Token, sizes: tuple[Use, ...] | None, *rest: object) -> Raw:
        type_ = next(each for each in reversed(rest) if isinstance(each, Placed))
        for each in rest:
            if isinstance(each, tuple) and each:
                self._report("E0806", "memory with symbols in its layout is not read", each[0].span)
        span = self._span(word)
        if (
            source := next((each for each in rest if isinstance(each, Token) and each.type == "VALUE"), None)
        ) is not None:
            uses = (replace(self.use(source), type=type_),)
            return Raw(Placed("tensor.cast", span), span.to(type_.span), uses, {}, (), (type_,))
        name = "tensor.empty" if str(word) == "bufferization.alloc_tensor" else str(word)
        return Raw(Placed(name, span), span.to(type_.span), sizes or (), {}, (), (type_,))

    # -- parts of tensors ----------------------------------------------------------------------------------------------

    def numbers(self, *numbers: Token | None) -> tuple[Token, ...]:
        return tuple(number for number in numbers if number is not None)

    def slice(self, word: Token, source: Token, *rest: object) -> Raw:
        lists = [each for each in rest if isinstance(each, tuple)]
        types = [each for each in rest if isinstance(each, Placed) and not isinstance(each.value, dict)]
        return self._sliced(word, (replace(self.use(source), type=types[0]),), lists, types[-1])

    def insert(self, word: Token, source: Token, target: Token, *rest: object) -> Raw:
        lists = [each for each in rest if isinstance(each, tuple)]
        types = [each for each in rest if isinstance(each, Placed) and not isinstance(each.value, dict)]
        uses = replace(self.use(source), type=types[0]), replace(self.use(target), type=types[-1])
        return self._sliced(word.update(value="tensor.insert_slice"), uses, lists, types[-1])

    def _sliced(
        self, word: Token, uses: tuple[Use, ...], lists: list[tuple[Token, ...]], type_: Placed[mlir.Type]
    ) -> Raw:
        found: dict[str, Attribute] = {}
        dynamic: list[Use] = []
        counts = [1] * len(uses)
        for name, tokens in zip(("offsets", "sizes", "strides"), lists, strict=True):
            static, values = self._numbers(tokens)
            found[f"static_{name}"] = Placed(Numbers(static), self._span(word))
            counts.append(len(values))
            dynamic += values
        found["operandSegmentSizes"] = Placed(Numbers(tuple(counts)), self._span(word))
        span = self._span(word)
        return Raw(Placed(str(word), span), span.to(type_.span), (*uses, *dynamic), found, (), (type_,))

    def _numbers(self, tokens: tuple[Token, ...]) -> tuple[tuple[int, ...], tuple[Use, ...]]:
        """Integers with `DYNAMIC` for each value, and the values."""
        static = tuple(DYNAMIC if each.type == "VALUE" else self._integer(each) for each in tokens)
        return static, tuple(self.use(each) for each in tokens if each.type == "VALUE")

    def reshape(self, word: Token, source: Token, groups: Attribute, *rest: object) -> Raw:
        types = [each for each in rest if isinstance(each, Placed) and not isinstance(each.value, dict)]
        sizes = next((each for each in rest if isinstance(each, tuple)), None)
        found = {"reassociation": groups}
        uses: tuple[Use, ...] = (replace(self.use(source), type=types[0]),)
        if sizes is not None:
            static, values = self._numbers(sizes)
            found["static_output_shape"] = Placed(Numbers(static), self._span(word))
            uses = (*uses, *values)
        span = self._span(word)
        return Raw(Placed(str(word), span), span.to(types[-1].span), uses, found, (), (types[-1],))

    def permute(self, word: Token, source: Token, names: list[Token], *rest: object) -> Raw:
        order = next(each for each in rest if isinstance(each, list))
        types = [each for each in rest if isinstance(each, Placed)]
        known = [str(name) for name in names]
        span = self._span(word)
        if unknown := [name for name in order if str(name) not in known]:
            self._report("E0806", f"there is no mode `{unknown[0]}` to transpose", self._span(unknown[0]))
            order = names
        map_ = mlir.AffineMap.of_dims(len(known), tuple(known.index(str(name)) for name in order))
        found: Dictionary = {"permutation": Placed(map_, span)}
        uses = (replace(self.use(source), type=types[0]),)
        return Raw(Placed("memref.transpose", span), span.to(types[-1].span), uses, found, (), (types[-1],))

    def names(self, *names: Token | None) -> list[Token]:
        return [name for name in names if name is not None]


def _location(token: Token | None) -> str:
    """The name that a location gives, or its alias; places in other files are nothing to us."""
    found = LOCATION.match(token or "")
    if found is None:
        return ""
    return found["alias"] or unquoted(found["name"])
