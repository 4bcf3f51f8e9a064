"""Parse tree to loops, entries and memory as they are written."""

from dataclasses import replace

from lark import Token, v_args

from einsum_front.core.parsing import Placed
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.attributes import DYNAMIC
from einsum_front.mlir.parse.constants import dense_of
from einsum_front.mlir.parse.primitive_reader import PrimitiveReader
from einsum_front.mlir.parse.syntax import (
    Argument,
    Attribute,
    Dictionary,
    Numbers,
    Raw,
    Region,
    Symbol,
    Text,
    Use,
)

CLOSE = "CLOSE_ANGLE"


@v_args(inline=True)
class LoopReader(PrimitiveReader):
    """Reads loops, what is loaded and padded, and memory of the module."""

    # -- loops ---------------------------------------------------------------------------------------------------------

    def loop(self, word: Token, variable: Token, start: Token, stop: Token, step: Token, *rest: object) -> Raw:
        carried = next((each for each in rest if isinstance(each, tuple)), ((), ()))
        region = next(each for each in rest if isinstance(each, Region))
        type_ = next((each.value for each in rest if isinstance(each, Placed)), mlir.ScalarType.INDEX)
        bindings, types = carried
        counted = type_ if isinstance(type_, mlir.ScalarType) else mlir.ScalarType.INDEX
        arguments = [Argument(variable[1:], counted, self._span(variable))]
        inits: list[Use] = []
        for (name, initial), placed in zip(bindings, types, strict=False):
            arguments.append(Argument(name[1:], placed.value, self._span(name)))
            inits.append(replace(self.use(initial), type=placed))
        span = self._span(word)
        if len(bindings) != len(types):
            self._report("E0813", f"a loop carries {len(bindings)} values of {len(types)} types", span)
        uses = (self.use(start), self.use(stop), self.use(step), *inits)
        whole = replace(region, arguments=tuple(arguments))
        return Raw(Placed("scf.for", span), span.to(self._span(step)), uses, {}, (whole,), tuple(types))

    def carried(self, *parts: object) -> tuple[tuple[object, ...], object]:
        *bindings, types = (each for each in parts if not isinstance(each, Token))
        return tuple(bindings), types

    def binding(self, name: Token, initial: Token) -> list[Token]:
        return [name, initial]

    def values_in_brackets(self, values: tuple[Use, ...] | None) -> tuple[Use, ...]:
        return values or ()

    def init(self, values: tuple[Use, ...]) -> tuple[str, tuple[Use, ...]]:
        return "init", values

    def bounds(self, *numbers: Token | None) -> tuple[str, tuple[Token, ...]]:
        return "bounds", tuple(number for number in numbers if number is not None)

    def shared(self, *parts: object) -> tuple[str, tuple[object, ...]]:
        return "shared", self.carried(*parts)

    def parallel(self, word: Token, variables: tuple[Use, ...], *rest: object) -> Raw:
        """A nest of loops, of which each has its start, stop and step as operands."""
        span = self._span(word)
        lists = [each for each in rest if isinstance(each, tuple) and (not each or isinstance(each[0], Use))]
        region = next(each for each in rest if isinstance(each, Region))
        if any(isinstance(each, tuple) and each[:1] == ("init",) for each in rest):
            self._report("E0807", "`scf.parallel` with `init` reduces, and is not read", span)
        if any(len(each) != len(variables) for each in lists):
            self._report("E0813", f"`{word}` has {len(variables)} variables and other numbers of bounds", span)
        arguments = tuple(Argument(each.name, mlir.ScalarType.INDEX, each.span) for each in variables)
        uses = tuple(use for each in lists for use in each)
        return Raw(Placed("scf.parallel", span), span, uses, {}, (replace(region, arguments=arguments),), ())

    def forall(self, word: Token, variables: tuple[Use, ...], *rest: object) -> Raw:
        """A nest of loops from 0 on; or bounds as of a loop. What it shares are arguments behind its variables."""
        span = self._span(word)
        lists = [each[1] for each in rest if isinstance(each, tuple) and each[0] == "bounds"]
        bindings, types = next((each[1] for each in rest if isinstance(each, tuple) and each[0] == "shared"), ((), ()))
        region = next(each for each in rest if isinstance(each, Region))
        if any(len(each) != len(variables) for each in lists):
            self._report("E0813", f"`{word}` has {len(variables)} variables and other numbers of bounds", span)
        found: dict[str, Attribute] = {}
        uses: tuple[Use, ...] = ()
        for name, tokens in zip(("Upper",) if len(lists) == 1 else ("Lower", "Upper", "Step"), lists, strict=False):
            static = tuple(DYNAMIC if each.type == "VALUE" else self._integer(each) for each in tokens)
            found[f"static{name}Bound" if name != "Step" else "staticStep"] = Placed(Numbers(static), span)
            uses += tuple(self.use(each) for each in tokens if each.type == "VALUE")
        arguments = [Argument(each.name, mlir.ScalarType.INDEX, each.span) for each in variables]
        for (name, initial), placed in zip(bindings, types, strict=False):
            arguments.append(Argument(name[1:], placed.value, self._span(name)))
            uses += (replace(self.use(initial), type=placed),)
        if len(bindings) != len(types):
            self._report("E0813", f"`{word}` shares {len(bindings)} values of {len(types)} types", span)
        region = replace(region, arguments=tuple(arguments))
        return Raw(Placed("scf.forall", span), span, uses, found, (region,), tuple(types))

    def terminator(self, word: Token, region: Region) -> Raw:
        span = self._span(word)
        return Raw(Placed("scf.forall.in_parallel", span), span, (), {}, (region,), ())

    # -- entries, and what is padded -----------------------------------------------------------------------------------

    def affine_op(self, word: Token, map_: Attribute, values: tuple[Use, ...], *rest: object) -> Raw:
        span = self._span(word)
        symbols = next((each for each in rest if isinstance(each, tuple)), ())
        type_ = Placed(mlir.ScalarType.INDEX, span)
        found: Dictionary = {"map": map_}
        return Raw(Placed(str(word), span), span.to(map_.span), (*values, *symbols), found, (), (type_,))

    def entry_op(
        self,
        word: Token,
        source: Token,
        places: tuple[Use, ...] | None,
        _attributes: Attribute | None,
        _colon: Token,
        type_: Placed[mlir.Type],
    ) -> Raw:
        span = self._span(word)
        element = type_.value if isinstance(type_.value, mlir.ScalarType) else type_.value.element
        uses = (replace(self.use(source), type=type_), *(places or ()))
        return Raw(Placed(str(word), span), span.to(type_.span), uses, {}, (), (Placed(element, type_.span),))

    def store(self, word: Token, value: Token, target: Token, *_rest: object) -> Raw:
        span = self._span(word)
        return Raw(Placed(str(word), span), span, (self.use(value), self.use(target)), {}, (), ())

    def pad(self, word: Token, source: Token, *rest: object) -> Raw:
        span = self._span(word)
        lists = [each for each in rest if isinstance(each, tuple)]
        region = next(each for each in rest if isinstance(each, Region))
        types = [each for each in rest if isinstance(each, Placed) and not isinstance(each.value, dict)]
        found: dict[str, Attribute] = {}
        uses: tuple[Use, ...] = (replace(self.use(source), type=types[0]),)
        counts = [1]
        for name, tokens in zip(("low", "high"), lists, strict=True):
            static = tuple(DYNAMIC if each.type == "VALUE" else self._integer(each) for each in tokens)
            found[f"static_{name}"] = Placed(Numbers(static), span)
            counts.append(static.count(DYNAMIC))
            uses += tuple(self.use(each) for each in tokens if each.type == "VALUE")
        found["operandSegmentSizes"] = Placed(Numbers(tuple(counts)), span)
        return Raw(Placed(str(word), span), span.to(types[-1].span), uses, found, (region,), (types[-1],))

    def assertion(self, word: Token, condition: Token, _message: Token, _attributes: Attribute | None) -> Raw:
        span = self._span(word)
        return Raw(Placed(str(word), span), span, (self.use(condition),), {}, (), ())

    # -- memory of the module ------------------------------------------------------------------------------------------

    def get_global(self, word: Token, name: Token, _colon: Token, type_: Placed[mlir.Type]) -> Raw:
        span = self._span(word)
        found: Dictionary = {"name": Placed(Symbol(name[1:].strip('"')), self._span(name))}
        return Raw(Placed(str(word), span), span.to(type_.span), (), found, (), (type_,))

    def untyped(self, keyword: Token, *rest: object) -> Placed[object]:
        """The entries of memory of the module, whose type stands before them."""
        found = [each for each in rest if isinstance(each, list) or (isinstance(each, Token) and each.type != CLOSE)]
        values: object = found[0] if found else []
        return Placed(values, self._span(keyword))

    def global_(self, word: Token, *rest: object) -> Raw:
        symbol = next(each for each in rest if isinstance(each, Token) and each.type == "SYMBOL")
        given = [each for each in rest if isinstance(each, Placed)]
        span = self._span(word)
        found: dict[str, Attribute] = {"sym_name": Placed(Text(symbol[1:].strip('"')), self._span(symbol))}
        type_ = next((each for each in given if isinstance(each.value, mlir.TensorType | mlir.MemrefType)), None)
        entries = [each for each in given if not isinstance(each.value, dict | mlir.TensorType | mlir.MemrefType)]
        for each in entries[:1]:
            if not isinstance(each.value, list | Token) or type_ is None:
                found["initial_value"] = each
                continue
            made = dense_of(each.value, mlir.TensorType(type_.value.shape, type_.value.element))
            if isinstance(made, str):
                self._report("E0806", made, each.span)
            else:
                found["initial_value"] = Placed(made, each.span)
        return Raw(Placed(str(word), span), span, (), found, (), ())

    def from_elements(self, word: Token, values: tuple[Use, ...] | None, *rest: object) -> Raw:
        (type_,) = (each for each in rest if isinstance(each, Placed) and not isinstance(each.value, dict))
        span = self._span(word)
        return Raw(Placed(str(word), span), span.to(type_.span), values or (), {}, (), (type_,))

    # -- views of bytes ------------------------------------------------------------------------------------------------

    def view(self, word: Token, source: Token, shift: list[Token], sizes: list[Token], *rest: object) -> Raw:
        types = [each for each in rest if isinstance(each, Placed) and not isinstance(each.value, dict)]
        uses = (replace(self.use(source), type=types[0]), *map(self.use, (*shift, *sizes)))
        span = self._span(word)
        return Raw(Placed(str(word), span), span.to(types[-1].span), uses, {}, (), (types[-1],))
