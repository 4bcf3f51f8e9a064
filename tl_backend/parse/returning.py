"""Regions of Tiny Tensor Compiler 0.4 that return values: those of `if`, and of loops that carry some.

%y = for %i=%a,%b init(%x=%y0) -> (f64) { … }      ->      memory of one number, which the loop loads and stores
%m = if %c -> (coopmatrix<…>) { … }                ->      memory for the entries, which both regions write
"""

from collections.abc import Iterator
from itertools import zip_longest

from einsum_front.core.diagnostics import Diagnostic
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.parse.cooperative import Cooperation, Index
from einsum_front.tl_backend.parse.program import Attribute
from einsum_front.tl_backend.parse.said import OF_ONE_ITEM, Cooperative, Said, Subscripted
from einsum_front.tl_backend.program import Argument
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType

# -- item entries ------------------------------------------------------------------------------------------------------
# Entries of cooperative matrices that a work-item takes out and puts in, as Tiny Tensor Compiler 0.4 lays them out.
#
# In a sub-group of S work-items, a matrix of M x N has blocks of I = min(M, S) rows. Work-item p has, of each block,
# row p mod I in the columns p / I, p / I + S / I, and so on; a column that the matrix does not have is 0.


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


Returned = ScalarType | Cooperative


class Returning(ItemEntries):
    """Makes nodes of conditions and loops."""

    def __init__(
        self, arguments: tuple[Argument, ...], diagnostics: list[Diagnostic], attributes: tuple[Attribute, ...] = ()
    ) -> None:
        super().__init__(arguments, diagnostics, attributes)
        self._returned: list[list[Returned]] = []
        """What each `if` around returns."""

    def _memories(self, said: Said) -> Iterator[tl.Instruction]:
        """Memory for the matrices that are returned; the types, with it, are the last of `_returned`."""
        found: list[Returned] = []
        for each in said.types:
            match each.value:
                case Cooperative() as matrix:
                    if self._depth:
                        self._fail("E0415", f"a single work-item makes no {matrix}", each.span)
                    made, alloca = self._memory(matrix, said)
                    yield alloca
                    found.append(made)
                case ScalarType() as type_:
                    found.append(type_)
                case MemrefType() | GroupType():
                    self._fail("E0420", f"`{said.words[0]}` returns numbers and matrices", each.span)
        self._returned.append(found)

    def _if(self, said: Said) -> Iterator[tl.Instruction]:
        (operand,) = said.operands
        condition = self._bound(operand, said, ScalarType.BOOL)
        yield from self._memories(said)
        found = self._returned[-1]
        then, *otherwise = (self.region(region) for region in said.regions)
        self._returned.pop()
        for result, type_ in zip(said.results, found, strict=False):
            self._sight[result.name] = type_
        types = tuple(each for each in found if isinstance(each, ScalarType))
        pairs = zip_longest(said.results, found[: len(said.results)])
        results = tuple(result for result, type_ in pairs if not isinstance(type_, Cooperative))
        yield tl.If(results, condition, types, then, otherwise[0] if otherwise else None, said.origin)

    def _yield(self, said: Said) -> Iterator[tl.Instruction]:
        """Numbers are what the `if` returns; entries of a matrix are written to the memory that it has for them."""
        numbers = []
        for each, target in zip_longest(said.operands, self._returned[-1] if self._returned else ()):
            if isinstance(target, Cooperative) and isinstance(each, tl.Local):
                yield from self._given(each, target, said)
            elif each is not None:
                numbers.append(each)
        types = tuple(self._type_of_number(each, said) for each in numbers)
        if types or not said.operands:
            yield tl.Yield(tuple(self._number(each, said) for each in numbers), types, said.origin)

    def _given(self, operand: tl.Local, target: Cooperative, said: Said) -> Iterator[tl.Instruction]:
        matrix = self._cooperative(operand, said)
        if matrix.at(None) != target.at(None):
            self._fail("E0419", f"{matrix} is given, where {target} is returned", said.word)
        yield from self._copied(matrix, target, said)

    def _for(self, said: Said) -> Iterator[tl.Instruction]:
        (variable,), (start, stop, step, *initial) = said.names, said.operands
        type_ = self._type_of_number(start, said)
        first, last, by = (self._bound(each, said, type_) for each in (start, stop, step))
        if not said.carried:
            body = self.region(said.regions[0], **{variable.name: type_})
            yield tl.For(variable, first, last, by, type_, body, said.origin)
            return
        if self._depth:
            self._fail("E0409", "a loop of a single work-item that carries values has no counterpart here", said.word)
        *inside, ending = said.regions[0] or (None,)
        if ending is None or ending.words != ("yield",) or len(ending.operands) != len(said.types):
            self._fail("E0401", "the region of a loop that carries values ends with `yield` of as many", said.word)
        yield from self._memories(said)
        targets = [(each, self._memref_of_one(each, said)) for each in self._returned.pop()]
        for (target, place), value in zip(targets, initial, strict=True):
            if not isinstance(value, tl.Local):
                self._fail("E0401", f"`{said.words[0]}` takes values", said.word)
            if isinstance(target, ScalarType):
                yield tl.Alloca(place, MemrefType(target, (), ()), said.origin)
            yield from self._kept(value, target, place, said)
        known = {name.name: type_ for name, (type_, _) in zip(said.carried, targets, strict=True)}
        self._sight = self._sight.new_child({variable.name: type_, **known})
        self._taken |= {variable.name, *known}
        loop = list(self._turn(said, tuple(inside), ending, targets))
        self._sight = self._sight.parents
        yield tl.For(variable, first, last, by, type_, tuple(loop), said.origin)
        for result, (target, place) in zip(said.results, targets, strict=True):
            self._sight[result.name] = target
            if isinstance(target, ScalarType):
                yield tl.Load(result, place, (), MemrefType(target, (), ()), said.origin)

    def _memref_of_one(self, target: Returned, said: Said) -> tl.Local:
        """The memory of what is carried; that of a matrix is there already."""
        if isinstance(target, Cooperative) and target.place is not None:
            return target.place
        return self._fresh("carried", said.origin)

    def _kept(self, value: tl.Local, target: Returned, place: tl.Local, said: Said) -> Iterator[tl.Instruction]:
        """Writes what is carried to its memory."""
        if isinstance(target, Cooperative):
            yield from self._given(value, target, said)
        else:
            number, memref = self._number(value, said, target), MemrefType(target, (), ())
            yield from self._stored(number, target, place, memref, said.origin)

    def _turn(
        self, said: Said, inside: tuple[Said, ...], ending: Said, targets: list[tuple[Returned, tl.Local]]
    ) -> Iterator[tl.Instruction]:
        """The body of a loop that carries values: what it had, what it does, what it hands on.

        A matrix that takes the place of another is copied first: both may change places.
        """
        for name, (target, place) in zip(said.carried, targets, strict=True):
            if isinstance(target, ScalarType):
                yield tl.Load(name, place, (), MemrefType(target, (), ()), said.origin)
        self._taken |= {result.name for each in inside for result in each.results}
        for each in inside:
            yield from self._instruction(each)
        places = {place.name for _, place in targets}
        values = []
        for operand, (_, place) in zip(ending.operands, targets, strict=True):
            value = operand
            if not isinstance(value, tl.Local):
                self._fail("E0401", "`yield` takes values", ending.word)
            found = self._look_up(value)
            if isinstance(found, Cooperative) and found.place and found.place.name in places - {place.name}:
                copy, alloca = self._memory(found, said)
                yield alloca
                yield from self._copied(found, copy, said)
                value = self._fresh("copy", said.origin)
                self._sight[value.name] = copy
            values.append(value)
        numbers = [
            self._number(value, ending, target) if isinstance(target, ScalarType) else value
            for value, (target, _) in zip(values, targets, strict=True)
        ]
        for value, number, (target, place) in zip(values, numbers, targets, strict=True):
            if isinstance(target, ScalarType):
                yield from self._stored(number, target, place, MemrefType(target, (), ()), said.origin)
            else:
                yield from self._kept(value, target, place, said)
