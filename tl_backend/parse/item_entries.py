"""Entries of cooperative matrices that a work-item takes out and puts in, as Tiny Tensor Compiler 0.4 lays them out.

In a sub-group of S work-items, a matrix of M x N has blocks of I = min(M, S) rows. Work-item p has, of each block, row
p mod I in the columns p / I, p / I + S / I, and so on; a column that the matrix does not have is 0.
"""

from collections.abc import Iterator

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.parse.cooperative import Cooperation, Index
from einsum_front.tl_backend.parse.said import OF_ONE_ITEM, Cooperative, Said, Subscripted
from einsum_front.tl_backend.types import ScalarType


class ItemEntries(Cooperation):
    """Makes nodes of what a work-item does with its entries of a matrix."""

    def _of_one_item(self, said: Said) -> Iterator[tl.Instruction]:
        """The entry of a matrix at a place of the vector that the work-item has of it, as 0.4 lays matrices out."""
        is_insert = said.words[0] == OF_ONE_ITEM[1]
        place = self._operands(said, 1 + is_insert)[-1]
        if not isinstance(place, Subscripted) or len(place.subscripts) != 1:
            self._fail("E0401", f"`{said.words[0]}` takes a matrix and a number, as `%m[0]`", said.word)
        matrix, item = self._cooperative(place.value, said), self._item
        if item is None:
            self._fail("E0415", f"`{said.words[0]}` stands in a region of work-items", said.word)
        width = 4 // matrix.element.size
        if matrix.use == "matrix_b" or (matrix.use == "matrix_a" and width > 1 and not matrix.columns % width):
            self._fail("E0409", f"which entries of {matrix} a work-item has is open", said.word)
        (subscript,) = place.subscripts
        number = subscript.index if isinstance(subscript, tl.Position) else None
        length = self._columns_held(matrix) * -(-matrix.rows // self._lanes)
        if not isinstance(number, tl.IntegerConstant) or not 0 <= number.value < length:
            self._fail("E0437", f"a work-item has entries 0 to {length - 1} of {matrix}", said.word)
        lane = self._fresh("lane", said.origin)
        lanes = tl.IntegerConstant(self._lanes)
        yield tl.ArithBinary(lane, tl.BinaryOperator.REM, item, lanes, ScalarType.INDEX, said.origin)
        self._sight[lane.name] = ScalarType.INDEX
        if is_insert:
            yield from self._inserted(said, matrix, range(length), number.value, lane)
            return
        if self._scalar_type(said) is not matrix.element:
            self._fail("E0420", f"an entry of {matrix} is of {matrix.element.value}", said.types[0].span)
        before, index, holds = self._held(said, matrix, number.value, lane)
        (load,), _ = self._loaded(matrix, index, said)
        zero = self._known(0, matrix.element, said.origin)
        for each in (*before, self._chosen_entry(said, self._result(said), holds, load, zero)):
            yield from self._instruction(each)

    def _inserted(
        self, said: Said, matrix: Cooperative, numbers: range, changed: int, lane: tl.Local
    ) -> Iterator[tl.Instruction]:
        """Each work-item writes the entries that it has; the memory is there before the region of work-items."""
        if self._items != (self._lanes, 1):
            self._fail("E0409", "a matrix of each of several sub-groups has no counterpart here", said.word)
        if self._matrix_type(said) != matrix.at(None):
            self._fail("E0420", f"`{said.words[0]}` returns a matrix of the type of its operand", said.types[0].span)
        value = said.operands[0]
        if self._type_of_number(value, said) is not matrix.element:
            self._fail("E0420", f"an entry of {matrix} is of {matrix.element.value}", said.word)
        made, alloca = self._memory(matrix, said)
        self._ahead.append(alloca)
        for number in numbers:
            before, index, holds = self._held(said, matrix, number, lane)
            load, kept = self._loaded(matrix, index, said)
            store = self._say(said, "store", None, (value if number == changed else kept, self._at(made, index)))
            region = (store,) if number == changed else (*load, store)
            for each in (*before, Said(("if",), said.word, said.origin, operands=(holds,), regions=(region,))):
                yield from self._instruction(each)
        self._sight[self._result(said).name] = made

    def _columns_held(self, matrix: Cooperative) -> int:
        """How many columns of a block of rows a work-item has entries of."""
        rows = min(matrix.rows, self._lanes)
        return -(-matrix.columns * rows // self._lanes)

    def _held(self, said: Said, matrix: Cooperative, number: int, lane: tl.Local) -> tuple[list[Said], Index, tl.Local]:
        """Row and column of the entry that a work-item has at a place of its vector, and whether there is one."""
        rows = min(matrix.rows, self._lanes)
        block, column = divmod(number, self._columns_held(matrix))
        steps = (("rem", rows, "add", block * rows), ("div", rows, "add", column * (self._lanes // rows)))
        before: list[Said] = []
        found = []
        for word, divisor, other, offset in steps:
            current = lane
            for operator, amount in ((word, divisor), (other, offset)):
                local, known = self._fresh("place", said.origin), self._known(amount, ScalarType.INDEX, said.origin)
                before.append(self._say(said, operator, local, (current, known), ScalarType.INDEX))
                current = local
            found.append(current)
        holds = self._fresh("inside", said.origin)
        columns = self._known(matrix.columns, ScalarType.INDEX, said.origin)
        before.append(self._say(said, "less_than", holds, (found[1], columns), ScalarType.BOOL))
        return before, (found[0], found[1]), holds
