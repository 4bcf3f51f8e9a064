"""What text of Tiny Tensor Compiler 0.4 says, as nodes: the types of operands are those of the values in sight."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from einsum_front.core.diagnostics import Diagnostic
from einsum_front.core.functions import Function as FunctionOfEntries
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.parse.program import Attribute
from einsum_front.tl_backend.parse.returning import Returning
from einsum_front.tl_backend.parse.said import SUBGROUP, Said, ShapeOfMode, Subscripted, is_cooperative, is_refused
from einsum_front.tl_backend.parse.sight import Forgiven, Number
from einsum_front.tl_backend.parse.tokens import number_of
from einsum_front.tl_backend.program import Argument
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType, Type

MATH = {
    "abs": FunctionOfEntries.ABS,
    "exp": FunctionOfEntries.EXP,
    "exp2": FunctionOfEntries.EXP2,
    "log": FunctionOfEntries.LOG,
    "log2": FunctionOfEntries.LOG2,
    "native_exp": FunctionOfEntries.EXP,
    "native_exp2": FunctionOfEntries.EXP2,
    "native_log": FunctionOfEntries.LOG,
    "native_log2": FunctionOfEntries.LOG2,
}
EXTREMA = {"max": (FunctionOfEntries.MAX, tl.Condition.GT), "min": (FunctionOfEntries.MIN, tl.Condition.LT)}
"""The function of real numbers, and when the first of two integers is taken."""

CONDITIONS = {
    "equal": tl.Condition.EQ,
    "not_equal": tl.Condition.NE,
    "greater_than": tl.Condition.GT,
    "greater_than_equal": tl.Condition.GE,
    "less_than": tl.Condition.LT,
    "less_than_equal": tl.Condition.LE,
}
COLLECTIVES: dict[str, tuple[type[tl.Collective], int, int]] = {
    "axpby": (tl.Axpby, 1, 1),
    "gemm": (tl.Gemm, 2, 2),
    "gemv": (tl.Gemv, 1, 2),
    "ger": (tl.Ger, 0, 2),
    "hadamard": (tl.HadamardProduct, 0, 2),
    "sum": (tl.Sum, 1, 1),
}
"""The class, the number of transposes and the number of inputs."""


class Meaning(Returning):
    """Makes nodes of what is said."""

    def __init__(
        self,
        arguments: tuple[Argument, ...],
        diagnostics: list[Diagnostic],
        attributes: tuple[Attribute, ...] = (),
        members: dict[str, int | None] | None = None,
    ) -> None:
        super().__init__(arguments, diagnostics, attributes)
        self._members = members or {}
        self._methods: dict[str, Callable[[Said], Iterator[tl.Instruction]]] = {
            "alloca": self._alloca,
            "barrier": self._barrier,
            "cast": self._cast,
            "constant": self._constant,
            "expand": self._expand,
            "for": self._for,
            "foreach": self._foreach,
            "fuse": self._fuse,
            "group_id": self._launch,
            "if": self._if,
            "lifetime_stop": self._lifetime_stop,
            "load": self._load,
            "num_groups": self._launch,
            "parallel": self._parallel,
            "size": self._size,
            "store": self._store,
            "subview": self._subview,
            "yield": self._yield,
            **dict.fromkeys(COLLECTIVES, self._collective),
            **dict.fromkeys(CONDITIONS, self._compare),
            "associated": self._associated,
            "atomic_load": self._load,
            "atomic_store": self._store,
            "foreach_tile": self._foreach_tile,
            "num_subgroups": self._subgroups,
            "subgroup_broadcast": self._broadcast,
            "subgroup_size": self._subgroups,
            **dict.fromkeys(SUBGROUP, self._place_in_group),
            **dict.fromkeys(MATH, self._math),
            **dict.fromkeys(EXTREMA, self._extremum),
            **{operator.value: self._binary for operator in tl.BinaryOperator},
            **{operator.value: self._unary for operator in tl.UnaryOperator},
        }

    def body(self, said: tuple[Said, ...], arguments: tuple[Argument, ...]) -> tl.Region:
        """The instructions of a function; an argument that is a condition is an integer, and compared first."""
        head: list[tl.Instruction] = []
        for each in arguments:
            if each.type is ScalarType.BOOL:
                local = self._fresh(each.name.name, each.origin)
                zero = tl.IntegerConstant(0)
                head.append(tl.Compare(local, tl.Condition.NE, each.name, zero, ScalarType.I8, each.origin))
                self._others[each.name.name] = local.name
        return (*head, *self.region(said))

    def region(self, said: tuple[Said, ...], **names: Type) -> tl.Region:
        """The instructions of a region in which these names are in sight too."""
        self._sight = self._sight.new_child(dict(names))
        self._taken |= set(names) | {result.name for each in said for result in each.results}
        found: list[tl.Instruction] = []
        for each in said:
            try:
                found += self._instruction(each)
            except Forgiven:
                for result in each.results:
                    self._sight[result.name] = None
        self._sight = self._sight.parents
        return tuple(found)

    def _instruction(self, said: Said) -> Iterator[tl.Instruction]:
        word = said.words[1] if said.words[0] == "arith" and len(said.words) > 1 else said.words[0]
        method = self._methods.get(word)
        if is_refused(word):
            self._fail("E0409", f"`{word}` of Tiny Tensor Compiler 0.4 has no counterpart here", said.word)
        if is_cooperative(said) and word not in ("for", "if"):
            method = self._matrix_instruction
        if method is None:
            self._fail("E0403", f"there is no instruction `{word}`", said.word)
        yield from method(said)

    # -- values --------------------------------------------------------------------------------------------------------

    def _constant(self, said: Said) -> Iterator[tl.Instruction]:
        result, type_ = self._result(said), self._scalar_type(said)
        (value,) = self._operands(said, 1)
        value = number_of(value, type_) if isinstance(value, tl.Constant) else value
        if not isinstance(value, tl.Constant):
            self._fail("E0401", "expected a number", said.word)
        if isinstance(value, tl.FloatConstant) and not type_.is_floating:
            self._fail("E0423", f"a floating-point constant of type {type_.value}", value.origin[0])
        if isinstance(value, tl.ComplexConstant) and not type_.is_complex:
            self._fail("E0423", f"a complex constant of type {type_.value}", value.origin[0])
        self._sight[result.name] = Number(value, type_)
        yield from ()

    def _launch(self, said: Said) -> Iterator[tl.Instruction]:
        result, (word, *mode) = self._result(said), said.words
        if mode not in (["x"], ["y"], ["z"]):
            self._fail("E0401", f"expected `{word}.x`, `{word}.y` or `{word}.z`", said.word)
        if mode != ["x"]:
            number = tl.IntegerConstant(0 if word == "group_id" else 1, (said.word,))
            self._sight[result.name] = Number(number, self._scalar_type(said))
            return
        node = tl.GroupId if word == "group_id" else tl.GroupSize
        yield self._value(said, node(result, said.origin))

    def _alloca(self, said: Said) -> Iterator[tl.Instruction]:
        type_ = self._annotation(said)
        if not isinstance(type_.value, MemrefType):
            self._fail("E0420", "`alloca` returns a memref", type_.span)
        yield self._value(said, tl.Alloca(self._result(said), type_.value, said.origin))

    def _binary(self, said: Said) -> Iterator[tl.Instruction]:
        operator, type_ = tl.BinaryOperator(said.words[-1]), self._scalar_type(said)
        left, right = (self._number(each, said, type_) for each in self._operands(said, 2))
        zeros = [each for each in (left, right) if isinstance(each, tl.IntegerConstant) and each.value == 0]
        if operator is tl.BinaryOperator.MUL and zeros and type_.is_integer:  # so that a quotient by it is seen
            self._sight[self._result(said).name] = Number(tl.IntegerConstant(0, (said.word,)), type_)
            return
        yield self._value(said, tl.ArithBinary(self._result(said), operator, left, right, type_, said.origin))

    def _unary(self, said: Said) -> Iterator[tl.Instruction]:
        operator, (given,) = tl.UnaryOperator(said.words[-1]), self._operands(said, 1)
        type_ = self._computed(operator in (tl.UnaryOperator.IM, tl.UnaryOperator.RE), given, said)
        operand = self._number(given, said, type_)
        yield self._value(said, tl.ArithUnary(self._result(said), operator, operand, type_, said.origin))

    def _computed(self, is_real: bool, operand: tl.Operand | Subscripted, said: Said) -> ScalarType:
        """The type that is computed in: that of the operand where the result is the real type of it."""
        return self._type_of_number(operand, said) if is_real else self._scalar_type(said)

    def _math(self, said: Said) -> Iterator[tl.Instruction]:
        (given,) = self._operands(said, 1)
        type_ = self._computed(said.words[-1] == "abs", given, said)
        operand = self._number(given, said, type_)
        if not type_.is_integer:
            node = tl.MathCall(self._result(said), MATH[said.words[-1]], (operand,), type_, said.origin)
            yield self._value(said, node)
            return
        if said.words[-1] != "abs":
            self._fail("E0420", f"`{said.words[-1]}` is of floating-point numbers", said.word)
        negated = self._fresh("negated", said.origin)
        yield tl.ArithUnary(negated, tl.UnaryOperator.NEG, operand, type_, said.origin)
        yield from self._chosen(said, tl.Condition.LT, (operand, tl.IntegerConstant(0)), (negated, operand), type_)

    def _extremum(self, said: Said) -> Iterator[tl.Instruction]:
        type_ = self._scalar_type(said)
        left, right = (self._number(each, said, type_) for each in self._operands(said, 2))
        function, condition = EXTREMA[said.words[-1]]
        if type_.is_floating:
            yield self._value(said, tl.MathCall(self._result(said), function, (left, right), type_, said.origin))
            return
        yield from self._chosen(said, condition, (left, right), (left, right), type_)

    def _chosen(
        self,
        said: Said,
        condition: tl.Condition,
        compared: tuple[tl.Operand, tl.Operand],
        values: tuple[tl.Operand, tl.Operand],
        type_: ScalarType,
    ) -> Iterator[tl.Instruction]:
        """The first of two values where a comparison holds, else the second."""
        yield from self._choice(self._result(said), condition, compared, values, type_, said.origin)
        self._sight[self._result(said).name] = type_

    def _cast(self, said: Said) -> Iterator[tl.Instruction]:
        (operand,) = self._operands(said, 1)
        source = self._type_of_number(operand, said)
        node = tl.Cast(self._result(said), self._number(operand, said), source, self._scalar_type(said), said.origin)
        yield self._value(said, node)

    def _compare(self, said: Said) -> Iterator[tl.Instruction]:
        left, right = self._operands(said, 2)
        type_ = self._type_of_number(left, said)
        numbers = self._number(left, said), self._number(right, said, type_)
        node = tl.Compare(self._result(said), CONDITIONS[said.words[0]], *numbers, type_, said.origin)
        yield self._value(said, node)

    # -- views and memory ----------------------------------------------------------------------------------------------

    def _subview(self, said: Said) -> Iterator[tl.Instruction]:
        place, memref = self._place(said)
        slices = tuple(self._slice(part, said) for part in place.subscripts)
        yield self._value(said, tl.Subview(self._result(said), place.value, slices, memref, said.origin))

    def _slice(self, part: tl.Position | tl.Slice | ShapeOfMode, said: Said) -> tl.Position | tl.Slice:
        match part:
            case tl.Position(index=index):
                return tl.Position(self._index(index, said))
            case tl.Slice(offset=offset, size=size):
                return tl.Slice(self._index(offset, said), None if size is None else self._index(size, said))
            case ShapeOfMode():
                return self._fail("E0401", "expected positions and slices", said.word)

    def _expand(self, said: Said) -> Iterator[tl.Instruction]:
        place, memref = self._place(said)
        match place.subscripts:
            case (ShapeOfMode(mode=mode, shape=shape),):
                sizes = tuple(self._index(size, said) for size in shape)
                node = tl.Expand(self._result(said), place.value, mode.value, sizes, memref, said.origin)
                yield self._value(said, node)
            case _:  # open: anything else is an error
                self._fail("E0401", "expected a mode and its new shape, as `%A[1 -> 2x8]`", place.origin[0])

    def _fuse(self, said: Said) -> Iterator[tl.Instruction]:
        place, memref = self._place(said)
        match place.subscripts:
            case (
                tl.Position(index=tl.IntegerConstant(value=first)),
                tl.Position(index=tl.IntegerConstant(value=last)),
            ):
                yield self._value(said, tl.Fuse(self._result(said), place.value, first, last, memref, said.origin))
            case _:  # open: anything else is an error
                self._fail("E0401", "expected the first and the last mode, as `%A[0,1]`", place.origin[0])

    def _size(self, said: Said) -> Iterator[tl.Instruction]:
        (place,) = self._operands(said, 1)
        if isinstance(place, Subscripted) and isinstance(self._look_up(place.value), GroupType):
            yield from self._members_of(place, said)
            return
        place, memref = self._place(said)
        match place.subscripts:
            case (tl.Position(index=tl.IntegerConstant(value=mode)),):
                yield self._value(said, tl.Size(self._result(said), place.value, mode, memref, said.origin))
            case _:  # open: anything else is an error
                self._fail("E0401", "expected a mode, as `%A[0]`", place.origin[0])

    def _members_of(self, place: Subscripted, said: Said) -> Iterator[tl.Instruction]:
        """The size of a group: a launch has a member for each work-group, where the type says no number."""
        match place.subscripts:
            case (tl.Position(index=tl.IntegerConstant(value=0)),):
                pass
            case _:  # open: anything else is an error
                self._fail("E0435", "a group has one mode, `[0]`", place.origin[0])
        number = self._members.get(place.value.name)
        if number is None:
            yield self._value(said, tl.GroupSize(self._result(said), said.origin))
        else:
            constant = tl.IntegerConstant(number, (said.word,))
            self._sight[self._result(said).name] = Number(constant, self._scalar_type(said))

    def _load(self, said: Said) -> Iterator[tl.Instruction]:
        (place,) = self._operands(said, 1)
        if not isinstance(place, Subscripted):
            self._fail("E0401", "expected indices, as `%A[%i]`", said.word)
        type_ = self._look_up(place.value)
        if not isinstance(type_, MemrefType | GroupType):
            self._fail("E0420", "`load` is from a memref or a group", place.value.origin[0])
        indices = self._indices(place, said)
        yield self._value(said, tl.Load(self._result(said), place.value, indices, type_, said.origin))

    def _store(self, said: Said) -> Iterator[tl.Instruction]:
        value, place = self._operands(said, 2)
        if not isinstance(place, Subscripted) or isinstance(value, Subscripted):
            self._fail("E0401", "expected a value and a place, as `%x, %A[%i]`", said.word)
        memref, type_ = self._memref(place.value), self._type_of_number(value, said)
        number, indices = self._number(value, said), self._indices(place, said)
        for each in self._stored(number, type_, place.value, memref, said.origin):
            yield replace(each, indices=indices) if isinstance(each, tl.Store) else each

    def _collective(self, said: Said) -> Iterator[tl.Instruction]:
        class_, transposed, inputs = COLLECTIVES[said.words[0]]
        flags = said.words[1:]
        transposes = [tl.Transpose(flag) for flag in flags if flag in ("n", "t")]
        if len(transposes) > transposed or len(flags) > len(transposes) + flags.count("atomic"):
            self._fail("E0401", f"`{'.'.join(said.words)}` has a flag too many", said.word)
        transposes += [tl.Transpose.N] * (transposed - len(transposes))
        alpha, *read, beta, target = self._operands(said, inputs + 3)
        yield class_(
            tuple(transposes),
            "atomic" in flags,
            self._factor(alpha, said),
            tuple(self._typed_memref(each, said) for each in read),
            self._factor(beta, said),
            self._typed_memref(target, said),
            said.origin,
        )

    def _factor(self, operand: tl.Operand | Subscripted, said: Said) -> tl.TypedScalar:
        type_ = self._type_of_number(operand, said)
        return tl.TypedScalar(number_of(self._number(operand, said), type_), type_, said.origin)

    def _typed_memref(self, operand: tl.Operand | Subscripted, said: Said) -> tl.TypedMemref:
        if not isinstance(operand, tl.Local):
            self._fail("E0420", f"`{said.words[0]}` takes a memref here", said.word)
        return tl.TypedMemref(operand, self._memref(operand), operand.origin)

    def _barrier(self, said: Said) -> Iterator[tl.Instruction]:
        yield tl.Barrier(said.origin)

    def _lifetime_stop(self, said: Said) -> Iterator[tl.Instruction]:
        (operand,) = self._operands(said, 1)
        if not isinstance(operand, tl.Local):
            self._fail("E0420", "`lifetime_stop` is of a memref", said.word)
        yield tl.LifetimeStop(operand, said.origin)

    # -- regions -------------------------------------------------------------------------------------------------------

    def _foreach(self, said: Said) -> Iterator[tl.Instruction]:
        count = len(said.names)
        types = [self._type_of_number(start, said) for start in said.operands[:count]]
        starts = [self._bound(each, said, type_) for each, type_ in zip(said.operands[:count], types, strict=True)]
        stops = [self._bound(each, said, type_) for each, type_ in zip(said.operands[count:], types, strict=True)]
        names = {name.name: type_ for name, type_ in zip(said.names, types, strict=True)}
        body = self.region(said.regions[0], **names)
        for variable, start, stop, type_ in list(zip(said.names, starts, stops, types, strict=True))[:0:-1]:
            body = (tl.For(variable, start, stop, tl.IntegerConstant(1), type_, body, said.origin),)
        yield tl.Foreach(said.names[0], starts[0], stops[0], types[0], body, said.origin)
