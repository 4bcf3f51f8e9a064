"""Text of Tiny Tensor Compiler 0.4 that asks which work-item runs, in our words.

    parallel { … subgroup_local_id … }      ->      foreach over all work-items of the group
    foreach_tile (%i)=(%a),(%b) as (%n)<=(16) { … }      ->      for over tiles, with the size of each

The numbers of work-items are those that the function says; a function that says none has one. Where nothing asks which
work-item runs, all of them do the same, and one is enough.
"""

from collections.abc import Callable, Iterator

from einsum_front.core.diagnostics import Diagnostic, Origin
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.parse.program import Attribute
from einsum_front.tl_backend.parse.said import Said, asks_for_item, is_cooperative, walk
from einsum_front.tl_backend.parse.sight import Number, Sight
from einsum_front.tl_backend.program import Argument
from einsum_front.tl_backend.types import MemrefType, ScalarType, Type


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
        self._ahead: list[tl.Instruction] = []
        """Memory for what work-items of a region make together."""

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

    def _for_items(
        self, said: Said, count: int, around: Callable[[tl.Region], tl.Region], **names: Type
    ) -> Iterator[tl.Instruction]:
        """The region of work-items: for each of them where something asks which one it is, else once.

        With cooperative matrices, all work-items run it together. `around` says what stands around the region.
        """
        inside = list(walk(said.regions[0]))
        asks = any(map(asks_for_item, inside))
        is_together = not asks and not self._depth and any(map(is_cooperative, inside))
        variable = self._fresh("item" if asks else "once", (said.word,))
        before = self._item
        self._item = variable if asks else None
        self._depth += not is_together
        body = around(self.region(said.regions[0], **names, **{variable.name: ScalarType.INDEX}))
        self._item, self._depth = before, self._depth - (not is_together)
        ahead, self._ahead = self._ahead, []
        yield from ahead
        start, stop = tl.IntegerConstant(0), tl.IntegerConstant(count if asks else 1)
        if is_together:
            yield tl.For(variable, start, stop, tl.IntegerConstant(1), ScalarType.INDEX, body, said.origin)
        else:
            yield tl.Foreach(variable, start, stop, ScalarType.INDEX, body, said.origin)

    def _parallel(self, said: Said) -> Iterator[tl.Instruction]:
        yield from self._for_items(said, self._items[0] * self._items[1], lambda body: body)

    def _foreach_tile(self, said: Said) -> Iterator[tl.Instruction]:
        """Loops over tiles, for each work-item of a sub-group; the last tile of a mode is smaller."""
        count = len(said.names)
        starts, stops, shape = (said.operands[n * count : (n + 1) * count] for n in range(3))
        types = [self._type_of_number(start, said) for start in starts]
        names = {name.name: type_ for name, type_ in zip((*said.names, *said.carried), (*types, *types), strict=True)}

        def tiled(body: tl.Region) -> tl.Region:
            for n in reversed(range(count)):
                first, last = (self._bound(each[n], said, types[n]) for each in (starts, stops))
                tile = shape[n]
                if not isinstance(tile, tl.IntegerConstant) or tile.value < 1:
                    self._fail("E0401", "the shape of a tile is written in numbers of at least 1", said.word)
                left = self._fresh("left", said.origin)
                rest = tl.ArithBinary(left, tl.BinaryOperator.SUB, last, said.names[n], types[n], said.origin)
                size = self._choice(said.carried[n], tl.Condition.LT, (left, tile), (left, tile), types[n], said.origin)
                body = (tl.For(said.names[n], first, last, tile, types[n], (rest, *size, *body), said.origin),)
            return body

        yield from self._for_items(said, self._lanes, tiled, **names)

    def _stored(
        self, value: tl.Operand, type_: ScalarType, place: tl.Local, memref: MemrefType, origin: Origin
    ) -> Iterator[tl.Instruction]:
        if not isinstance(value, tl.Local):
            local = self._fresh("value", origin)
            yield tl.Cast(local, value, type_, type_, origin)
            value = local
        yield tl.Store(value, place, (), memref, origin)
