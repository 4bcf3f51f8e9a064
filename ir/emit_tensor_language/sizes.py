"""Values of dynamic extents: sizes of modes, and arithmetic on them."""

from math import lcm

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.extent import Extent, Polynomial, of_size
from einsum_front.tl_backend import Builder, Index, Value
from einsum_front.tl_backend import instructions as tl


class Sizes:
    """Sizes that the memrefs of a function show; extents are those of the YATeTo language."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._shown: dict[Polynomial, tuple[Value, int]] = {}

    def show(self, memref: Value, shape: tuple[Extent, ...]) -> None:
        """A memref, defined where all that uses its sizes sees it, has this shape."""
        for mode, extent in enumerate(shape):
            if isinstance(extent, Polynomial):
                self._shown.setdefault(extent, (memref, mode))

    def index(self, extent: Extent) -> Index:
        """The extent as an operand; for one that is dynamic, instructions that compute it are written.

        %n = size %X[0] : memref<f64x?x9>
        %t = arith.mul %n, 2 : index                  [2*n]
        """
        if isinstance(extent, int):
            return extent
        if extent in self._shown:
            return self._size(extent)
        divisor = lcm(*(factor.denominator for _, factor in extent.terms))
        total: Index = 0
        for monomial, factor in extent.terms:
            term: Index = int(factor * divisor)
            for size in monomial:
                term = self._arith(tl.BinaryOperator.MUL, self._size(of_size(size)), term)
            total = term if total == 0 else self._arith(tl.BinaryOperator.ADD, term, total)
        return self._arith(tl.BinaryOperator.DIV, total, divisor)

    def _size(self, extent: Polynomial) -> Value:
        if extent not in self._shown:
            raise CompilerBug(f"no argument shows the size {extent}")
        memref, mode = self._shown[extent]
        return self._builder.size(memref, mode)

    def _arith(self, operator: tl.BinaryOperator, left: Index, right: Index) -> Index:
        """The result; without an instruction where the right operand changes nothing, or both are known."""
        if right == 1 and operator is not tl.BinaryOperator.ADD:
            return left
        return self._builder.arith(operator, left, right)
