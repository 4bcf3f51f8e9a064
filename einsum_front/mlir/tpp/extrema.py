"""The largest and smallest entries begin with entries: no number in memory is infinite.

    fill(-inf) %c; generic { max(%c, f(%a)) }      ->      generic { f(%a) } to %room; reduce_max ins(%room) outs(%c)

The smallest entry is the negated largest of the negated entries. Over more than two iterators there is no primitive:
the entries at the first positions come first there, and once more in the reduction, which changes nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from math import inf

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.named import rank_of
from einsum_front.mlir.tpp.operations import BINARY, UNARY
from einsum_front.mlir.tpp.verify import check_primitive
from einsum_front.mlir.tpp.views import first_entries, with_unit_mode

NEUTRAL = {"arith.maximumf": -inf, "arith.minimumf": inf}
"""What each reduction begins with."""


def with_first_entries(operations: Iterable[mlir.Operation], names: Names) -> list[mlir.Operation]:
    """The operations without memory that is filled with infinity before a reduction, where its extents are known."""
    return _Extrema(names).operations(operations)


@dataclass(frozen=True, slots=True)
class _Reduction:
    """A nest that takes the largest or smallest entries, and the payload of what it takes them of."""

    nest: mlir.Structured
    taken: str
    term: mlir.Payload
    extents: tuple[int, ...]

    @property
    def target(self) -> mlir.Value:
        return self.nest.outputs[0]

    @property
    def kept(self) -> tuple[int, ...]:
        """The iterators of the target."""
        return self.nest.maps[-1].positions or ()

    def walked(self, number: int) -> tuple[int, ...]:
        """The iterators of the modes of an input."""
        return self.nest.maps[number].positions or ()


@dataclass
class _Extrema:
    """Rewrites the operations of one function."""

    names: Names
    numbers: dict[str, float] = field(default_factory=dict)
    defined: dict[str, mlir.Operation] = field(default_factory=dict)

    def operations(self, operations: Iterable[mlir.Operation]) -> list[mlir.Operation]:
        """The same without infinities."""
        left, found = list(operations), list[mlir.Operation]()
        while left:
            operation = left.pop(0)
            lines: list[mlir.Operation] = [operation]
            match operation:
                case mlir.For(body=body):
                    lines = [replace(operation, body=tuple(self.operations(body)))]
                case mlir.Structured(name="fill", inputs=(number,), outputs=(target,), results=()):
                    between = _numbers_in_front(left)
                    behind = left[len(between)] if len(between) < len(left) else None
                    reduction = _reduction(behind, target, self.numbers.get(number.name, 0.0))
                    if reduction is not None:
                        lines = [*between, *self._written(reduction)]
                        del left[: len(between) + 1]
                case (
                    mlir.Literal() | mlir.Scalar() | mlir.Structured() | mlir.Allocate() | mlir.Free() | mlir.Slice()
                    | mlir.InsertSlice() | mlir.Reshape() | mlir.Permute() | mlir.Cast() | mlir.Extent() | mlir.Copy()
                    | mlir.Primitive() | mlir.Group() | mlir.Pack() | mlir.Call() | mlir.Return()
                ):  # fmt: skip
                    pass
            for each in lines:
                if isinstance(each, mlir.Literal) and isinstance(each.value, int | float):
                    self.numbers[each.result.name] = float(each.value)
            self.defined |= definitions(lines)
            found += lines
        return found

    def _written(self, reduction: _Reduction) -> list[mlir.Operation]:
        """The reduction with all that it begins with."""
        lines = self._primitive(reduction)
        return self._twice(reduction) if lines is None or not are_legal(lines, self.defined) else lines

    # -- two iterators -------------------------------------------------------------------------------------------------

    def _primitive(self, reduction: _Reduction) -> list[mlir.Operation] | None:
        """`reduce_max` of an input as it lies, or of what is computed first; None if no primitive has its form."""
        kept, nest, target = reduction.kept, reduction.nest, reduction.target
        count = len(reduction.extents)
        if count > 2 or len(kept) > 1:
            return None
        entries = [each.name for each in reduction.term.arguments]
        term, lines = reduction.term.yields[0].name, list[mlir.Operation]()
        order = reduction.walked(entries.index(term)) if term in entries else ()
        if sorted(order) == list(range(count)) and reduction.taken == "arith.maximumf":
            source = nest.inputs[entries.index(term)]
        else:
            order = (*kept, *(dim for dim in range(count) if dim not in kept))
            source = mlir.Value(self.names.like("room"), _memory(reduction, order))
            lines = [mlir.Allocate(source), self._computed(reduction, order, source)]
        shape, output = source.shape, target
        if kept and kept == order[:1]:
            output, view = with_unit_mode(target, 1, self.names)
            lines.append(view)
        name = "copy" if output.shape == shape else "reduce_max"
        lines.append(mlir.Primitive(name, (source,), (output,), location=nest.location, origin=nest.origin))
        if reduction.taken == "arith.minimumf":
            lines.append(mlir.Primitive("negate", (target,), (target,), origin=nest.origin))
        return [*lines, mlir.Free(source)] if isinstance(lines[0], mlir.Allocate) else lines

    def _computed(self, reduction: _Reduction, order: tuple[int, ...], room: mlir.Value) -> mlir.Structured:
        """The entries, negated for the smallest one, of which the largest is taken."""
        term = reduction.term
        if reduction.taken == "arith.minimumf":
            value = term.yields[0]
            negated = mlir.Scalar(mlir.Value(f"{value.name}_negated", value.type), "arith.negf", (value,))
            term = replace(term, operations=(*term.operations, negated), yields=(negated.result,))
        return _elementwise(reduction, reduction.nest.inputs, order, room, term)

    # -- more iterators ------------------------------------------------------------------------------------------------

    def _twice(self, reduction: _Reduction) -> list[mlir.Operation]:
        """The entries at the first positions, then the reduction of all."""
        found, firsts = list[mlir.Operation](), list[mlir.Value]()
        for number, value in enumerate(reduction.nest.inputs):
            held = [mode for mode, dim in enumerate(reduction.walked(number)) if dim not in reduction.kept]
            if held:
                extents = [reduction.extents[dim] for dim in reduction.walked(number)]
                found.append(first_entries(self.names.numbered(""), value, held, extents.__getitem__))
            firsts.append(mlir.results_of(found[-1])[0] if held else value)
        first = _elementwise(reduction, firsts, reduction.kept, reduction.target, reduction.term)
        return [*found, first, reduction.nest]


def _numbers_in_front(operations: Sequence[mlir.Operation]) -> list[mlir.Operation]:
    """The numbers that stand before the first other operation."""
    count = next(
        (n for n, each in enumerate(operations) if not isinstance(each, mlir.Literal | mlir.Scalar)), len(operations)
    )
    return list(operations[:count])


def _reduction(operation: mlir.Operation | None, target: mlir.Value, first: float) -> _Reduction | None:
    """The operation as a reduction into what was filled with a number; None if it is none that is known here."""
    if not isinstance(operation, mlir.Structured) or operation.outputs != (target,) or operation.results:
        return None
    if mlir.IteratorType.REDUCTION not in operation.iterators or any(each.positions is None for each in operation.maps):
        return None
    if not operation.payload.operations:
        return None
    *before, last = operation.payload.operations
    output = operation.payload.arguments[-1]
    if not isinstance(last, mlir.Scalar) or NEUTRAL.get(last.name) != first:
        return None
    others = [each for each in last.operands if each.name != output.name]
    used = {each.name for step in before for each in mlir.operands_of(step)}
    extents: dict[int, int] = {}
    for value, map_ in zip(operation.operands, operation.maps, strict=True):
        sizes = [size for size in value.shape if size is not None]
        if len(sizes) < len(value.shape):
            return None
        extents |= dict(zip(map_.positions or (), sizes, strict=True))
    if len(others) != 1 or output.name in used or operation.payload.yields != (last.result,):
        return None
    term = replace(operation.payload, operations=tuple(before), yields=(others[0],))
    return _Reduction(operation, last.name, term, tuple(extents[dim] for dim in sorted(extents)))


def _elementwise(
    reduction: _Reduction,
    inputs: Sequence[mlir.Value],
    order: tuple[int, ...],
    target: mlir.Value,
    payload: mlir.Payload,
) -> mlir.Structured:
    """What the entries are, for these iterators alone: an input without one of the others has a mode less."""
    nest = reduction.nest
    positions = [
        tuple(order.index(dim) for dim in reduction.walked(number) if dim in order) for number in range(len(inputs))
    ]
    maps = tuple(mlir.AffineMap.of_dims(len(order), each) for each in (*positions, tuple(range(len(order)))))
    kinds = (mlir.IteratorType.PARALLEL,) * len(order)
    whole = (tuple(inputs), (target,), maps, kinds, payload, ())
    return mlir.Structured("generic", *whole, location=nest.location, origin=nest.origin)


def _memory(reduction: _Reduction, order: tuple[int, ...]) -> mlir.MemrefType:
    return mlir.MemrefType(tuple(reduction.extents[dim] for dim in order), reduction.target.element)


# -- fused products ----------------------------------------------------------------------------------------------------
# A product, an operation with a matrix and one on its result become `fused_brgemm`, as groups do in the reference.

COMMUTE = ("add", "mul")


def fused(
    operations: Sequence[mlir.Operation], names: Names, before: Mapping[str, mlir.Operation]
) -> list[mlir.Operation]:
    """The operations with products fused where the next steps on their result are such.

    `before` are the operations around them, by the names of their results.
    """
    left, found = list(operations), list[mlir.Operation]()
    while left:
        operation = left.pop(0)
        if (
            isinstance(operation, mlir.Primitive)
            and operation.name in ("matmul", "brgemm")
            and len(operation.inputs) == 3
            and None not in [size for each in operation.inputs for size in each.shape]
        ):
            rest = list(left)
            lines = _product(operation, rest, names)
            is_legal = are_legal(lines, {**before, **definitions(found)})
            found += lines if is_legal else [operation]
            left = rest if is_legal else left
        else:
            found.append(operation)
    return found


def _product(product: mlir.Primitive, left: list[mlir.Operation], names: Names) -> list[mlir.Operation]:
    """The product with the steps behind it that it takes in; these are removed from `left`."""
    target = product.outputs[0]
    before, binary, matrix = list[mlir.Operation](), "", None
    number = _next_use(left, target)
    step = left[number] if number is not None else None
    if isinstance(step, mlir.Primitive) and step.name in BINARY and step.outputs == (target,):
        other = _other(step, target)
        ready = None if number is None else left[:number]
        if other is not None and ready is not None and all(_is_preparation(each) for each in ready):
            before, binary, matrix = ready, step.name, other
            del left[: len(ready) + 1]
    number = _next_use(left, target)
    step = left[number] if number is not None else None
    unary = ""
    if isinstance(step, mlir.Primitive) and number == 0 and _is_in_place(step, target):
        unary = step.name
        left.pop(0)
    if not unary and not binary:
        return [product]
    a, b, c = product.inputs
    if product.name == "matmul":
        (a, first), (b, second) = (with_unit_mode(each, 0, names) for each in (a, b))
        before = [*before, first, second]
    whole = replace(product, name="fused_brgemm", inputs=(a, b, c, matrix or c), unary=unary, binary=binary)
    return [*before, whole]


def _next_use(operations: Sequence[mlir.Operation], value: mlir.Value) -> int | None:
    uses = (n for n, each in enumerate(operations) if value.name in {used.name for used in mlir.operands_of(each)})
    return next(uses, None)


def _is_in_place(step: mlir.Primitive, target: mlir.Value) -> bool:
    """True for an operation of one matrix on the target, of which `fused_brgemm` says all by its name."""
    is_known = step.name in UNARY and step.alpha is None
    return is_known and step.outputs == (target,) and step.inputs in ((), (target,))


def _other(step: mlir.Primitive, target: mlir.Value) -> mlir.Value | None:
    """The matrix that a step combines the target with."""
    one, other = step.inputs
    if one == target and other != target:
        return other
    return one if other == target and one != target and step.name in COMMUTE else None


def _is_preparation(operation: mlir.Operation) -> bool:
    """True for what may run before the product: it makes a matrix of its own."""
    if isinstance(operation, mlir.Primitive):
        return operation.name in ("broadcast", "transpose", "copy") and all(_is_own(each) for each in operation.outputs)
    return isinstance(operation, mlir.Allocate | mlir.Literal | mlir.Reshape)


def _is_own(value: mlir.Value) -> bool:
    return isinstance(value.type, mlir.MemrefType) and rank_of(value) > 0 and value.name.startswith("room")


# -- primitives that are made keep the rules that primitives which are read have to keep -------------------------------


def are_legal(operations: Iterable[mlir.Operation], defined: Mapping[str, mlir.Operation]) -> bool:
    """True if no primitive breaks a rule; `defined` are the operations before, by the names of their results."""
    known = dict(defined)
    for each in operations:
        if isinstance(each, mlir.Primitive) and next(check_primitive(each, known), None) is not None:
            return False
        known |= definitions((each,))
    return True


def definitions(operations: Iterable[mlir.Operation]) -> dict[str, mlir.Operation]:
    """The operations by the names of their results."""
    return {result.name: each for each in operations for result in mlir.results_of(each)}
