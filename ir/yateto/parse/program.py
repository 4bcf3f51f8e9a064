"""Parse tree to nodes: instructions, functions, programs."""

from dataclasses import replace

from lark import Token, v_args

from einsum_front.core.diagnostics import CompileError, Source, Span
from einsum_front.core.facts import FactLine, Limit, append_fact
from einsum_front.core.functions import Function as EntryFunction
from einsum_front.core.origins import Sources
from einsum_front.core.parsing import Placed
from einsum_front.core.payload import Entry, Operation, Payload
from einsum_front.core.prologues import PROLOGUE, read_prologue, with_parts
from einsum_front.core.storage import ElementType
from einsum_front.core.words import counted
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.parse.operands import OperandReader

Update = tuple[yir.Scalar, yir.Operand, yir.Scalar, yir.Operand]
Factors = tuple[yir.Scalar, yir.Operand, yir.Operand, yir.Scalar, yir.Operand]
NumberedOperation = tuple[Entry, Operation[yir.Scalar]]


@v_args(inline=True)
class ProgramReader(OperandReader):
    """Reads the program of one source; mistakes found on the way are in `diagnostics`."""

    def __init__(self, source: Source, known: Sources) -> None:
        super().__init__(source, known)
        self._prologues: list[Span | None] = []

    def program(self, *functions: yir.Function) -> yir.Program:
        try:
            return yir.Program(with_parts(functions, self._prologues, "E0494"))
        except CompileError as error:
            self.diagnostics += error.diagnostics
            return yir.Program(functions)

    def function(
        self,
        above: tuple[tuple[yir.Fact | Limit, ...], Span | None],
        start: Token,
        name: Placed[str],
        arguments: tuple[yir.Argument, ...],
        body: Placed[yir.Region],
    ) -> yir.Function:
        facts, prologue = above
        self._prologues.append(prologue)
        about_arguments = tuple(fact for fact in facts if not isinstance(fact, Limit))
        limits = tuple(fact for fact in facts if isinstance(fact, Limit))
        place = self._span(start).to(body.span)
        origin = (place, *self._origins.above(place.start))
        return yir.Function(name.value, arguments, body.value, about_arguments, limits, None, origin)

    def facts(self, *comments: Token) -> tuple[tuple[yir.Fact | Limit, ...], Span | None]:
        spans = [self._span(comment) for comment in comments]
        lines = [FactLine.of(self._source, span.start + len(";!"), span.end, "E0464") for span in spans]
        facts: list[yir.Fact | Limit] = []
        for line in lines:
            if line.keyword.text != PROLOGUE:
                try:
                    append_fact(facts, line.shared(facts))
                except CompileError as error:
                    self.diagnostics += error.diagnostics
        try:
            return tuple(facts), read_prologue(lines)
        except CompileError as error:
            self.diagnostics += error.diagnostics
            return tuple(facts), None

    def arguments(self, *arguments: yir.Argument) -> tuple[yir.Argument, ...]:
        return arguments

    def argument(self, name: yir.Local, type_: Placed[yir.Type] | Token) -> yir.Argument:
        if isinstance(type_, Token):
            self._report("E0460", "an argument cannot have type `void`", self._span(type_))
            type_ = Placed(ElementType.F64, self._span(type_))
        return yir.Argument(name, type_.value, self._from(name, type_))

    def region(self, start: Token, instructions: yir.Region, end: Token) -> Placed[yir.Region]:
        return Placed(instructions, self._span(start).to(self._span(end)))

    def instructions(self, *instructions: yir.Instruction) -> yir.Region:
        return instructions

    # -- values --------------------------------------------------------------------------------------------------------

    def alloca(self, result: yir.Local, memref: Placed[yir.MemrefType]) -> yir.Alloca:
        return yir.Alloca(result, memref.value, self._from(result, memref))

    def get_work_item(
        self,
        result: yir.Local,
        group: yir.Local,
        offset_type: Placed[ElementType] | None,
        offset: yir.Local | None,
        type_: Placed[yir.GroupType],
    ) -> yir.GetWorkItem:
        origin = self._from(result, type_)
        type_of_offset = None if offset_type is None else offset_type.value
        return yir.GetWorkItem(result, group, offset, type_of_offset, type_.value, origin)

    def subview(
        self,
        result: yir.Local,
        operand: yir.Local,
        parts: tuple[yir.Position | yir.Slice, ...],
        before: Placed[yir.MemrefType],
        after: Placed[yir.MemrefType],
    ) -> yir.Subview:
        return yir.Subview(result, operand, parts, before.value, after.value, self._from(result, after))

    def arith(
        self, result: yir.Local, operator: Token, left: yir.Scalar, right: yir.Scalar, type_: Placed[ElementType]
    ) -> yir.Arith:
        kind = yir.ArithOperator(operator.removeprefix("."))
        return yir.Arith(result, kind, left, right, type_.value, self._from(result, type_))

    # -- tensor operations ---------------------------------------------------------------------------------------------

    def axpby(self, keyword: Token, map_: yir.UnaryMap, update: Placed[Update]) -> yir.Axpby:
        return yir.Axpby(map_, *update.value, self._from(keyword, update))

    def broadcast(self, keyword: Token, map_: yir.UnaryMap, update: Placed[Update]) -> yir.Broadcast:
        return yir.Broadcast(map_, *update.value, self._from(keyword, update))

    def sum(self, keyword: Token, map_: yir.UnaryMap, update: Placed[Update]) -> yir.Sum:
        return yir.Sum(map_, *update.value, self._from(keyword, update))

    def log(self, keyword: Token, map_: yir.LogMap, factors: Placed[Factors]) -> yir.Log:
        return yir.Log(map_, *factors.value, self._from(keyword, factors))

    def product(self, keyword: Token, map_: yir.BinaryMap, factors: Placed[Factors]) -> yir.Product:
        return yir.Product(map_, *factors.value, self._from(keyword, factors))

    def fill(
        self, keyword: Token, alpha: yir.Scalar, beta: yir.Scalar, b: yir.Local, memref: Placed[yir.MemrefType]
    ) -> yir.Fill:
        return yir.Fill(alpha, beta, _operand(b, memref), self._from(keyword, memref))

    def elementwise(
        self,
        keyword: Token,
        combiner: Token | None,
        map_: yir.ElementwiseMap,
        given: tuple[yir.Scalar, ...],
        payload: Placed[tuple[Placed[NumberedOperation], ...]] | None,
        types: tuple[Placed[yir.MemrefType], ...],
        c_type: Placed[yir.MemrefType],
    ) -> yir.Elementwise:
        origin = self._from(keyword, c_type)
        alpha, *rest = given
        count = len(map_.sources)
        if (
            len(rest) != count + 2
            or len(types) != count
            or not all(isinstance(each, yir.Local) for each in rest[:count])
        ):
            message = f"`elementwise` with {counted(count, 'operand')} in its map has α, these, β and a target"
            self._report("E0455", message, origin[0])
            rest = [yir.Local("")] * (count + 2)
            types = (c_type,) * count
        locals_ = tuple(each if isinstance(each, yir.Local) else yir.Local("") for each in rest)
        if not isinstance(rest[-1], yir.Local):
            self._report("E0455", "the target of `elementwise` is a tensor", origin[0])
        operands = tuple(map(_operand, locals_[:count], types))
        operations = () if payload is None else self._numbered(payload.value, count)
        reducer = None if combiner is None else EntryFunction(combiner[1:])
        beta, c = rest[-2], _operand(locals_[-1], c_type)
        return yir.Elementwise(map_, reducer, Payload(operations), alpha, operands, beta, c, origin)

    def _numbered(self, given: tuple[Placed[NumberedOperation], ...], first: int) -> tuple[Operation[yir.Scalar], ...]:
        """The operations, whose results are numbered behind the operands."""
        for number, placed in enumerate(given, first):
            if placed.value[0].number != number:
                message = f"`${placed.value[0].number}` stands where `${number}` is made"
                self._report("E0455", message, placed.span, "entries are numbered in their order")
        return tuple(placed.value[1] for placed in given)

    def operand_list(self, *scalars: yir.Scalar) -> tuple[yir.Scalar, ...]:
        return scalars

    def memrefs(self, *types: Placed[yir.MemrefType]) -> tuple[Placed[yir.MemrefType], ...]:
        return types

    def payload(
        self, start: Token, *rest: Placed[NumberedOperation] | Token
    ) -> Placed[tuple[Placed[NumberedOperation], ...]]:
        operations = tuple(each for each in rest if isinstance(each, Placed))
        return Placed(operations, self._span(start))

    def operation(
        self, entry: Placed[Entry], function: Token, *arguments: Placed[Entry] | yir.Scalar
    ) -> Placed[NumberedOperation]:
        plain = tuple(each.value if isinstance(each, Placed) else each for each in arguments)
        operation: Operation[yir.Scalar] = Operation(EntryFunction(str(function)), plain)
        return Placed((entry.value, operation), entry.span.to(self._span(function)))

    def gather(
        self,
        keyword: Token,
        map_: yir.GatherMap,
        given: tuple[yir.Local, ...],
        types: tuple[Placed[yir.MemrefType | yir.GroupType], ...],
        c_type: Placed[yir.MemrefType],
    ) -> yir.Gather:
        origin = self._from(keyword, c_type)
        *names, c = given
        word, adds = str(keyword), keyword == "scatter"
        count, integers = len(names), len(map_.entries)
        if not names or len(types) != count + integers:
            message = (
                f"`{word}` of {counted(count, 'source')} and {counted(integers, 'entry', 'entries')} has as many types"
            )
            self._report("E0457", message, origin[0])
            return yir.Gather(yir.GatherMap((), None, None, ()), (), _operand(c, c_type), adds, origin)
        sources = tuple(yir.Source(name, type_.value, type_.origin) for name, type_ in zip(names, types, strict=False))
        rest = iter(types[count:])

        def typed(entry: yir.Entry) -> yir.Entry:
            type_ = next(rest)
            if isinstance(type_.value, yir.GroupType):
                self._report("E0457", "integers that say places are those of a memref", type_.span)
                return entry
            return replace(entry, integers=yir.Operand(entry.integers.value, type_.value, type_.origin))

        places = tuple(typed(each) if isinstance(each, yir.Entry) else each for each in map_.places)
        element, member = (None if each is None else typed(each) for each in (map_.element, map_.member))
        map_ = replace(map_, places=places, element=element, member=member)
        return yir.Gather(map_, sources, _operand(c, c_type), adds, origin)

    def locals(self, *names: yir.Local) -> tuple[yir.Local, ...]:
        return names

    def types(
        self, *types: Placed[yir.MemrefType | yir.GroupType]
    ) -> tuple[Placed[yir.MemrefType | yir.GroupType], ...]:
        return types

    def update(
        self,
        alpha: yir.Scalar,
        a: yir.Local,
        beta: yir.Scalar,
        b: yir.Local,
        a_type: Placed[yir.MemrefType],
        b_type: Placed[yir.MemrefType],
    ) -> Placed[Update]:
        return Placed((alpha, _operand(a, a_type), beta, _operand(b, b_type)), b_type.span)

    def assignment(
        self,
        alpha: yir.Scalar,
        a: yir.Local,
        b: yir.Local,
        a_type: Placed[yir.MemrefType],
        b_type: Placed[yir.MemrefType],
    ) -> Placed[Update]:
        """Without β the target is overwritten."""
        return self.update(alpha, a, yir.Constant(0.0), b, a_type, b_type)

    def product_operands(
        self,
        alpha: yir.Scalar,
        a: yir.Local,
        b: yir.Local,
        beta: yir.Scalar,
        c: yir.Local,
        a_type: Placed[yir.MemrefType],
        b_type: Placed[yir.MemrefType],
        c_type: Placed[yir.MemrefType],
    ) -> Placed[Factors]:
        operands = (_operand(a, a_type), _operand(b, b_type), _operand(c, c_type))
        return Placed((alpha, operands[0], operands[1], beta, operands[2]), c_type.span)

    # -- control -------------------------------------------------------------------------------------------------------

    def for_loop(
        self,
        keyword: Token,
        type_: Placed[ElementType],
        variable: yir.Local,
        start: Placed[int],
        stop: Placed[int],
        body: Placed[yir.Region],
    ) -> yir.For:
        return yir.For(variable, type_.value, start.value, stop.value, body.value, self._from(keyword, body))

    def barrier(self, keyword: Token) -> yir.Barrier:
        return yir.Barrier(self._from(keyword, keyword))

    def lifetime_stop(self, keyword: Token, operand: yir.Local) -> yir.LifetimeStop:
        return yir.LifetimeStop(operand, self._from(keyword, operand))


def _operand(value: yir.Local, memref: Placed[yir.MemrefType]) -> yir.Operand:
    return yir.Operand(value, memref.value, memref.origin)
