"""A function while it is changed: new values, numbers that fold, and parts of operands."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.names import Names
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.affine import linear
from einsum_front.mlir.strides import subview
from einsum_front.mlir.unparse import names_of

Rewrite = Callable[[mlir.Structured], Sequence[mlir.Operation]]


class Editor:
    """Makes operations for a function; constants stand where it begins."""

    def __init__(self, function: mlir.Function) -> None:
        self.function = function
        self.names = Names(names_of(function))
        self.head: list[mlir.Operation] = []
        self.tail: list[mlir.Operation] = []
        self._constants: dict[int, mlir.Value] = {}
        self._literals = {
            each.result.name: each.value
            for each in function.body or ()
            if isinstance(each, mlir.Literal)
            and isinstance(each.value, int)
            and each.result.type is mlir.ScalarType.INDEX
        }
        self._bounds: dict[str, int] = dict(self._literals)
        for each in _walked(function.body or ()):
            if isinstance(each, mlir.Scalar):
                self._bound(each)

    def finished(self, body: Sequence[mlir.Operation]) -> mlir.Function:
        """The function with this body, behind the constants; memory is given back before it returns."""
        return replace(self.function, body=(*self.head, *body[:-1], *self.tail, *body[-1:]))

    def rewritten(self, wanted: mlir.Structured, rewrite: Rewrite) -> mlir.Function:
        """The function with other operations instead of one, which is found by identity."""

        def walk(body: Sequence[mlir.Operation]) -> tuple[mlir.Operation, ...]:
            found: list[mlir.Operation] = []
            for each in body:
                if each is wanted:
                    found += rewrite(wanted)
                elif isinstance(each, mlir.For):
                    found.append(replace(each, body=walk(each.body)))
                else:
                    found.append(each)
            return tuple(found)

        return self.finished(walk(self.function.body or ()))

    # -- numbers -------------------------------------------------------------------------------------------------------

    def fresh(self, type_: mlir.Type, stem: str = "") -> mlir.Value:
        """A value of a name that nobody has."""
        return mlir.Value(self.names.fresh(stem) if stem else self.names.numbered(""), type_)

    def value(self, number: mlir.Number) -> mlir.Value:
        """A number as a value; integers are constants in front."""
        if isinstance(number, mlir.Value):
            return number
        if number not in self._constants:
            value = mlir.Value(self.names.like(f"i{number}"), mlir.ScalarType.INDEX)
            self.head.append(mlir.Literal(value, number))
            self._constants[number] = value
            self._bounds[value.name] = self._literals[value.name] = number
        return self._constants[number]

    def known(self, number: mlir.Number) -> int | None:
        """The integer that a number is, if the text says it."""
        found = number if isinstance(number, int) else self._literals.get(number.name)
        return found if isinstance(found, int) else None

    def bound(self, number: mlir.Number) -> int | None:
        """An integer that a number does not exceed, if one is known: a tile is not larger than its size."""
        return number if isinstance(number, int) else self._bounds.get(number.name)

    def compute(self, name: str, left: mlir.Number, right: mlir.Number, into: list[mlir.Operation]) -> mlir.Number:
        """`addi`, `subi`, `muli` or `minsi` of two numbers, as an integer where both are."""
        first, second = self.known(left), self.known(right)
        if first is not None and second is not None:
            return {"addi": first + second, "subi": first - second, "muli": first * second}.get(
                name, min(first, second)
            )
        if (name in ("addi", "subi") and second == 0) or (name == "muli" and second == 1):
            return left
        if name == "addi" and first == 0:
            return right
        result = self.fresh(mlir.ScalarType.INDEX)
        operation = mlir.Scalar(result, f"arith.{name}", (self.value(left), self.value(right)))
        into.append(operation)
        self._bound(operation)
        return result

    def _bound(self, operation: mlir.Scalar) -> None:
        """What is known of a result from what is known of its operands."""
        bounds = [self._bounds.get(each.name) for each in operation.operands]
        found = [each for each in bounds if each is not None]
        match operation.name:
            case "arith.minsi" if found:
                self._bounds[operation.result.name] = min(found)
            case "arith.subi" if bounds[0] is not None and (less := self.known(operation.operands[1])) is not None:
                self._bounds[operation.result.name] = bounds[0] - less
            case "arith.addi" if len(found) == 2:
                self._bounds[operation.result.name] = sum(found)
            case "arith.muli" if len(found) == 2 and min(found) >= 0:
                self._bounds[operation.result.name] = found[0] * found[1]

    # -- operands ------------------------------------------------------------------------------------------------------

    def extents(self, operation: mlir.Structured, into: list[mlir.Operation]) -> list[mlir.Number]:
        """The extent of each iterator: an integer, or read from an operand that it walks alone."""
        found: dict[int, mlir.Number] = {}
        for operand, map_ in zip(operation.operands, operation.maps, strict=True):
            for mode, result in enumerate(map_.results):
                dim = linear(result).iterator
                if dim is not None and not isinstance(found.get(dim), int):
                    size = operand.shape[mode]
                    if size is not None or dim not in found:
                        found[dim] = self._size(operand, mode, into)
        return [found[dim] for dim in range(len(operation.iterators))]

    def _size(self, operand: mlir.Value, mode: int, into: list[mlir.Operation]) -> mlir.Number:
        """The extent of a mode; for a dynamic one, the operation that reads it."""
        size = operand.shape[mode]
        if size is not None:
            return size
        result = self.fresh(mlir.ScalarType.INDEX)
        into.append(mlir.Extent(result, operand, self.value(mode)))
        return result

    def part(
        self,
        operand: mlir.Value,
        map_: mlir.AffineMap,
        starts: Mapping[int, mlir.Number],
        sizes: Mapping[int, mlir.Number],
        into: list[mlir.Operation],
        held: frozenset[int] = frozenset(),
    ) -> mlir.Value:
        """The entries that a tile of iterations touches, as a view; iterators without a start are walked whole.

        Modes that only a `held` iterator walks have one position, and are left out.
        """
        if not isinstance(operand.type, mlir.MemrefType):
            return operand
        offsets: list[mlir.Number] = []
        extents: list[mlir.Number] = []
        left_out: list[int] = []
        for mode, result in enumerate(map_.results):
            position = linear(result)
            if not set(position.factors) & set(starts):
                offsets.append(0)
                extents.append(self._size(operand, mode, into))
                continue
            if min(position.factors.values()) < 0:
                raise refused("walks an operand backwards")
            if position.iterator is not None:
                offsets.append(starts[position.iterator])
                extents.append(sizes[position.iterator])
                if position.iterator in held:
                    left_out.append(mode)
                continue
            start: mlir.Number = 0
            size: mlir.Number = position.constant + 1
            for dim, factor in position.factors.items():
                if dim in starts:
                    start = self.compute("addi", start, self.compute("muli", starts[dim], factor, into), into)
                last = self.compute("subi", sizes[dim], 1, into)
                size = self.compute("addi", size, self.compute("muli", last, factor, into), into)
            offsets.append(start)
            extents.append(size)
        return self.view(operand, offsets, extents, into, frozenset(left_out))

    def view(
        self,
        source: mlir.Value,
        offsets: Sequence[mlir.Number],
        sizes: Sequence[mlir.Number],
        into: list[mlir.Operation],
        left_out: frozenset[int] = frozenset(),
    ) -> mlir.Value:
        """`memref.subview`, or the memref itself if that is all of it."""
        shape = source.shape
        whole = all(offset == 0 for offset in offsets) and list(sizes) == list(shape)
        if whole and not left_out:
            return source
        part = subview(self.names.numbered(""), source, offsets, sizes, left_out)
        into.append(part)
        return part.result


def refused(why: str, operation: mlir.Structured | None = None) -> CompileError:
    """The error for a step that an operation does not allow."""
    name = "the operation" if operation is None else f"`linalg.{operation.name}`"
    return CompileError([Diagnostic("E0846", f"{name} {why}")])


def _walked(body: Sequence[mlir.Operation]) -> list[mlir.Operation]:
    """The operations of a body and of the loops in it."""
    found: list[mlir.Operation] = []
    for each in body:
        found.append(each)
        if isinstance(each, mlir.For):
            found += _walked(each.body)
    return found
