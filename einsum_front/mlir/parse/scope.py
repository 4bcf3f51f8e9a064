"""The values in sight where an operation is read, and mistakes at a place."""

from collections.abc import Mapping
from dataclasses import field

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Diagnostic, Label, Span
from einsum_front.core.parsing import Placed
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.attributes import type_text
from einsum_front.mlir.parse.syntax import Alias, Attribute, Use

BYTES: dict[mlir.ScalarType, int] = {
    each: int("".join(filter(str.isdigit, each.value))) // (8 if each.part is None else 4)
    for each in mlir.ScalarType
    if each not in (mlir.ScalarType.INDEX, mlir.ScalarType.I1)
}
"""What a number takes in a buffer."""


class Mistake(Exception):  # noqa: N818 - it is one of the user
    """What is wrong with an operation."""

    def __init__(self, diagnostic: Diagnostic | None) -> None:
        """None if the mistake is said already."""
        super().__init__(diagnostic)
        self.diagnostic = diagnostic


def wrong(code: str, message: str, place: Span, text: str = "", *, also: tuple[Label, ...] = ()) -> Mistake:
    """A mistake at a place."""
    return Mistake(Diagnostic(code, message, (Label(place, text), *also)))


@dataclass
class Scope:
    """The values in sight, and the aliases of the text; None is a value whose definition is wrong.

    `buffers` are values whose bytes are numbers of a type.
    """

    aliases: Mapping[str, Attribute | str]
    values: dict[str, mlir.Value | None] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    buffers: Mapping[str, mlir.ScalarType] = field(default_factory=dict)

    def inner(self) -> "Scope":
        """The scope of a region."""
        return Scope(self.aliases, dict(self.values), dict(self.counts), self.buffers)

    def value(self, use: Use) -> mlir.Value:
        """The value that is used; the type that is written with it is its own."""
        name = f"{use.name}#0" if self.counts.get(use.name, 1) > 1 and "#" not in use.name else use.name
        if name not in self.values and name.endswith("#0") and name[:-2] in self.values:
            name = name[:-2]
        if name not in self.values:
            raise wrong("E0810", f"`%{use.name}` is used before it is defined", use.span)
        found = self.values[name]
        if found is None:
            raise Mistake(None)
        if use.type is not None and use.type.value != found.type and name not in self.buffers:
            message = f"`%{use.name}` is of type `{type_text(found.type)}`, not `{type_text(use.type.value)}`"
            defined = (Label(found.origin[0], "defined here"),) if found.origin else ()
            raise wrong("E0812", message, use.type.span, also=defined)
        return mlir.Value(found.name, found.type, (use.span,))

    def define(self, name: str, type_: mlir.Type, span: Span) -> mlir.Value:
        """A value that is in sight from here on."""
        if name in self.values:
            known = self.values[name]
            also = (Label(known.origin[0], "defined here first"),) if known is not None and known.origin else ()
            raise wrong("E0811", f"`%{name}` is defined twice", span, also=also)
        type_ = seen_as(type_, self.buffers[name]) if name in self.buffers else type_
        value = self.values[name] = mlir.Value(name, type_, (span,))
        return value

    def between(self, stem: str, type_: mlir.Type, span: Span) -> mlir.Value:
        """A value that the text has no name for; `$` is in none that printers make."""
        stem = stem.partition("$")[0]
        name = next(name for n in range(len(self.values) + 1) if (name := f"{stem}${n}") not in self.values)
        return self.define(name, type_, span)

    def resolved(self, attribute: Attribute) -> Attribute:
        """What an alias stands for."""
        if not isinstance(attribute.value, Alias):
            return attribute
        found = self.aliases.get(attribute.value.name)
        if not isinstance(found, Placed):
            raise wrong("E0806", f"there is no alias `{attribute.value.name}`", attribute.span)
        return Placed(found.value, attribute.span)


def is_bytes(type_: mlir.Type) -> bool:
    """True for buffers that `memref.view` takes."""
    return (
        isinstance(type_, mlir.MemrefType)
        and type_.element is mlir.ScalarType.I8
        and len(type_.shape) == 1
        and type_.layout is None
    )


def seen_as(type_: mlir.Type, element: mlir.ScalarType) -> mlir.Type:
    """The type of a buffer of bytes that has numbers; other types stay, and `memref.view` refuses them."""
    if not isinstance(type_, mlir.MemrefType) or not is_bytes(type_):
        return type_
    (size,) = type_.shape
    return mlir.MemrefType((None if size is None else size // BYTES[element],), element)
