"""Text of Tiny Tensor Compiler 0.4 that asks which work-item runs, and loops that carry values, in our words.

    parallel { … subgroup_local_id … }      ->      foreach over all work-items of the group
    foreach_tile (%i)=(%a),(%b) as (%n)<=(16) { … }      ->      for over tiles, with the size of each
    %y = for %i=%a,%b init(%x=%y0) -> (f64) { … }      ->      memory of one number, which the loop loads and stores

The numbers of work-items are those that the function says; a function that says none has one. Where nothing asks which
work-item runs, all of them do the same, and one is enough.
"""

from collections.abc import Iterator

from einsum_front.core.diagnostics import Diagnostic, Origin
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.parse.program import Attribute
from einsum_front.tl_backend.parse.said import Said, Subscripted
from einsum_front.tl_backend.parse.sight import Number, Sight
from einsum_front.tl_backend.program import Argument
from einsum_front.tl_backend.types import MemrefType, ScalarType, Type

SUBGROUP = ("subgroup_id", "subgroup_linear_id", "subgroup_local_id")
"""Words that ask which work-item of the group it is."""

Loop = tuple[tl.Local, tl.IndexOperand, tl.IndexOperand, tl.IndexOperand, ScalarType]
"""Variable, start, stop, step and type of a loop."""


class WorkItems(Sight):
    """Makes nodes of regions of work-items, and of loops that carry values."""

    def __init__(
        self, arguments: tuple[Argument, ...], diagnostics: list[Diagnostic], attributes: tuple[Attribute, ...] = ()
    ) -> None:
        super().__init__(arguments, diagnostics)
        said = {str(keyword): numbers for keyword, numbers in attributes}
        self._lanes = said.get("subgroup_size", (1,))[0]
        self._items = said.get("work_group_size", (self._lanes, 1))
        self._depth = 0
        """In how many regions of work-items an instruction stands."""
        self._item: tl.Local | None = None
        """The number of the work-item, where something asks for it."""

    def region(self, said: tuple[Said, ...], **names: Type) -> tl.Region:
        """The instructions of a region in which these names are in sight too."""
        raise NotImplementedError

    def _instruction(self, said: Said) -> Iterator[tl.Instruction]:
        raise NotImplementedError

    def _choice(
        self,
        result: tl.Local,
        condition: tl.Condition,
        compared: tuple[tl.Operand, tl.Operand],
        values: tuple[tl.Operand, tl.Operand],
        type_: ScalarType,
        origin: Origin,
    ) -> Iterator[tl.Instruction]:
        holds = self._fresh("holds", origin)
        yield tl.Compare(holds, condition, *compared, type_, origin)
        then, otherwise = ((tl.Yield((each,), (type_,), origin),) for each in values)
        yield tl.If((result,), holds, (type_,), then, otherwise, origin)

    # -- work-items ----------------------------------------------------------------------------------------------------

    def _subgroups(self, said: Said) -> Iterator[tl.Instruction]:
        """How many sub-groups there are along a mode, or how many work-items are in one: what the function says."""
        result, (word, *mode) = self._result(said), said.words
        counts = {"x": max(self._items[0] // self._lanes, 1), "y": self._items[1], "z": 1}
        number = self._lanes if word == "subgroup_size" else counts.get(mode[0] if mode else "", 1)
        self._sight[result.name] = Number(tl.IntegerConstant(number, (said.word,)), self._scalar_type(said))
        yield from ()

    def _place_in_group(self, said: Said) -> Iterator[tl.Instruction]:
        """The number of the work-item as what is asked of it."""
        result, type_ = self._result(said), self._scalar_type(said)
        if self._item is None:
            message = f"`{said.words[0]}` stands in a region of work-items"
            self._fail("E0415", message, said.word)
        columns = max(self._items[0] // self._lanes, 1)
        word, *mode = said.words
        steps = {
            "subgroup_local_id": (1, self._lanes),
            "subgroup_linear_id": (self._lanes, None),
            "subgroup_id.x": (self._lanes, columns),
            "subgroup_id.y": (self._lanes * columns, None),
            "subgroup_id.z": (self._lanes * columns * self._items[1], None),
        }
        divisor, modulus = steps[word if word != "subgroup_id" else f"{word}.{mode[0] if mode else 'x'}"]
        current: tl.Local = self._item
        for operator, number in ((tl.BinaryOperator.DIV, divisor), (tl.BinaryOperator.REM, modulus)):
            if number is not None:
                local = self._fresh("item", said.origin)
                constant = tl.IntegerConstant(number)
                yield tl.ArithBinary(local, operator, current, constant, ScalarType.INDEX, said.origin)
                current = local
        yield self._value(said, tl.Cast(result, current, ScalarType.INDEX, type_, said.origin))

    def _broadcast(self, said: Said) -> Iterator[tl.Instruction]:
        """A value that all work-items have is that of each of them."""
        value, _ = self._operands(said, 2)
        if self._item is not None:
            message = "`subgroup_broadcast` of what differs between work-items has no counterpart here"
            self._fail("E0409", message, said.word)
        type_ = self._scalar_type(said)
        yield self._value(said, tl.Cast(self._result(said), self._number(value, said), type_, type_, said.origin))

    def _associated(self, said: Said) -> Iterator[tl.Instruction]:
        """Memory of an argument is always there."""
        (operand,) = self._operands(said, 1)
        if not isinstance(operand, tl.Local) or isinstance(self._look_up(operand), ScalarType | Number):
            self._fail("E0420", "`associated` is of a memref or a group", said.word)
        one = tl.IntegerConstant(1, (said.word,))
        self._sight[self._result(said).name] = Number(one, ScalarType.BOOL)
        yield from ()

    def _items_of(self, said: Said, count: int, **names: Type) -> tuple[tl.Local, int, tl.Region]:
        """The region of work-items: run once, or for each of them where something asks which one it is."""
        asks = any(each.words[0] in SUBGROUP for each in _walk(said.regions[0]))
        variable = self._fresh("item" if asks else "once", (said.word,))
        before = self._item
        self._item = variable if asks else None
        self._depth += 1
        body = self.region(said.regions[0], **names, **{variable.name: ScalarType.INDEX})
        self._item, self._depth = before, self._depth - 1
        return variable, count if asks else 1, body

    def _parallel(self, said: Said) -> Iterator[tl.Instruction]:
        variable, count, body = self._items_of(said, self._items[0] * self._items[1])
        stop = tl.IntegerConstant(count)
        yield tl.Foreach(variable, tl.IntegerConstant(0), stop, ScalarType.INDEX, body, said.origin)

    def _foreach_tile(self, said: Said) -> Iterator[tl.Instruction]:
        """Loops over tiles, for each work-item of a sub-group; the last tile of a mode is smaller."""
        count = len(said.names)
        starts, stops, shape = (said.operands[n * count : (n + 1) * count] for n in range(3))
        types = [self._type_of_number(start, said) for start in starts]
        names = {name.name: type_ for name, type_ in zip((*said.names, *said.carried), (*types, *types), strict=True)}
        variable, lanes, body = self._items_of(said, self._lanes, **names)
        for n in reversed(range(count)):
            first, last = (self._bound(each[n], said, types[n]) for each in (starts, stops))
            tile = shape[n]
            if not isinstance(tile, tl.IntegerConstant) or tile.value < 1:
                self._fail("E0401", "the shape of a tile is written in numbers of at least 1", said.word)
            left = self._fresh("left", said.origin)
            rest = tl.ArithBinary(left, tl.BinaryOperator.SUB, last, said.names[n], types[n], said.origin)
            size = self._choice(said.carried[n], tl.Condition.LT, (left, tile), (left, tile), types[n], said.origin)
            body = (tl.For(said.names[n], first, last, tile, types[n], (rest, *size, *body), said.origin),)
        stop = tl.IntegerConstant(lanes)
        yield tl.Foreach(variable, tl.IntegerConstant(0), stop, ScalarType.INDEX, body, said.origin)

    def _carrying(
        self,
        said: Said,
        loop: Loop,
        initial: list[tl.Operand | Subscripted],
    ) -> Iterator[tl.Instruction]:
        """A loop with values from iteration to iteration, which lie in memory meanwhile."""
        if self._depth:
            self._fail("E0409", "a loop of a single work-item that carries values has no counterpart here", said.word)
        types = [each.value for each in said.types if isinstance(each.value, ScalarType)]
        places = [self._fresh("carried", said.origin) for _ in types]
        memrefs = [MemrefType(each, (), ()) for each in types]
        for place, memref, type_, value in zip(places, memrefs, types, initial, strict=False):
            yield tl.Alloca(place, memref, said.origin)
            yield from self._stored(self._number(value, said, type_), type_, place, memref, said.origin)
        variable, first, last, by, counted = loop
        *inside, ending = said.regions[0] or (None,)
        if ending is None or ending.words != ("yield",) or len(ending.operands) != len(types):
            self._fail("E0401", "the region of a loop that carries values ends with `yield` of as many", said.word)
        known = {name.name: type_ for name, type_ in zip(said.carried, types, strict=True)}
        self._sight = self._sight.new_child({variable.name: counted, **known})
        self._taken |= {variable.name, *known}
        body: list[tl.Instruction] = [
            tl.Load(name, place, (), memref, said.origin)
            for name, place, memref in zip(said.carried, places, memrefs, strict=True)
        ]
        inner, values = self._region_and_values(tuple(inside), ending, types)
        body += inner
        for place, memref, type_, value in zip(places, memrefs, types, values, strict=True):
            body += self._stored(value, type_, place, memref, said.origin)
        self._sight = self._sight.parents
        yield tl.For(variable, first, last, by, counted, tuple(body), said.origin)
        for result, place, memref, type_ in zip(said.results, places, memrefs, types, strict=True):
            yield tl.Load(result, place, (), memref, said.origin)
            self._sight[result.name] = type_

    def _region_and_values(
        self, inside: tuple[Said, ...], ending: Said, types: list[ScalarType]
    ) -> tuple[list[tl.Instruction], list[tl.Operand]]:
        """The instructions of a region whose names stay in sight for what it yields."""
        self._taken |= {result.name for each in inside for result in each.results}
        found: list[tl.Instruction] = []
        for each in inside:
            found += self._instruction(each)
        return found, [self._number(each, ending, type_) for each, type_ in zip(ending.operands, types, strict=True)]

    def _stored(
        self, value: tl.Operand, type_: ScalarType, place: tl.Local, memref: MemrefType, origin: Origin
    ) -> Iterator[tl.Instruction]:
        if not isinstance(value, tl.Local):
            local = self._fresh("value", origin)
            yield tl.Cast(local, value, type_, type_, origin)
            value = local
        yield tl.Store(value, place, (), memref, origin)


def _walk(said: tuple[Said, ...]) -> Iterator[Said]:
    """All instructions, those of regions too."""
    for each in said:
        yield each
        for region in each.regions:
            yield from _walk(region)
