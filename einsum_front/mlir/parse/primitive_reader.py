"""Parse tree to tensor processing primitives as they are written, in either spelling."""

from dataclasses import replace
from typing import NamedTuple

from lark import Token, v_args

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.parsing import Placed
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.parse.syntax import Attribute, Dictionary, Numbers, Raw, Region, Text, Use
from einsum_front.mlir.parse.types import TypeReader


class _Uses(NamedTuple):
    """Operands by where they stand: in brackets alone, behind `ins` and behind `outs`; then what braces say."""

    bare: tuple[Use, ...] = ()
    inputs: tuple[Use, ...] = ()
    outputs: tuple[Use, ...] = ()
    attributes: Attribute | None = None


@v_args(inline=True)
class PrimitiveReader(TypeReader):
    """Reads `tpp.name`, `tpp.group`, and packing."""

    def primitive(
        self,
        name: Token,
        words: Dictionary | None,
        early: Attribute | None,
        given: "_Uses | None",
        *rest: "Token | tuple[Placed[mlir.Type], ...] | None",
    ) -> Raw:
        span = self._span(name)
        colon, types, _arrow, results = rest
        if isinstance(types, Token) or isinstance(results, Token):
            raise CompilerBug("types are no tokens")
        bare, inputs, writes, late = given or _Uses()
        reads = (*bare, *inputs)
        uses = (*reads, *writes)
        if types is not None:
            # results are written where they stand among the operands, whose types are not always written again
            written = {use.name for use in writes}
            for typed in (uses, reads, tuple(use for use in reads if use.name not in written)):
                if len(typed) == len(types):
                    known = {id(use): each for use, each in zip(typed, types, strict=True)}
                    uses = tuple(replace(use, type=known.get(id(use))) for use in uses)
                    break
            else:
                place = self._span(colon) if isinstance(colon, Token) else span
                self._report("E0813", f"`{name}` has {len(uses)} operands and {len(types)} types", place)
        segments = Placed(Numbers((len(bare), len(inputs), len(writes))), span)
        every = [*(words or {}).items(), *entries_of(early).items(), *entries_of(late).items()]
        found = {**self.entries(*every), "operandSegmentSizes": segments}
        return Raw(Placed(str(name), span), span, uses, found, (), results)

    def tpp_uses(self, *parts: "_Uses | Attribute | None") -> "_Uses":
        found = _Uses()
        for part in parts:
            if isinstance(part, _Uses):
                found = _Uses(found.bare + part.bare, found.inputs + part.inputs, found.outputs + part.outputs)
            elif part is not None:
                found = found._replace(attributes=part)
        return found

    def words(self, *words: tuple[str, Attribute]) -> Dictionary:
        return self.entries(*words)

    def word(self, name: Token, value: Token) -> tuple[str, Attribute]:
        if value.type != "NAME":
            message = f"brackets have the names of operations, and `{name}` is a number"
            self._report("E0859", message, self._span(value), f"`{{{name} = {value}}}` says it")
        return str(name), Placed(Text(str(value)), self._span(value))

    def tpp_operands(self, *uses: Use | None) -> "_Uses":
        return _Uses(bare=tuple(use for use in uses if use is not None))

    def tpp_operand(self, name: Token, _colon: Token | None, type_: Placed[mlir.Type] | None) -> Use:
        return replace(self.use(name), type=type_)

    def tpp_ins(self, uses: "_Uses") -> "_Uses":
        return _Uses(inputs=uses.bare)

    def tpp_outs(self, uses: "_Uses") -> "_Uses":
        return _Uses(outputs=uses.bare)

    def tpp_types(self, types: Placed[mlir.Type] | tuple[Placed[mlir.Type], ...]) -> tuple[Placed[mlir.Type], ...]:
        return (types,) if isinstance(types, Placed) else types

    def group(
        self, word: Token, region: Region, _arrow: Token | None, results: tuple[Placed[mlir.Type], ...] | None
    ) -> Raw:
        span = self._span(word)
        return Raw(Placed("tpp.group", span), span, (), {}, (region,), results)

    def pack(self, word: Token, source: Token, *rest: object) -> Raw:
        found: dict[str, Attribute] = dict(each[1:] for each in rest if isinstance(each, tuple))
        span = self._span(word)
        target = next(each for each in rest if isinstance(each, Token) and each.type == "VALUE")
        types = [each for each in rest if isinstance(each, Placed) and not isinstance(each.value, dict)]
        uses = replace(self.use(source), type=types[0]), replace(self.use(target), type=types[1])
        return Raw(Placed(str(word), span), span, uses, found, (), (types[1],))

    def padding(self, value: Token, _colon: Token, _type: Placed[mlir.Type]) -> tuple[str, str, Attribute]:
        return "modifier", "padding_value", Placed(Text(str(value)), self._span(value))

    def use(self, name: Token) -> Use:
        """A value where it is used, without its type."""
        return Use(name[1:], self._span(name))


def entries_of(attribute: Attribute | None) -> dict[str, Attribute]:
    """The entries of a dictionary that may be missing."""
    return dict(attribute.value) if attribute is not None and isinstance(attribute.value, dict) else {}  # type: ignore[arg-type]  # the values are attributes
