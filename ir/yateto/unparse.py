"""The YATeTo immediate language as text; `parse` reads it back."""

import math

from einsum_front.core.extent_text import bracketed
from einsum_front.core.facts import Limit, fact_lines
from einsum_front.core.payload import Entry, Operation
from einsum_front.core.prologues import with_prologues
from einsum_front.core.writer import INDENT as _INDENT
from einsum_front.core.writer import Writer, Written
from einsum_front.ir.yateto.letters import with_letters
from einsum_front.ir.yateto.nodes import (
    Alloca,
    Argument,
    Arith,
    Axpby,
    Barrier,
    BinaryMap,
    Broadcast,
    Distance,
    Elementwise,
    ElementwiseMap,
    Fill,
    FloatConstant,
    For,
    Function,
    Fused,
    GetWorkItem,
    GroupType,
    Indices,
    Instruction,
    LifetimeStop,
    Local,
    Log,
    LogMap,
    Looped,
    MapEntry,
    MemrefType,
    Operand,
    Plain,
    Pointers,
    Position,
    Product,
    Program,
    Region,
    Scalar,
    ScalarType,
    Slice,
    Subview,
    Sum,
    Type,
    UnaryMap,
)


def unparse(program: Program) -> str:
    """The text of a program. Indices with longer names get letters: `parse(unparse(p)) == with_letters(p)`."""
    return unparse_with_origins(program)[0]


def unparse_with_origins(program: Program, *, tells_origins: bool = False) -> tuple[str, tuple[Written, ...]]:
    """The text, and for each function, argument and instruction its characters with its origin, inner ones first.

    If the text `tells_origins`, comments of it do: `parse` reads them.
    """
    writer = Writer(tells_origins, width=math.inf)
    for function in with_prologues(with_letters(program).functions):
        if writer.lines:
            writer.line("")
        _write_function(writer, function)
    return writer.text(), tuple(writer.written)


def _write_function(writer: Writer, function: Function) -> None:
    _write_facts(writer, function)
    writer.comment(function.origin)
    start, head = writer.next_start, f"define @{function.name}("
    for number, argument in enumerate(function.arguments, start=1):
        before = head if number == 1 else " " * len(head)
        place = writer.next_start + len(before)
        writer.line(
            f"{before}{_argument(argument)}{',' if number < len(function.arguments) else ') {'}", argument.origin
        )
        writer.node(place, argument.origin)
    if not function.arguments:
        writer.line(f"{head}) {{")
    _write_region(writer, function.body)
    writer.line("}")
    writer.node(start, function.origin)


def _write_facts(writer: Writer, function: Function) -> None:
    """The structured comments above the function: those about an argument came from where it did."""
    if function.prologue is not None:
        writer.line(f";! prologue @{function.prologue.name}")
    origins = {argument.name.name: argument.origin for argument in function.arguments}
    for fact in (*function.facts, *function.limits):
        about = fact.name if isinstance(fact, Limit) else fact.argument
        for line in fact_lines(fact):
            start = writer.next_start
            writer.line(line)
            writer.node(start, origins.get(about, function.origin))


def _argument(argument: Argument) -> str:
    return f"{local_text(argument.name)}: {type_text(argument.type)}"


# -- instructions ------------------------------------------------------------------------------------------------------


def _write_region(writer: Writer, region: Region) -> None:
    writer.depth += 1
    for instruction in region:
        start = writer.next_start
        writer.line(_instruction(instruction, _INDENT * writer.depth), instruction.origin)
        if isinstance(instruction, For):
            _write_region(writer, instruction.body)
            writer.line("}")
        writer.node(start, instruction.origin)
    writer.depth -= 1


def _instruction(instruction: Instruction, indent: str) -> str:
    """The instruction; of one with a region, the line before it."""
    match instruction:
        case Alloca(result=result, type=memref):
            return f"{local_text(result)} = alloca : {memref_text(memref)}"
        case GetWorkItem(result=result, group=group, type=type_):
            operands = local_text(group) + _offset(instruction)
            return f"{local_text(result)} = get_work_item {operands} : {type_text(type_)}"
        case Subview(result=result, operand=operand, parts=parts, from_type=before, to_type=after):
            view = f"{local_text(operand)}[{', '.join(_part(part) for part in parts)}]"
            return f"{local_text(result)} = subview {view} : {memref_text(before)} to {memref_text(after)}"
        case (
            Axpby(map=map_, alpha=alpha, a=a, beta=beta, b=b)
            | Sum(map=map_, alpha=alpha, a=a, beta=beta, b=b)
            | Broadcast(map=map_, alpha=alpha, a=a, beta=beta, b=b)
        ):
            return _unary(_unary_word(instruction), map_, alpha, a, beta, b, indent)
        case Log(map=log_map):
            return _binary("log", log_map_text(log_map), instruction, indent)
        case Product(map=binary_map):
            return _binary("product", _binary_map(binary_map), instruction, indent)
        case Fill(alpha=alpha, beta=beta, b=b):
            return f"fill {scalar_text(alpha)}, {scalar_text(beta)}, {local_text(b.value)} : {memref_text(b.type)}"
        case Elementwise():
            return _elementwise(instruction, indent)
        case Arith(result=result, operator=operator, left=left, right=right, type=type_):
            operands = f"{scalar_text(left)}, {scalar_text(right)}"
            return f"{local_text(result)} = arith.{operator.value} {operands} : {type_.value}"
        case For(variable=variable, type=type_, start=start, stop=stop):
            return f"for {type_.value} {local_text(variable)} = {start} to {bracketed(stop)} {{"
        case Barrier():
            return "barrier"
        case LifetimeStop(operand=operand):
            return f"lifetime_stop {local_text(operand)}"


def _unary_word(instruction: Axpby | Sum | Broadcast) -> str:
    match instruction:
        case Axpby():
            return "axpby"
        case Sum():
            return "sum"
        case Broadcast():
            return "broadcast"


def _unary(word: str, map_: UnaryMap, alpha: Scalar, a: Operand, beta: Scalar, b: Operand, indent: str) -> str:
    operands = f"{scalar_text(alpha)}, {local_text(a.value)}, {scalar_text(beta)}, {local_text(b.value)}"
    types = f"{memref_text(a.type)} to {memref_text(b.type)}"
    return f"{word} {unary_map_text(map_)} {operands}\n{indent}{_INDENT * 2}: {types}"


def _binary(word: str, map_: str, instruction: Log | Product, indent: str) -> str:
    a, b, c = instruction.a, instruction.b, instruction.c
    factors = f"{scalar_text(instruction.alpha)}, {local_text(a.value)}, {local_text(b.value)}"
    target = f"{scalar_text(instruction.beta)}, {local_text(c.value)}"
    types = f"{memref_text(a.type)}, {memref_text(b.type)} to {memref_text(c.type)}"
    return f"{word} {map_} {factors}, {target}\n{indent}{_INDENT * 2}: {types}"


def _elementwise(instruction: Elementwise, indent: str) -> str:
    combiner = "" if instruction.combiner is None else f".{instruction.combiner.value}"
    operands = [scalar_text(instruction.alpha), *(local_text(operand.value) for operand in instruction.operands)]
    operands += [scalar_text(instruction.beta), local_text(instruction.c.value)]
    head = f"elementwise{combiner} {elementwise_map_text(instruction.map)} {', '.join(operands)}"
    types = ", ".join(memref_text(operand.type) for operand in instruction.operands)
    tail = f": {types}{' ' if types else ''}to {memref_text(instruction.c.type)}"
    if not instruction.payload.operations:
        return f"{head}\n{indent}{_INDENT * 2}{tail}"
    first = len(instruction.operands)
    lines = [
        f"{indent}{_INDENT}${first + number} = {operation_text(operation)}\n"
        for number, operation in enumerate(instruction.payload.operations)
    ]
    return f"{head} {{\n{''.join(lines)}{indent}}} {tail}"


def operation_text(operation: Operation[Scalar]) -> str:
    """`add $0, 1.0`."""
    return f"{operation.function.value} {', '.join(map(_argument_of_function, operation.arguments))}"


def _argument_of_function(argument: Entry | Scalar) -> str:
    return f"${argument.number}" if isinstance(argument, Entry) else scalar_text(argument)


def elementwise_map_text(map_: ElementwiseMap) -> str:
    """`{ij, j to ij}`."""
    return f"{{{', '.join(map(indices_text, map_.sources))} to {indices_text(map_.target)}}}"


def _offset(instruction: GetWorkItem) -> str:
    if instruction.offset is None or instruction.offset_type is None:
        return ""
    return f", {instruction.offset_type.value} {local_text(instruction.offset)}"


def _part(part: Position | Slice) -> str:
    match part:
        case Position(index=Local() as local, type=ScalarType() as type_):
            return f"{type_.value} {local_text(local)}"
        case Position(index=index):
            return str(index)
        case Slice(start=start, stop=stop):
            return f"{'' if start is None else start}:{'' if stop is None else bracketed(stop)}"


# -- maps --------------------------------------------------------------------------------------------------------------


def indices_text(indices: Indices) -> str:
    """The indices of one operand: `ij`, or `_` for none."""
    return "".join(indices) or "_"


def unary_map_text(map_: UnaryMap) -> str:
    """`{ji to ij}`."""
    return f"{{{indices_text(map_.source)} to {indices_text(map_.target)}}}"


def _binary_map(map_: BinaryMap) -> str:
    return f"{{{indices_text(map_.left)}, {indices_text(map_.right)} to {indices_text(map_.target)}}}"


def log_map_text(map_: LogMap) -> str:
    """`{i[k]m, m(jn) to i(jn)[k]}`."""
    return f"{{{entries_text(map_.left)}, {entries_text(map_.right)} to {entries_text(map_.target)}}}"


def entries_text(entries: tuple[MapEntry, ...]) -> str:
    """The indices of one operand with their modifiers: `i(jn)[k]`, or `_` for none."""
    return "".join(entry_text(entry) for entry in entries) or "_"


def entry_text(entry: MapEntry) -> str:
    """`i`, `[k]` or `(jn)`."""
    match entry:
        case Plain(name=name):
            return name
        case Looped(name=name):
            return f"[{name}]"
        case Fused(names=names):
            return f"({''.join(names)})"


# -- operands and types ------------------------------------------------------------------------------------------------


def local_text(local: Local) -> str:
    """`%x`."""
    return f"%{local.name}"


def scalar_text(scalar: Scalar) -> str:
    """`%alpha` or `1.0`: the shortest decimal that reads back as the same double."""
    match scalar:
        case Local():
            return local_text(scalar)
        case FloatConstant(value=value):
            return repr(value)


def type_text(type_: Type) -> str:
    """A type as the language writes it."""
    match type_:
        case ScalarType():
            return type_.value
        case MemrefType():
            return memref_text(type_)
        case GroupType(memref=memref, layout=layout):
            return f"group<{memref_text(memref)},{_layout(layout)}>"


def _layout(layout: Distance | Pointers) -> str:
    match layout:
        case Distance(elements=elements):
            return f"distance<{bracketed(elements)}>"
        case Pointers():
            return "pointers"


def memref_text(memref: MemrefType) -> str:
    """`memref<f64x56x9>`, with the strides where they are not the packed ones."""
    shape = "x".join([memref.element.value, *map(bracketed, memref.shape)])
    strides = ",".join(map(bracketed, memref.strides))
    return f"memref<{shape}>" if memref.is_packed else f"memref<{shape},strided<{strides}>>"
