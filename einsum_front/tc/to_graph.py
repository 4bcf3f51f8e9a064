"""Definitions to contraction graphs: a kernel that applies the operation to each element of a batch."""

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod

from einsum_front.core.diagnostics import CompileError, CompilerBug, Diagnostic, Origin
from einsum_front.core.diagnostics.diagnostic import mistake
from einsum_front.core.extent import Extent
from einsum_front.core.words import natural
from einsum_front.ir import MINUS_ONE, ElementType, Function, Graph, GraphBuilder, Position, Value, Window
from einsum_front.tc.nodes import Access, Affine, Apply, Definition, Expression, Program
from einsum_front.tc.structure import all_accesses, extents_of, meaning, structure_of
from einsum_front.tc.unparse import affine_text

ELEMENT_TYPES = {"f32": ElementType.F32, "f64": ElementType.F64}
MOST_TERMS = 4096
"""Positions of a window that become terms of a sum, one each."""


def graph_of(definition: Definition, sizes: Mapping[str, int]) -> Graph:
    """The graph of a definition that is verified; sizes that are not given are known when the kernel is launched.

    Tensors are row-major, as those of MLIR are, and each element of the batch has its own. Raises `CompileError`
    (E0841) for what no graph has: types that are mixed or integers, products over iterators, windows of unknown sizes.
    """
    return _Maker(definition, sizes).graph()


def sizes_of(program: Program, given: Mapping[str, str | int]) -> dict[str, int]:
    """Sizes with numbers, as users give them; raises `CompileError` (E0843) for other names and numbers."""
    known = {name for definition in program.definitions for name in definition.sizes}
    sizes: dict[str, int] = {}
    for name, text in given.items():
        number = natural(str(text).strip())
        if name not in known:
            listed = ", ".join(f"`{each}`" for each in sorted(known))
            raise CompileError([Diagnostic("E0843", f"no shape has a size `{name}`", notes=(f"sizes are {listed}",))])
        if not number:
            raise CompileError([Diagnostic("E0843", f"size `{name}` is `{text}`, expected an integer from 1 on")])
        sizes[name] = number
    return sizes


Held = Mapping[str, int]
"""The iterators that have a position."""


class _Maker:
    """One definition on its way."""

    def __init__(self, definition: Definition, sizes: Mapping[str, int]) -> None:
        self._definition = definition
        self._structure = structure_of(definition)
        self._builder = GraphBuilder(definition.name, self._element_type(), definition.origin)
        extents = {name: sizes[name] if name in sizes else self._builder.size(name) for name in definition.sizes}
        self._sizes: Mapping[str, Extent] = extents
        self._extents = {name: self._extent(each) for name, each in extents_of(definition).items()}
        self._unrolled = tuple(name for name in self._structure.iterators if name in self._windowed())

    def graph(self) -> Graph:
        """The finished graph."""
        for tensor in self._definition.tensors:
            shape = tuple(map(self._extent, tensor.shape))
            self._builder.tensor(tensor.name, shape, strides=_row_major(shape), origin=tensor.origin)
        body = self._definition.body
        pairs = list(zip(body.targets, body.values, strict=True))
        values = [self._updated(target, value) for target, value in pairs]
        for (target, _), value in zip(pairs, values, strict=True):
            positions = [str(each.name) for each in target.positions]
            self._builder.assign(target.tensor, positions, value, target.origin)
        return self._builder.graph()

    def _element_type(self) -> ElementType:
        first = self._definition.tensors[0]
        for tensor in self._definition.tensors:
            if tensor.type not in ELEMENT_TYPES:
                raise _refused(f"a kernel computes in f32 or f64, not in {tensor.type}", tensor.origin)
            if tensor.type != first.type:
                message = (
                    f"`{first.name}` is of {first.type} and `{tensor.name}` of {tensor.type}: a kernel has one type"
                )
                raise _refused(message, tensor.origin)
        return ELEMENT_TYPES[first.type]

    def _extent(self, affine: Affine) -> Extent:
        found: Extent = affine.constant
        for name, factor in affine.terms:
            found = found + self._sizes[name] * factor
        return found

    def _windowed(self) -> frozenset[str]:
        """Reductions that share a position with another iterator: they are unrolled."""
        found = set[str]()
        for access in all_accesses(self._definition.body):
            for position in access.positions:
                if len(position.terms) > 1 or any(factor != 1 for _, factor in position.terms):
                    found |= {name for name, _ in position.terms if name in self._structure.reductions}
        return frozenset(found)

    # -- values --------------------------------------------------------------------------------------------------------

    def _updated(self, target: Access, value: Expression) -> Value:
        """What an output becomes."""
        if not (isinstance(value, Apply) and value.over):
            return self._value(value, {})
        function = _function(value)
        over = tuple(name for name in value.over if name not in self._unrolled)
        terms = [self._reduced(value, function, over, each) for each in self._held(value.origin)]
        before = self._builder.read(target.tensor, [str(each.name) for each in target.positions], target.origin)
        if function is Function.ADD:
            return self._builder.sum([before, *terms], value.origin)
        found = before
        for term in terms:
            found = self._builder.elementwise(function, [found, term], value.origin)
        return found

    def _held(self, origin: Origin) -> Iterator[Held]:
        extents = [self._extents[name] for name in self._unrolled]
        known = [each for each in extents if isinstance(each, int)]
        if len(known) < len(extents):
            name = next(n for n in self._unrolled if not isinstance(self._extents[n], int))
            raise _refused(f"`{name}` walks a window of which the size is not known: give it with -D", origin)
        if prod(known) > MOST_TERMS:
            raise _refused(f"a window has {prod(known)} positions, more than {MOST_TERMS}", origin)
        for positions in product(*map(range, known)):
            yield dict(zip(self._unrolled, positions, strict=True))

    def _reduced(self, value: Apply, function: Function, over: tuple[str, ...], held: Held) -> Value:
        inner = self._value(value.arguments[-1], held)
        walked = {index.name for index in inner.indices}
        missing = [name for name in over if name not in walked]
        if missing:
            raise _refused(f"what is reduced over `{missing[0]}` does not depend on it", value.origin)
        match function:
            case Function.ADD:
                return self._builder.product([inner], over, value.origin) if over else inner
            case Function.MAX | Function.MIN:
                return self._builder.extremum(function, inner, over, value.origin) if over else inner
            case _:
                raise _refused(f"`{value.operation}` over iterators is no contraction", value.origin)

    def _value(self, expression: Expression, held: Held) -> Value:
        match expression:
            case Access(tensor=tensor, positions=positions, origin=origin):
                return self._builder.read(tensor, [self._position(each, held, tensor) for each in positions], origin)
            case Apply(operation=operation, arguments=arguments, origin=origin):
                values = [self._value(each, held) for each in arguments]
                known = meaning(operation)
                if known is not None and known.function is None:
                    return self._builder.scaled(MINUS_ONE, values[0])
                return self._builder.elementwise(_function(expression), values, origin)

    def _position(self, affine: Affine, held: Held, tensor: str) -> Position:
        start = affine.constant + sum(factor * held[name] for name, factor in affine.terms if name in held)
        moving = [(name, factor) for name, factor in affine.terms if name not in held]
        if not moving:
            return start
        (name, factor), *others = moving
        if others or factor != 1:
            message = f"`{tensor}` is walked at `{affine_text(affine)}`: a kernel walks modes one by one"
            raise _refused(message, affine.origin)
        if affine.name is not None:
            return name
        extent = self._extents[name]
        if not isinstance(extent, int):
            message = f"`{name}` walks a window of which the size is not known: give it with -D"
            raise _refused(message, affine.origin)
        return Window(name, start, extent)


def _function(value: Apply) -> Function:
    known = meaning(value.operation)
    if known is None or known.function is None:
        raise CompilerBug(f"there is no function `{value.operation}`")
    return known.function


def _row_major(shape: tuple[Extent, ...]) -> tuple[Extent, ...]:
    strides: list[Extent] = []
    stride: Extent = 1
    for extent in reversed(shape):
        strides.insert(0, stride)
        stride = stride * extent
    return tuple(strides)


def _refused(message: str, origin: Origin) -> CompileError:
    return CompileError([mistake("E0841", message, origin)])
