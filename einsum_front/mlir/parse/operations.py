"""Operations as they are written become nodes: names of values are looked up, attributes are read."""

from collections.abc import Sequence

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug, Span
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.affine import is_linear, linear
from einsum_front.mlir.attributes import DYNAMIC, INTEGER_PREDICATES, PREDICATES, type_text
from einsum_front.mlir.named_tables import STRUCTURED
from einsum_front.mlir.parse.constants import of_resource
from einsum_front.mlir.parse.scope import Mistake, Scope, wrong
from einsum_front.mlir.parse.syntax import (
    RESOURCES,
    Array,
    Attribute,
    Dense,
    Floating,
    Integer,
    Numbers,
    Raw,
    Resource,
    Symbol,
    Text,
)
from einsum_front.mlir.scalars import ENTRIES, SCALARS
from einsum_front.mlir.tpp.operations import FORMS, LEFT_OUT, SYNONYMS

RESHAPES = ("tensor.collapse_shape", "tensor.expand_shape", "memref.collapse_shape", "memref.expand_shape")
OTHERS = (
    *(
        "arith.constant",
        "complex.constant",
        "linalg.index",
        "tensor.empty",
        "memref.alloc",
        "memref.alloca",
        "memref.dealloc",
    ),
    *("tensor.extract_slice", "memref.subview", "tensor.insert_slice", "memref.transpose", "memref.copy"),
    *RESHAPES,
    *("tensor.cast", "memref.cast", "tensor.dim", "memref.dim", "scf.for", "func.call", "func.return"),
)
PACKS = frozenset(f"{dialect}.{name}" for dialect in ("tensor", "linalg") for name in ("pack", "unpack"))
PRIMITIVES = frozenset(f"tpp.{name}" for name in (*FORMS, *SYNONYMS, *LEFT_OUT, "group"))
READ_OVER = frozenset({"cf.assert", "ml_program.global"})
"""Operations without which a kernel computes the same."""
NESTED = frozenset({"scf.parallel", "scf.forall", "scf.forall.in_parallel"})
KNOWN = frozenset(
    {
        *OTHERS,
        *ENTRIES,
        *NESTED,
        *READ_OVER,
        "affine.apply",
        "affine.min",
        "affine.max",
        "memref.view",
        "tensor.from_elements",
        "tensor.pad",
        "linalg.softmax",
        "memref.global",
        "memref.get_global",
        *SCALARS,
        *(f"linalg.{name}" for name in STRUCTURED),
        *PRIMITIVES,
        *PACKS,
    }
)
"""The operations that are read, but for `func.func`, `builtin.module` and the ends of regions."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One operation, and the values that it may use."""

    raw: Raw
    scope: Scope

    @property
    def name(self) -> str:
        """The whole name of the operation."""
        return self.raw.name.value

    def operands(self, count: int | None = None) -> tuple[mlir.Value, ...]:
        """The operands, so many of them."""
        if count is not None and len(self.raw.operands) != count:
            message = f"`{self.name}` has {count} operand{'s' * (count != 1)}, not {len(self.raw.operands)}"
            raise wrong("E0813", message, self.raw.name.span)
        return tuple(map(self.scope.value, self.raw.operands))

    def attribute(self, name: str) -> Attribute:
        """An attribute that has to be there."""
        if (found := self.optional(name)) is None:
            raise wrong("E0806", f"`{self.name}` has no `{name}`", self.raw.name.span)
        return found

    def optional(self, name: str) -> Attribute | None:
        """An attribute, if it is there."""
        found = self.raw.attributes.get(name)
        return None if found is None else self.scope.resolved(found)

    def malformed(self, name: str, wanted: str) -> Mistake:
        """The mistake that an attribute is something else than it has to be."""
        return wrong("E0806", f"`{name}` of `{self.name}` is {wanted}", self.attribute(name).span)

    def integers(self, name: str) -> tuple[int, ...]:
        """A list of integers, in whatever form."""
        match self.attribute(name).value:
            case Numbers(values=values) | Dense(values=tuple(values)):
                return tuple(int(value) for value in values)
            case Dense(values=int(value), type=mlir.TensorType(shape=(int(count),))):
                return (value,) * count
            case Array(entries=entries) if all(isinstance(each.value, Integer) for each in entries):
                return tuple(each.value.value for each in entries if isinstance(each.value, Integer))
            case _:
                raise self.malformed(name, "a list of integers")

    def maps(self, name: str) -> tuple[mlir.AffineMap, ...]:
        """A list of affine maps."""
        value = self.attribute(name).value
        if not isinstance(value, Array):
            raise self.malformed(name, "a list of affine maps")
        found = [self.scope.resolved(entry) for entry in value.entries]
        if not all(isinstance(each.value, mlir.AffineMap) for each in found):
            raise self.malformed(name, "a list of affine maps")
        for each in found:
            if isinstance(each.value, mlir.AffineMap) and (reason := _not_walked(each.value)):
                raise wrong("E0806", reason, each.span, "only sums and multiples of iterators")
        return tuple(
            mlir.AffineMap(each.value.dims, each.value.results, (each.span,))
            for each in found
            if isinstance(each.value, mlir.AffineMap)
        )

    def text(self, name: str) -> str:
        """A string or the name of a function; empty if it is not there."""
        if (found := self.optional(name)) is None:
            return ""
        match found.value:
            case Text(value=text) | Symbol(name=text):
                return text
            case _:
                raise self.malformed(name, "a string")

    def result(self) -> mlir.Value:
        """The only result."""
        (value,) = self.results(1)
        return value

    def results(self, count: int | None = None, types: Sequence[mlir.Type] | None = None) -> tuple[mlir.Value, ...]:
        """The results with their types: those that are written, else those that are given; so many of them."""
        written = types if self.raw.result_types is None else [each.value for each in self.raw.result_types]
        names = [name for each in self.raw.results for name in _names(each.name, each.count)]
        spans = [each.span for each in self.raw.results for _ in range(each.count)]
        known = list(written or ())
        wanted = len(known) if count is None else count
        if len(known) != wanted or len(names) not in (wanted, 0):
            message = f"`{self.name}` has {wanted} result{'s' * (wanted != 1)}, not {max(len(names), len(known))}"
            raise wrong("E0813", message, self.raw.name.span)
        for each in self.raw.results:
            self.scope.counts[each.name] = each.count
        if not names:  # nobody uses them, but they are there
            taken = len(self.scope.values)
            names = [f"unused{taken + number}" for number in range(wanted)]
            spans = [self.raw.name.span] * wanted
        defined = zip(names, known, spans, strict=True)
        return tuple(self.scope.define(name, type_, span) for name, type_, span in defined)

    # -- the operations ------------------------------------------------------------------------------------------------

    def node(self) -> mlir.Operation | mlir.IndexOf:  # noqa: C901 - a case for each operation
        """The node of an operation without regions. Raises `Mistake`."""
        origin, location = (self.raw.span,), self._location()
        match self.name:
            case "arith.constant" | "complex.constant":
                return self.literal()
            case "linalg.index":
                (dim,) = (self._integer("dim"),)
                return mlir.IndexOf(self.result(), dim, location, origin)
            case name if name in ENTRIES:
                if not self.raw.operands:
                    self.operands(1)
                return mlir.Scalar(self.result(), name, self.operands(), "", location, origin)
            case name if name in SCALARS:
                values = self.operands(SCALARS[name].count)
                return mlir.Scalar(self.result(), name, values, self._predicate(), location, origin)
            case "tensor.empty" | "memref.alloc" | "memref.alloca":
                sizes = self.operands()
                is_stack = self.name == "memref.alloca"
                return mlir.Allocate(self.result(), sizes, is_stack, location, origin)
            case "memref.dealloc":
                return mlir.Free(self.operands(1)[0], location, origin)
            case "tensor.extract_slice" | "memref.subview":
                source, *dynamic = self.operands()
                return mlir.Slice(self.result(), source, *self._parts(dynamic), location, origin)
            case "tensor.insert_slice":
                if len(self.raw.operands) < 2:
                    self.operands(2)
                return self.inserted(None)
            case "memref.transpose":
                return self._permute()
            case "memref.copy":
                source, target = self.operands(2)
                return mlir.Copy(source, target, location, origin)
            case "tensor.cast" | "memref.cast":
                (source,) = self.operands(1)
                return mlir.Cast(self.result(), source, location, origin)
            case "tensor.dim" | "memref.dim":
                source, mode = self.operands(2)
                return mlir.Extent(self.result(), source, mode, location, origin)
            case "func.call":
                values = self.operands()
                return mlir.Call(self.text("callee"), values, self.results(), location, origin)
            case "func.return":
                return mlir.Return(self.operands(), location, origin)
            case name if name in RESHAPES:
                return self._reshape()
            case name:
                raise CompilerBug(f"`{name}` has no node")

    def inserted(self, shared: mlir.Value | None) -> mlir.InsertSlice:
        """A slice that is inserted; the target is `shared` where a loop shares it, and the result has no name then."""
        source, target, *dynamic = self.operands()
        if shared is None:
            result = self.result()
        else:
            target, result = shared, self.scope.between(target.name, target.type, self.raw.name.span)
        origin = (self.raw.span,)
        return mlir.InsertSlice(result, source, target, *self._parts(dynamic), self._location(), origin)

    def _location(self) -> str:
        """The name that a location gives, looked up if it is an alias."""
        location = self.raw.location
        if not location.startswith("#"):
            return location
        found = self.scope.aliases.get(location)
        return found if isinstance(found, str) and not found.startswith("#") else ""

    location = property(_location)

    def _integer(self, name: str) -> int:
        value = self.attribute(name).value
        if not isinstance(value, Integer):
            raise self.malformed(name, "an integer")
        return value.value

    def literal(self) -> mlir.Literal:
        """A constant, of whatever form."""
        attribute = self.attribute("value")
        type_: mlir.Type | None
        value: int | float | tuple[float, ...]
        match attribute.value:
            case bool() as value:
                type_ = mlir.ScalarType.I1
            case Integer(value=value, type=written):
                type_ = written or mlir.ScalarType.I64
            case Floating(value=value, type=written):
                type_ = written or mlir.ScalarType.F64
            case Resource(name=name, type=type_):
                made = self._resource(name, type_, attribute.span)
                self._check_dense(made, attribute.span)
                value = made.values
            case Dense(values=value, type=type_):
                self._check_dense(attribute.value, attribute.span)
            case Array(entries=(real, imaginary)) if self.name == "complex.constant":
                parts = [each.value.value for each in (real, imaginary) if isinstance(each.value, Integer | Floating)]
                if len(parts) < 2 or not self.raw.result_types:
                    raise self.malformed("value", "a real and an imaginary part")
                value, type_ = tuple(parts), self.raw.result_types[0].value
                if _element(type_).part is None:
                    raise self.malformed("value", f"a complex number, and its type is `{type_text(type_)}`")
            case _:
                raise self.malformed("value", "a number or the entries of a tensor")
        if _element(type_).is_floating or _element(type_).part is not None:
            value = tuple(map(float, value)) if isinstance(value, tuple) else float(value)
        (result,) = self.results(1, [type_])
        if result.type != type_:
            message = f"a constant of type `{type_text(type_)}` has a result of type `{type_text(result.type)}`"
            raise wrong("E0812", message, attribute.span)
        return mlir.Literal(result, value, self._location(), (self.raw.span,))

    def _resource(self, name: str, type_: mlir.Type, span: Span) -> Dense:
        """The entries that stand at the end of the text."""
        text = self.scope.aliases.get(f"{RESOURCES}{name}")
        if not isinstance(text, str):
            raise wrong("E0806", f"there is no resource `{name}` in the text", span, "`{-# dialect_resources: … #-}`")
        made = of_resource(text, type_)
        if isinstance(made, str):
            raise wrong("E0806", f"`{name}`: {made}", span)
        return made

    def _check_dense(self, dense: Dense, span: Span) -> None:
        if not isinstance(dense.type, mlir.TensorType) or None in dense.type.shape:
            raise wrong("E0806", "entries are those of a tensor whose sizes are known", span)
        if isinstance(dense.values, tuple) and dense.shape and dense.shape != dense.type.shape:
            shown = "x".join(map(str, dense.shape)) if -1 not in dense.shape else "of rows that differ in length"
            raise wrong("E0806", f"the entries of `{type_text(dense.type)}` are {shown}", span)

    def _predicate(self) -> str:
        if self.name not in ("arith.cmpf", "arith.cmpi"):
            return ""
        words = PREDICATES if self.name == "arith.cmpf" else INTEGER_PREDICATES
        match self.attribute("predicate").value:
            case Integer(value=number) if 0 <= number < len(words):
                return words[number]
            case Text(value=word) if word in words:
                return word
            case _:
                raise self.malformed("predicate", f"one of {', '.join(words)}")

    def _parts(
        self, dynamic: list[mlir.Value]
    ) -> tuple[tuple[mlir.Number, ...], tuple[mlir.Number, ...], tuple[mlir.Number, ...]]:
        left = list(dynamic)

        def numbers(name: str) -> tuple[mlir.Number, ...]:
            found: list[mlir.Number] = []
            for number in self.integers(f"static_{name}"):
                if number == DYNAMIC and not left:
                    raise wrong("E0813", f"`{self.name}` lacks a value for its {name}", self.raw.name.span)
                found.append(left.pop(0) if number == DYNAMIC else number)
            return tuple(found)

        parts = numbers("offsets"), numbers("sizes"), numbers("strides")
        if left:
            raise wrong("E0813", f"`{self.name}` has an operand that is no offset, size or stride", self.raw.name.span)
        return parts

    def _permute(self) -> mlir.Permute:
        (source,) = self.operands(1)
        value = self.attribute("permutation").value
        positions = value.positions if isinstance(value, mlir.AffineMap) else None
        if positions is None:
            raise self.malformed("permutation", "an affine map that orders the modes")
        return mlir.Permute(self.result(), source, positions, self._location(), (self.raw.span,))

    def _reshape(self) -> mlir.Reshape:
        is_expansion = self.name.endswith("expand_shape")
        if not self.raw.operands:
            self.operands(1)
        source, *dynamic = self.operands()
        value = self.attribute("reassociation").value
        if not isinstance(value, Array):
            raise self.malformed("reassociation", "a list of lists of modes")
        groups: list[tuple[int, ...]] = []
        for entry in value.entries:
            inner = entry.value
            if not isinstance(inner, Array):
                raise self.malformed("reassociation", "a list of lists of modes")
            groups.append(tuple(each.value.value for each in inner.entries if isinstance(each.value, Integer)))
        result = self.result()
        sizes: tuple[mlir.Number, ...] = ()
        if is_expansion:
            shape = result.type.shape if not isinstance(result.type, mlir.ScalarType) else ()
            static = self.integers("static_output_shape") if self.optional("static_output_shape") else shape
            left = list(dynamic)
            given = (left.pop(0) if each in (DYNAMIC, None) and left else each for each in static)
            sizes = tuple(each for each in given if each is not None)
        return mlir.Reshape(result, source, tuple(groups), is_expansion, sizes, self._location(), (self.raw.span,))


def _names(name: str, count: int) -> list[str]:
    return [name] if count == 1 else [f"{name}#{number}" for number in range(count)]


def _not_walked(map_: mlir.AffineMap) -> str:
    """Why no operand can be walked by a map; empty if one can."""
    if not all(map(is_linear, map_.results)):
        return "a map of an operand with `floordiv`, `ceildiv` or `mod` is not read"
    if any(dim >= map_.dims for each in map_.results for dim in linear(each).factors):
        return "affine maps with symbols are not read"
    return ""


def _element(type_: mlir.Type) -> mlir.ScalarType:
    return type_ if isinstance(type_, mlir.ScalarType) else type_.element
