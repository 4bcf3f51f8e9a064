"""Nodes to text of Tiny Tensor Compiler 0.4; `parse/tinytc.py` says how the two languages differ.

What has no type there gets it from its definition, and constants become values of the region that uses them. What
remains of a mode (`?`) is computed: its compiler has no word for it.
"""

from collections import ChainMap
from collections.abc import Iterator, Sequence

from einsum_front.core.functions import Function as FunctionOfEntries
from einsum_front.core.writer import LINE_WIDTH, Writer
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.semantics import expand_type, index_maps, result_type
from einsum_front.tl_backend.traverse import walked
from einsum_front.tl_backend.types import Extent, GroupType, MemrefType, ScalarType, Type
from einsum_front.tl_backend.unparse.instructions import extent_text, mnemonic, operand_text

CONDITIONS = {
    tl.Condition.EQ: "equal",
    tl.Condition.NE: "not_equal",
    tl.Condition.GT: "greater_than",
    tl.Condition.GE: "greater_than_equal",
    tl.Condition.LT: "less_than",
    tl.Condition.LE: "less_than_equal",
}


def missing_in_dialect(instruction: tl.Instruction) -> Iterator[str]:
    """What the dialect has no words for, though the editions do."""
    match instruction:
        case tl.Cast(from_type=source, to_type=target) if ScalarType.BOOL in (source, target):
            yield "`cast` of truth values"
        case tl.Compare(type=ScalarType.BOOL):
            yield "`cmp` of truth values"
        case tl.Collective(alpha=alpha, inputs=inputs, beta=beta, target=target, atomic=atomic):
            if atomic and not (beta.is_number(0) or beta.is_number(1)):
                yield "atomic updates with a β other than the constants 0 and 1"
            elements = tuple(each.type.element for each in inputs)
            factor = max(elements, key=lambda type_: (type_.is_floating, type_.bits))
            holds = ((alpha.type, factor), (beta.type, target.type.element), *((each, factor) for each in elements))
            if not all(_holds(*pair) for pair in (*holds, (factor, target.type.element))):
                yield "operands of types that the next one does not hold exactly: α, the inputs, the target"
        case (
            tl.Alloca() | tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse()
            | tl.GroupId() | tl.GroupSize() | tl.Load() | tl.MathCall() | tl.Size() | tl.Subview() | tl.If() | tl.For()
            | tl.Foreach() | tl.Store() | tl.Yield() | tl.Barrier() | tl.LifetimeStop()
        ):  # fmt: skip
            pass


MATH = tuple(FunctionOfEntries(name) for name in ("abs", "exp", "exp2", "log", "log2"))
"""Those that mean the same there; its `max` and `min` say nothing of NaN."""


def write_function(writer: Writer, function: Function) -> None:
    """The function, without its facts; what the dialect cannot say was refused before."""
    start = writer.next_start
    for line in _prototype(function):
        writer.line(line)
    _FunctionWriter(writer, function).region(function.body)
    writer.line("}")
    writer.node(start, function.origin)


def _prototype(function: Function) -> list[str]:
    arguments = [f"{operand_text(each.name)}: {type_text(each.type)}" for each in function.arguments]
    attributes = []
    if function.subgroup_size is not None:
        attributes.append(f"subgroup_size={function.subgroup_size}")
    if function.work_group_size is not None:
        attributes.append("work_group_size=[{}, {}]".format(*function.work_group_size))
    opening = f"func @{function.name}("
    closing = f") attributes{{{', '.join(attributes)}}} {{" if attributes else ") {"
    line = f"{opening}{', '.join(arguments)}{closing}"
    if len(line) <= LINE_WIDTH or not arguments:
        return [line]
    separator = f",\n{' ' * len(opening)}"
    return f"{opening}{separator.join(arguments)}{closing}".split("\n")


def type_text(type_: Type, *, is_local: bool = False) -> str:
    """A type; `is_local` is true of memory that an `alloca` has made."""
    match type_:
        case ScalarType():
            return "bool" if type_ is ScalarType.BOOL else str(type_.value)
        case MemrefType(element=element, shape=shape, strides=strides):
            extents = "x".join((type_text(element), *map(extent_text, shape)))
            layout = "" if type_.is_packed else f",strided<{','.join(map(extent_text, strides))}>"
            return f"memref<{extents}{layout}{',local' if is_local else ''}>"
        case GroupType(memref=memref, offset=offset):
            moved = "" if offset == 0 else f", offset: {extent_text(offset)}"
            return f"group<{type_text(memref)}x?{moved}>"


class _FunctionWriter:
    """Writes regions; names of constants and of computed sizes are none that the function has."""

    def __init__(self, writer: Writer, function: Function) -> None:
        self._writer = writer
        self._taken = {argument.name.name for argument in function.arguments}
        for instruction in function.get(walked):
            self._taken |= {name.name for name in _names(instruction)}
        self._constants: ChainMap[tuple[str, ScalarType], str] = ChainMap()
        self._local: ChainMap[str, None] = ChainMap()

    def region(self, region: tl.Region) -> None:
        """The instructions of a region, one step to the right."""
        self._constants, self._local = self._constants.new_child(), self._local.new_child()
        self._writer.depth += 1
        for instruction in region:
            self._instruction(instruction)
        self._writer.depth -= 1
        self._constants, self._local = self._constants.parents, self._local.parents

    def _instruction(self, instruction: tl.Instruction) -> None:
        text = self._text(instruction)
        if text is None:
            return
        start = self._writer.next_start
        self._writer.line(text)
        match instruction:
            case tl.If(then=then, otherwise=otherwise):
                self.region(then)
                if otherwise is not None:
                    self._writer.line("} else {")
                    self.region(otherwise)
                self._writer.line("}")
            case tl.For(body=body) | tl.Foreach(body=body):
                self.region(body)
                self._writer.line("}")
            case (
                tl.Alloca() | tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse()
                | tl.GroupId() | tl.GroupSize() | tl.Load() | tl.MathCall() | tl.Size() | tl.Subview() | tl.Collective()
                | tl.Store() | tl.Yield() | tl.Barrier() | tl.LifetimeStop()
            ):  # fmt: skip
                pass
        self._writer.node(start, instruction.origin)

    def _text(self, instruction: tl.Instruction) -> str | None:
        """The instruction up to its regions, after the lines that it needs; None for what the compiler finds itself."""
        match instruction:
            case tl.Barrier() | tl.LifetimeStop():
                return None
            case tl.Collective():
                return self._collective(instruction)
            case tl.Store(value=value, target=target, indices=indices):
                return f"store {operand_text(value)}, {operand_text(target)}[{self._indices(indices)}]"
            case tl.Yield(values=values, types=types):
                yielded = (self._value(value, type_) for value, type_ in zip(values, types, strict=True))
                return f"yield ({', '.join(yielded)})"
            case tl.If(results=results, condition=condition, types=types):
                names = f"{', '.join(map(operand_text, results))} = " if results else ""
                returned = f" -> ({', '.join(map(type_text, types))})" if types else ""
                return f"{names}if {self._value(condition, ScalarType.BOOL)}{returned} {{"
            case tl.For(variable=variable, start=start, stop=stop, step=step, type=type_):
                bounds = (start, stop) if step == tl.IntegerConstant(1) else (start, stop, step)
                words = ", ".join(self._value(bound, type_) for bound in bounds)
                return f"for {operand_text(variable)} = {words} {{"
            case tl.Foreach(variable=variable, start=start, stop=stop, type=type_):
                first, last = self._value(start, type_), self._value(stop, type_)
                return f"foreach ({operand_text(variable)}) = ({first}), ({last}) {{"
            case (
                tl.Alloca() | tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse()
                | tl.GroupId() | tl.GroupSize() | tl.Load() | tl.MathCall() | tl.Size() | tl.Subview()
            ):  # fmt: skip
                return self._definition(instruction)

    def _definition(self, instruction: tl.ValueInstruction) -> str:
        words = self._right_side(instruction)
        is_local = isinstance(instruction, tl.Alloca) or any(name in self._local for name in _views(instruction))
        if is_local:
            self._local[instruction.result.name] = None
        type_ = type_text(result_type(instruction), is_local=is_local)
        return f"{operand_text(instruction.result)} = {words} : {type_}"

    def _right_side(self, instruction: tl.ValueInstruction) -> str:
        match instruction:
            case tl.Alloca():
                return "alloca"
            case tl.ArithBinary(operator=operator, left=left, right=right, type=type_):
                return f"{operator.value} {self._value(left, type_)}, {self._value(right, type_)}"
            case tl.ArithUnary(operator=operator, operand=operand, type=type_):
                return f"{operator.value} {self._value(operand, type_)}"
            case tl.Cast(operand=operand, from_type=source):
                return f"cast {self._value(operand, source)}"
            case tl.Compare(condition=condition, left=left, right=right, type=type_):
                return f"{CONDITIONS[condition]} {self._value(left, type_)}, {self._value(right, type_)}"
            case tl.Expand(operand=operand, mode=mode, shape=shape, type=type_):
                known = expand_type(type_, mode, shape).shape[mode:]
                sizes = " x ".join(self._new_sizes(operand, type_.shape[mode], mode, shape, known))
                return f"expand {operand_text(operand)}[{mode} -> {sizes}]"
            case tl.Fuse(operand=operand, first=first, last=last):
                return f"fuse {operand_text(operand)}[{first}, {last}]"
            case tl.GroupId():
                return "group_id.x"
            case tl.GroupSize():
                return "num_groups.x"
            case tl.MathCall(function=function, operands=operands, type=type_):
                return f"{function.value} {', '.join(self._value(operand, type_) for operand in operands)}"
            case tl.Load(operand=operand, indices=indices):
                return f"load {operand_text(operand)}[{self._indices(indices)}]"
            case tl.Size(operand=operand, mode=mode):
                return f"size {operand_text(operand)}[{mode}]"
            case tl.Subview(operand=operand, slices=slices, type=type_):
                parts = (self._slice(operand, type_, mode, part) for mode, part in enumerate(slices))
                return f"subview {operand_text(operand)}[{', '.join(parts)}]"

    def _collective(self, instruction: tl.Collective) -> str:
        word = "hadamard" if isinstance(instruction, tl.HadamardProduct) else mnemonic(instruction)
        flags = (*("atomic",) * instruction.atomic, *(transpose.value for transpose in instruction.transposes))
        alpha = self._value(instruction.alpha.value, instruction.alpha.type)
        beta = self._value(instruction.beta.value, instruction.beta.type)
        *inputs, target = self._of_one_shape(instruction)
        return f"{'.'.join((word, *flags))} {', '.join((alpha, *inputs, beta, target))}"

    def _of_one_shape(self, instruction: tl.Collective) -> Iterator[str]:
        """The memrefs; where one knows the size of an axis and another does not, a part of that size.

        Its compiler compares types, and `?` is none of the numbers.
        """
        maps = index_maps(instruction)
        operands = (*instruction.inputs, instruction.target)
        sizes: dict[object, Extent] = {}
        for operand, axes in zip(operands, maps.operands, strict=True):
            for axis, size in zip(axes, operand.type.shape, strict=True):
                sizes[axis] = sizes.get(axis) if size is None else size
        for operand, axes in zip(operands, maps.operands, strict=True):
            wanted = tuple(sizes[axis] for axis in axes)
            if wanted == operand.type.shape:
                yield operand_text(operand.value)
                continue
            parts = ", ".join(
                f"0:{self._extent(operand.value, size, mode) if size is None else size}"
                for mode, size in enumerate(wanted)
            )
            type_ = MemrefType(operand.type.element, wanted, operand.type.strides)
            is_local = operand.value.name in self._local
            yield self._line(f"subview {operand_text(operand.value)}[{parts}]", type_, is_local=is_local)

    # -- operands ------------------------------------------------------------------------------------------------------

    def _value(self, operand: tl.Operand, type_: ScalarType) -> str:
        """The name of a value; a constant is given one in front of the first line of the region that uses it."""
        if isinstance(operand, tl.Local):
            return operand_text(operand)
        number = operand_text(operand)
        if isinstance(operand, tl.IntegerConstant):
            if type_ is ScalarType.BOOL:
                number = "true" if operand.value else "false"
            elif type_.is_floating:
                number = operand_text(tl.FloatConstant(float(operand.value)))
        if (name := self._constants.get((number, type_))) is None:
            name = self._constants[number, type_] = self._line(f"constant {number}", type_)
        return name

    def _indices(self, indices: Sequence[tl.IndexOperand]) -> str:
        return ", ".join(self._value(index, ScalarType.INDEX) for index in indices)

    def _slice(self, operand: tl.Local, memref: MemrefType, mode: int, part: tl.Position | tl.Slice) -> str:
        match part:
            case tl.Position(index=index):
                return operand_text(index)
            case tl.Slice(offset=offset, size=size):
                rest = self._rest(operand, memref.shape[mode], mode, offset) if size is None else operand_text(size)
                return f"{operand_text(offset)}:{rest}"

    def _rest(self, operand: tl.Local, size: Extent, mode: int, offset: tl.IndexOperand) -> str:
        """What remains of a mode behind an offset."""
        if size is not None and isinstance(offset, tl.IntegerConstant):
            return str(size - offset.value)
        whole = self._extent(operand, size, mode)
        if offset == tl.IntegerConstant(0):
            return whole
        return self._line(f"sub {whole}, {self._value(offset, ScalarType.INDEX)}")

    def _extent(self, operand: tl.Local, size: Extent, mode: int) -> str:
        if size is not None:
            return self._value(tl.IntegerConstant(size), ScalarType.INDEX)
        return self._line(f"size {operand_text(operand)}[{mode}]")

    def _new_sizes(
        self,
        operand: tl.Local,
        mode_size: Extent,
        mode: int,
        shape: Sequence[tl.IndexOperand | None],
        known: Sequence[Extent],
    ) -> Iterator[str]:
        """The sizes of an `expand`; the one that is inferred is what the mode has, divided by the others."""
        given = [size for size in shape if size is not None]
        for size, number in zip(shape, known, strict=False):
            if size is not None or number is not None:
                yield str(number) if size is None else operand_text(size)
                continue
            words = self._extent(operand, mode_size, mode)
            for other in given:
                words = self._line(f"div {words}, {self._value(other, ScalarType.INDEX)}")
            yield words

    def _line(self, words: str, type_: ScalarType | MemrefType = ScalarType.INDEX, *, is_local: bool = False) -> str:
        """The name of a value that a line of its own defines."""
        name = next(name for count in range(len(self._taken) + 1) if (name := f"c{count}") not in self._taken)
        self._taken.add(name)
        self._writer.line(f"%{name} = {words} : {type_text(type_, is_local=is_local)}")
        return f"%{name}"


def _holds(narrow: ScalarType, wide: ScalarType) -> bool:
    """True if each number of one type is one of the other, as the dialect counts: an integer in twice its bits."""
    if narrow is wide:
        return True
    if narrow.is_floating is wide.is_floating:
        return narrow.bits < wide.bits and ScalarType.INDEX not in (narrow, wide)
    return wide.is_floating and narrow.bits * 2 <= wide.bits


def _names(instruction: tl.Instruction) -> tuple[tl.Local, ...]:
    """The names that an instruction brings."""
    match instruction:
        case tl.If(results=results):
            return results
        case tl.For(variable=variable) | tl.Foreach(variable=variable):
            return (variable,)
        case tl.Collective() | tl.Store() | tl.Yield() | tl.Barrier() | tl.LifetimeStop():
            return ()
        case (
            tl.Alloca() | tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse()
            | tl.GroupId() | tl.GroupSize() | tl.Load() | tl.MathCall() | tl.Size() | tl.Subview()
        ):  # fmt: skip
            return (instruction.result,)


def _views(instruction: tl.ValueInstruction) -> tuple[str, ...]:
    """The memref that the result is a part of."""
    match instruction:
        case tl.Subview(operand=operand) | tl.Fuse(operand=operand) | tl.Expand(operand=operand):
            return (operand.name,)
        case (
            tl.Alloca() | tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.GroupId() | tl.GroupSize()
            | tl.Load() | tl.MathCall() | tl.Size()
        ):  # fmt: skip
            return ()
