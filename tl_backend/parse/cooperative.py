"""Cooperative matrices of Tiny Tensor Compiler 0.4, as plain tensors in memory that all work-items share.

    %d = cooperative_matrix_mul_add %a, %b, %c : …      ->      %matrix3 = alloca …, entries of %c, then a `gemm`

A matrix never changes once it is made: each has memory of its own, and a value is a name of that memory. What is done
with entries is said as a `foreach` over them, in the words of the dialect. All work-items of a group do the same, so
such a region is run once; one that asks which work-item runs may only take entries out and put entries in.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from einsum_front.core.diagnostics import Origin
from einsum_front.core.parsing import Placed
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.parse.said import OF_ONE_ITEM, PREFIX, Cooperative, Said, Subscripted
from einsum_front.tl_backend.parse.sight import Number
from einsum_front.tl_backend.parse.work_items import WorkItems
from einsum_front.tl_backend.types import ScalarType, Type

CHECKS = {"rows_checked": (True, False), "cols_checked": (False, True), "both_checked": (True, True)}
"""Whether rows and columns of the matrix are compared with the memory."""
MEMORY = ("cross_device", "device", "work_group", "subgroup", "relaxed", "acquire", "release", "acquire_release",
          "sequentially_consistent")  # fmt: skip
"""Flags about the order of what several groups see; one entry is read and written whole anyway."""

Index = tuple[tl.Local, tl.Local]
"""Row and column of an entry."""
Computed = tuple[tuple[Said, ...], tl.Local]
"""Instructions, and the value that they compute."""
Entry = Callable[[Index], Computed]
"""How an entry is computed."""


class Cooperation(WorkItems):
    """Makes nodes of what is done with cooperative matrices."""

    def _matrix_instruction(self, said: Said) -> Iterator[tl.Instruction]:
        """An instruction with a matrix as operand or result, but for `if` and `for`."""
        kind = said.words[0].removeprefix(PREFIX)
        if self._depth and said.words[0] not in OF_ONE_ITEM:
            message = f"`{said.words[0]}` stands where work-items do different things"
            self._fail("E0415", message, said.word, "work-items have a cooperative matrix together")
        if not said.words[0].startswith(PREFIX):
            yield from self._componentwise(said)
            return
        match kind:
            case "apply":
                yield from self._apply(said)
            case "construct" | "scale":
                yield from self._componentwise(said)
            case "load" | "atomic_load":
                yield from self._matrix_load(said)
            case "store" | "atomic_store":
                yield from self._matrix_store(said)
            case "mul_add":
                yield from self._mul_add(said)
            case "reduce_add" | "reduce_max" | "reduce_min":
                yield from self._reduced(said)
            case "extract" | "insert":
                yield from self._of_one_item(said)
            case "prefetch":
                return
            case _:  # open: any word of the text
                self._fail("E0403", f"there is no instruction `{said.words[0]}`", said.word)

    # -- matrices and their memory -------------------------------------------------------------------------------------

    def _cooperative(self, operand: tl.Operand | Subscripted, said: Said) -> Cooperative:
        found = self._look_up(operand) if isinstance(operand, tl.Local) else None
        if not isinstance(found, Cooperative):
            self._fail("E0420", f"`{said.words[0]}` takes a cooperative matrix here", said.word)
        return found

    def _matrix_type(self, said: Said) -> Cooperative:
        type_ = self._annotation(said)
        if not isinstance(type_.value, Cooperative):
            self._fail("E0420", f"`{said.words[0]}` returns a cooperative matrix", type_.span)
        return type_.value

    def _memory(self, type_: Cooperative, at: Said) -> tuple[Cooperative, tl.Alloca]:
        """The type with memory of its own for the entries."""
        place = self._fresh("matrix", at.origin)
        self._sight.maps[-1][place.name] = type_.memref
        return type_.at(place), tl.Alloca(place, type_.memref, at.origin)

    def _copied(self, source: Cooperative, target: Cooperative, at: Said) -> Iterator[tl.Instruction]:
        """Writes the entries of one matrix to the memory of another, whose numbers may be of another type."""
        yield from self._filled(target, at, lambda index: self._loaded(source, index, at, target.element))

    def _filled(self, target: Cooperative, at: Said, entry: Entry) -> Iterator[tl.Instruction]:
        """Writes all entries."""
        index = self._fresh("row", at.origin), self._fresh("column", at.origin)
        inside, value = entry(index)
        body = (*inside, self._say(at, "store", None, (value, self._at(target, index))))
        yield from self._instruction(self._over_entries(target, index, body, at))

    def _over_entries(self, matrix: Cooperative, index: Index, body: tuple[Said, ...], at: Said) -> Said:
        zero = tl.IntegerConstant(0)
        bounds = (zero, zero, tl.IntegerConstant(matrix.rows), tl.IntegerConstant(matrix.columns))
        return Said(("foreach",), at.word, at.origin, operands=bounds, names=index, regions=(body,))

    def _at(self, matrix: Cooperative, index: Index) -> Subscripted:
        assert matrix.place is not None
        return Subscripted(matrix.place, tuple(map(tl.Position, index)), matrix.place.origin)

    def _loaded(self, matrix: Cooperative, index: Index, at: Said, type_: ScalarType | None = None) -> Computed:
        """An entry, in another type if one is given."""
        load = self._say(at, "load", self._fresh("entry", at.origin), (self._at(matrix, index),), matrix.element)
        if type_ in (None, matrix.element):
            return (load,), load.results[0]
        cast = self._say(at, "cast", self._fresh("entry", at.origin), load.results, type_)
        return (load, cast), cast.results[0]

    def _say(
        self, at: Said, word: str, result: tl.Local | None, operands: tuple[tl.Operand | Subscripted, ...],
        type_: Type | None = None,
    ) -> Said:  # fmt: skip
        """An instruction of the dialect that stands for a part of another one."""
        results = () if result is None else (result,)
        types = () if type_ is None else (Placed[Type | Cooperative](type_, at.word),)
        return Said((word,), at.word, at.origin, results, operands, types)

    def _known(self, value: float, type_: ScalarType, origin: Origin) -> tl.Local:
        """A name for a number."""
        local = self._fresh("number", origin)
        constant = tl.FloatConstant(float(value), origin) if type_.is_floating else tl.IntegerConstant(int(value))
        self._sight[local.name] = Number(constant, type_)
        return local

    def _of_one_item(self, said: Said) -> Iterator[tl.Instruction]:
        """What a work-item does with the entries that it has."""
        raise NotImplementedError

    # -- operations ----------------------------------------------------------------------------------------------------

    def _made(self, said: Said, entry: Entry) -> Iterator[tl.Instruction]:
        """A new matrix, of the type that is written, whose entries are computed."""
        made, alloca = self._memory(self._matrix_type(said), said)
        yield alloca
        yield from self._filled(made, said, entry)
        self._sight[self._result(said).name] = made

    def _componentwise(self, said: Said) -> Iterator[tl.Instruction]:
        """Arithmetic, casts and numbers for all entries: each entry is computed of entries and numbers."""
        type_ = self._matrix_type(said)
        word = {"construct": "cast", "scale": "mul"}.get(said.words[0].removeprefix(PREFIX), said.words[-1])
        matrices = []
        for each in said.operands:
            found = self._look_up(each) if isinstance(each, tl.Local) else None
            matrices.append(found if isinstance(found, Cooperative) else None)
        for matrix in filter(None, matrices):
            becomes = matrix.use == "matrix_acc" and word == "cast"
            if (matrix.rows, matrix.columns) != (type_.rows, type_.columns) or not (becomes or matrix.use == type_.use):
                message = f"`{said.words[0]}` of {matrix} is no {type_}"
                self._fail("E0441", message, said.word)
            if word != "cast" and matrix.element is not type_.element:
                self._fail("E0420", f"`{said.words[0]}` of {matrix} is no {type_}", said.word)
        if said.words[0] == f"{PREFIX}construct" and self._type_of_number(said.operands[0], said) is not type_.element:
            self._fail("E0420", f"a {type_} is made of a number of {type_.element.value}", said.word)

        def entry(index: Index) -> Computed:
            inside: list[Said] = []
            operands: list[tl.Operand | Subscripted] = []
            for operand, matrix in zip(said.operands, matrices, strict=True):
                load, value = ((), operand) if matrix is None else self._loaded(matrix, index, said)
                inside += load
                operands.append(value)
            result = self._fresh("entry", said.origin)
            return (*inside, self._say(said, word, result, tuple(operands), type_.element)), result

        yield from self._made(said, entry)

    def _apply(self, said: Said) -> Iterator[tl.Instruction]:
        """The region is that of one entry."""
        matrix = self._cooperative(said.operands[0], said)
        if matrix != self._matrix_type(said).at(matrix.place):
            self._fail("E0420", f"`{said.words[0]}` returns a matrix of the type of its operand, {matrix}", said.word)
        if len(said.names) != 3:
            self._fail("E0401", f"`{said.words[0]}` names a row, a column and an entry", said.word)
        *inside, ending = said.regions[0] or (None,)
        if ending is None or ending.words != ("yield",) or len(ending.operands) != 1:
            self._fail("E0401", f"the region of `{said.words[0]}` ends with `yield` of one value", said.word)
        (value,) = ending.operands
        row, column, entry = said.names

        if not isinstance(value, tl.Local):
            self._fail("E0401", "`yield` takes values", ending.word)

        def computed(index: Index) -> Computed:
            numbers = (
                self._say(said, "cast", name, (each,), ScalarType.I32)
                for name, each in zip((row, column), index, strict=True)
            )
            load = self._say(said, "load", entry, (self._at(matrix, index),), matrix.element)
            return (*numbers, load, *inside), value

        yield from self._made(said, computed)

    def _mul_add(self, said: Said) -> Iterator[tl.Instruction]:
        """`D := A B + C`, as a product in the numbers of D."""
        type_ = self._matrix_type(said)
        a, b, c = (self._cooperative(each, said) for each in self._operands(said, 3))
        uses = tuple(each.use for each in (a, b, c, type_))
        if uses != ("matrix_a", "matrix_b", "matrix_acc", "matrix_acc"):
            self._fail(
                "E0420", "a product is of a matrix_a, a matrix_b and a matrix_acc, and is a matrix_acc", said.word
            )
        if a.columns != b.rows or {(c.rows, c.columns), (type_.rows, type_.columns)} != {(a.rows, b.columns)}:
            self._fail("E0441", f"{a} times {b} plus {c} is no {type_}", said.word)
        if a.rows % self._lanes:
            message = f"{a.rows} rows are no multiple of the sub-group size, {self._lanes}"
            self._fail("E0448", message, said.word)
        made, alloca = self._memory(type_, said)
        yield alloca
        yield from self._copied(c, made, said)
        factors = []
        for each in (a, b):
            factor = each
            if each.element is not type_.element:
                factor, memory = self._memory(replace(each, element=type_.element), said)
                yield memory
                yield from self._copied(each, factor, said)
            factors.append(factor.place)
        one = self._known(1, type_.element, said.origin)
        operands = (one, *(each for each in factors if each is not None), one, *filter(None, (made.place,)))
        yield from self._instruction(self._say(said, "gemm", None, operands))
        self._sight[self._result(said).name] = made

    def _reduced(self, said: Said) -> Iterator[tl.Instruction]:
        """Sums or extrema of rows or columns: the first entry, then the others one after the other."""
        (operand,) = self._operands(said, 1)
        matrix, type_ = self._cooperative(operand, said), self._matrix_type(said)
        is_row = said.words[1:] == ("row",)
        if not is_row and said.words[1:] != ("column",):
            self._fail("E0401", f"expected `{said.words[0]}.row` or `{said.words[0]}.column`", said.word)
        shape = (matrix.rows, 1) if is_row else (1, matrix.columns)
        if type_ != Cooperative(matrix.element, *shape, matrix.use):
            self._fail("E0441", f"`{'.'.join(said.words)}` of {matrix} is no {type_}", said.word)
        if matrix.rows % self._lanes:
            message = f"{matrix.rows} rows are no multiple of the sub-group size, {self._lanes}"
            self._fail("E0448", message, said.word)
        made, alloca = self._memory(type_, said)
        yield alloca
        yield from self._filled(made, said, lambda index: self._loaded(matrix, index, said))
        index = self._fresh("row", said.origin), self._fresh("column", said.origin)
        other = self._fresh("other", said.origin)
        before, reduced = self._loaded(made, index, said)
        load, entry = self._loaded(matrix, (index[0], other) if is_row else (other, index[1]), said)
        result = self._fresh("entry", said.origin)
        step = self._say(said, said.words[0].rpartition("_")[2], result, (reduced, entry), matrix.element)
        body = (*before, *load, step, self._say(said, "store", None, (result, self._at(made, index))))
        one, count = tl.IntegerConstant(1), tl.IntegerConstant(matrix.columns if is_row else matrix.rows)
        loop = Said(("for",), said.word, said.origin, (), (one, count, one), (), (other,), (body,))
        yield from self._instruction(self._over_entries(made, index, (loop,), said))
        self._sight[self._result(said).name] = made

    # -- memory of others ----------------------------------------------------------------------------------------------

    def _checked_place(
        self, said: Said, place: tl.Operand | Subscripted, matrix: Cooperative, index: Index
    ) -> tuple[list[Said], Subscripted, tl.Local | None]:
        """Where an entry of the matrix lies in memory, and whether it does; with the instructions before."""
        if not isinstance(place, Subscripted) or len(place.subscripts) != 2:
            self._fail("E0401", f"`{said.words[0]}` takes a place in a matrix, as `%A[%x, %y]`", said.word)
        memref = self._memref(place.value)
        if memref.order != 2:
            self._fail("E0440", f"`{said.words[0]}` is of a memref of rank 2", said.word)
        if memref.element is not matrix.element:
            self._fail("E0420", f"a memref of {memref.element.value} has no entries of {matrix}", said.word)
        flags = [flag for flag in said.words[1:] if flag not in ("n", "t", *MEMORY)]
        if len(flags) > 1 or not set(flags) <= set(CHECKS):
            self._fail("E0401", f"`{'.'.join(said.words)}` has a flag that is none, or too many", said.word)
        is_turned = "t" in said.words[1:]
        starts = self._indices(place, said)
        numbers = tuple(reversed(index)) if is_turned else index
        checks = CHECKS[flags[0]] if flags else (False, False)
        before: list[Said] = []
        positions: list[tl.Local] = []
        holds: tl.Local | None = None
        for mode, (start, number) in enumerate(zip(starts, numbers, strict=True)):
            if isinstance(start, tl.IntegerConstant):
                start = self._known(start.value, ScalarType.INDEX, said.origin)  # noqa: PLW2901
            position = self._fresh("position", said.origin)
            before.append(self._say(said, "add", position, (start, number), ScalarType.INDEX))
            positions.append(position)
            if not (tuple(reversed(checks)) if is_turned else checks)[mode]:
                continue
            size = self._fresh("size", said.origin)
            at_mode = Subscripted(place.value, (tl.Position(tl.IntegerConstant(mode)),), place.origin)
            before.append(self._say(said, "size", size, (at_mode,), ScalarType.INDEX))
            zero = self._known(0, ScalarType.INDEX, said.origin)
            for word, pair in (("less_than_equal", (zero, position)), ("less_than", (position, size))):
                is_inside = self._fresh("inside", said.origin)
                before.append(self._say(said, word, is_inside, pair, ScalarType.BOOL))
                if holds is not None:
                    both = self._fresh("inside", said.origin)
                    before.append(self._say(said, "and", both, (holds, is_inside), ScalarType.BOOL))
                    is_inside = both
                holds = is_inside
        return before, Subscripted(place.value, tuple(map(tl.Position, positions)), place.origin), holds

    def _matrix_load(self, said: Said) -> Iterator[tl.Instruction]:
        (place,), type_ = self._operands(said, 1), self._matrix_type(said)

        def entry(index: Index) -> Computed:
            before, at, holds = self._checked_place(said, place, type_, index)
            load = self._say(said, "load", self._fresh("entry", said.origin), (at,), type_.element)
            if holds is None:
                return (*before, load), load.results[0]
            zero = self._known(0, type_.element, said.origin)
            choice = self._chosen_entry(said, self._fresh("entry", said.origin), holds, load, zero)
            return (*before, choice), choice.results[0]

        yield from self._made(said, entry)

    def _matrix_store(self, said: Said) -> Iterator[tl.Instruction]:
        operand, place = self._operands(said, 2)
        matrix = self._cooperative(operand, said)
        index = self._fresh("row", said.origin), self._fresh("column", said.origin)
        before, at, holds = self._checked_place(said, place, matrix, index)
        load, value = self._loaded(matrix, index, said)
        body = (*load, self._say(said, "store", None, (value, at)))
        if holds is not None:
            body = (Said(("if",), said.word, said.origin, (), (holds,), (), (), (body,)),)
        yield from self._instruction(self._over_entries(matrix, index, (*before, *body), said))

    def _chosen_entry(self, said: Said, result: tl.Local, holds: tl.Local, load: Said, zero: tl.Local) -> Said:
        """What `load` reads where the condition holds, else 0."""
        branches = ((load, self._say(said, "yield", None, load.results)), (self._say(said, "yield", None, (zero,)),))
        return Said(("if",), said.word, said.origin, (result,), (holds,), load.types, (), branches)
