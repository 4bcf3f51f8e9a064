"""Values of numbers that only the launch knows: sizes of modes, and arithmetic on them."""

from math import lcm

from einsum_front.diagnostics import CompilerBug
from einsum_front.ir.run_time import RunTimeNumber
from einsum_front.tl_backend.builder import Builder, Index, Value
from einsum_front.tl_backend.instructions import BinaryOperator


class Sizes:
    """What the memrefs of a function show; numbers are those of the YATeTo language."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._shown: dict[str, tuple[Value, int]] = {}

    def show(self, memref: Value, shape: tuple[int, ...]) -> None:
        """A memref, defined where all that uses its sizes sees it, has this shape."""
        for mode, size in enumerate(shape):
            if isinstance(size, RunTimeNumber):
                self._shown.setdefault(str(size), (memref, mode))

    def index(self, number: int) -> Index:
        """The number as an operand; if only the launch knows it, instructions that compute it are written.

        %n = size %X[0] : memref<f64x?x9>
        %t = arith.mul %n, 2 : index                  [2*n]
        """
        if not isinstance(number, RunTimeNumber):
            return number
        if str(number) in self._shown:
            return self._size(str(number))
        names = list(number.sizes)
        terms = number.expression.as_poly(gens=[number.symbol(name) for name in names]).terms()
        divisor = lcm(*(int(coefficient.q) for _, coefficient in terms))
        total: Index = 0
        for powers, coefficient in terms:
            factors = [name for name, power in zip(names, powers, strict=True) for _ in range(power)]
            term: Index = int(coefficient * divisor)
            for name in factors:
                term = self._arith(BinaryOperator.MUL, self._size(name), term)
            total = term if total == 0 else self._arith(BinaryOperator.ADD, term, total)
        return self._arith(BinaryOperator.DIV, total, divisor)

    def _size(self, name: str) -> Value:
        if name not in self._shown:
            raise CompilerBug(f"no argument shows the size {name}")
        memref, mode = self._shown[name]
        return self._builder.size(memref, mode)

    def _arith(self, operator: BinaryOperator, left: Index, right: Index) -> Index:
        """The result; without an instruction where the right operand changes nothing, or both are known."""
        if right == 1 and operator is not BinaryOperator.ADD:
            return left
        return self._builder.arith(operator, left, right)
