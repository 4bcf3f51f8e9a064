"""The YATeTo immediate language as text; `parse` reads it back."""

import math

from einsum_front.core.extent_text import bracketed
from einsum_front.core.facts import Limit, fact_lines
from einsum_front.core.payload import Entry, Operation
from einsum_front.core.prologues import with_prologues
from einsum_front.core.storage import ElementType
from einsum_front.core.writer import INDENT as _INDENT
from einsum_front.core.writer import Writer, Written
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.letters import with_letters


def unparse(program: yir.Program) -> str:
    """The text of a program. Indices with longer names get letters: `parse(unparse(p)) == with_letters(p)`."""
    return unparse_with_origins(program)[0]


def unparse_with_origins(program: yir.Program, *, tells_origins: bool = False) -> tuple[str, tuple[Written, ...]]:
    """The text, and for each function, argument and instruction its characters with its origin, inner ones first.

    If the text `tells_origins`, comments of it do: `parse` reads them.
    """
    writer = Writer(tells_origins, width=math.inf)
    for function in with_prologues(with_letters(program).functions):
        if writer.lines:
            writer.line("")
        _write_function(writer, function)
    return writer.text(), tuple(writer.written)


def _write_function(writer: Writer, function: yir.Function) -> None:
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


def _write_facts(writer: Writer, function: yir.Function) -> None:
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


def _argument(argument: yir.Argument) -> str:
    return f"{local_text(argument.name)}: {type_text(argument.type)}"


# -- instructions ------------------------------------------------------------------------------------------------------


def _write_region(writer: Writer, region: yir.Region) -> None:
    writer.depth += 1
    for instruction in region:
        start = writer.next_start
        writer.line(_instruction(instruction, _INDENT * writer.depth), instruction.origin)
        if isinstance(instruction, yir.For):
            _write_region(writer, instruction.body)
            writer.line("}")
        writer.node(start, instruction.origin)
    writer.depth -= 1


def _instruction(instruction: yir.Instruction, indent: str) -> str:
    """The instruction; of one with a region, the line before it."""
    match instruction:
        case yir.Alloca(result=result, type=memref):
            return f"{local_text(result)} = alloca : {memref_text(memref)}"
        case yir.GetWorkItem(result=result, group=group, type=type_):
            operands = local_text(group) + _offset(instruction)
            return f"{local_text(result)} = get_work_item {operands} : {type_text(type_)}"
        case yir.Subview(result=result, operand=operand, parts=parts, from_type=before, to_type=after):
            view = f"{local_text(operand)}[{', '.join(_part(part) for part in parts)}]"
            return f"{local_text(result)} = subview {view} : {memref_text(before)} to {memref_text(after)}"
        case (
            yir.Axpby(map=map_, alpha=alpha, a=a, beta=beta, b=b)
            | yir.Sum(map=map_, alpha=alpha, a=a, beta=beta, b=b)
            | yir.Broadcast(map=map_, alpha=alpha, a=a, beta=beta, b=b)
        ):
            return _unary(_unary_word(instruction), map_, alpha, a, beta, b, indent)
        case yir.Log(map=log_map):
            return _binary("log", log_map_text(log_map), instruction, indent)
        case yir.Product(map=binary_map):
            return _binary("product", _binary_map(binary_map), instruction, indent)
        case yir.Fill(alpha=alpha, beta=beta, b=b):
            return f"fill {scalar_text(alpha)}, {scalar_text(beta)}, {local_text(b.value)} : {memref_text(b.type)}"
        case yir.Elementwise():
            return _elementwise(instruction, indent)
        case yir.Gather(map=gather_map, sources=sources, c=target, adds=adds):
            operands = ", ".join(local_text(each) for each in (*(of.value for of in sources), target.value))
            types = ", ".join(
                [type_text(each.type) for each in sources]
                + [memref_text(entry.integers.type) for entry in gather_map.entries]
            )
            head = f"{'scatter' if adds else 'gather'} {gather_map_text(gather_map)} {operands}"
            return f"{head}\n{indent}{_INDENT * 2}: {types} to {memref_text(target.type)}"
        case yir.Arith(result=result, operator=operator, left=left, right=right, type=type_):
            operands = f"{scalar_text(left)}, {scalar_text(right)}"
            return f"{local_text(result)} = arith.{operator.value} {operands} : {type_.value}"
        case yir.For(variable=variable, type=type_, start=start, stop=stop):
            return f"for {type_.value} {local_text(variable)} = {start} to {bracketed(stop)} {{"
        case yir.Barrier():
            return "barrier"
        case yir.LifetimeStop(operand=operand):
            return f"lifetime_stop {local_text(operand)}"


def _unary_word(instruction: yir.Axpby | yir.Sum | yir.Broadcast) -> str:
    match instruction:
        case yir.Axpby():
            return "axpby"
        case yir.Sum():
            return "sum"
        case yir.Broadcast():
            return "broadcast"


def _unary(
    word: str, map_: yir.UnaryMap, alpha: yir.Scalar, a: yir.Operand, beta: yir.Scalar, b: yir.Operand, indent: str
) -> str:
    operands = f"{scalar_text(alpha)}, {local_text(a.value)}, {scalar_text(beta)}, {local_text(b.value)}"
    types = f"{memref_text(a.type)} to {memref_text(b.type)}"
    return f"{word} {unary_map_text(map_)} {operands}\n{indent}{_INDENT * 2}: {types}"


def _binary(word: str, map_: str, instruction: yir.Log | yir.Product, indent: str) -> str:
    a, b, c = instruction.a, instruction.b, instruction.c
    factors = f"{scalar_text(instruction.alpha)}, {local_text(a.value)}, {local_text(b.value)}"
    target = f"{scalar_text(instruction.beta)}, {local_text(c.value)}"
    types = f"{memref_text(a.type)}, {memref_text(b.type)} to {memref_text(c.type)}"
    return f"{word} {map_} {factors}, {target}\n{indent}{_INDENT * 2}: {types}"


def _elementwise(instruction: yir.Elementwise, indent: str) -> str:
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


def operation_text(operation: Operation[yir.Scalar]) -> str:
    """`add $0, 1.0`."""
    return f"{operation.function.value} {', '.join(map(_argument_of_function, operation.arguments))}"


def _argument_of_function(argument: Entry | yir.Scalar) -> str:
    return f"${argument.number}" if isinstance(argument, Entry) else scalar_text(argument)


def elementwise_map_text(map_: yir.ElementwiseMap) -> str:
    """`{ij, j to ij}`."""
    return f"{{{', '.join(map(indices_text, map_.sources))} to {indices_text(map_.target)}}}"


def gather_map_text(map_: yir.GatherMap) -> str:
    """`{%node[i], q @ %next[f] of %side[f] to iqf}`."""
    places = [gather_entry_text(each) if isinstance(each, yir.Entry) else str(each) for each in map_.places]
    words = [", ".join(places)] if places else []
    words += [] if map_.element is None else [f"@ {gather_entry_text(map_.element)}"]
    words += [] if map_.member is None else [f"of {gather_entry_text(map_.member)}"]
    return f"{{{' '.join(words)} to {indices_text(map_.target)}}}"


def gather_entry_text(entry: yir.Entry) -> str:
    """`%node[i]`."""
    return f"{local_text(entry.integers.value)}[{indices_text(entry.indices)}]"


def _offset(instruction: yir.GetWorkItem) -> str:
    if instruction.offset is None or instruction.offset_type is None:
        return ""
    return f", {instruction.offset_type.value} {local_text(instruction.offset)}"


def _part(part: yir.Position | yir.Slice) -> str:
    match part:
        case yir.Position(index=yir.Local() as local, type=ElementType() as type_):
            return f"{type_.value} {local_text(local)}"
        case yir.Position(index=index):
            return str(index)
        case yir.Slice(start=start, stop=stop):
            return f"{'' if start is None else start}:{'' if stop is None else bracketed(stop)}"


# -- maps --------------------------------------------------------------------------------------------------------------


def indices_text(indices: yir.Indices) -> str:
    """The indices of one operand: `ij`, or `_` for none."""
    return "".join(indices) or "_"


def unary_map_text(map_: yir.UnaryMap) -> str:
    """`{ji to ij}`."""
    return f"{{{indices_text(map_.source)} to {indices_text(map_.target)}}}"


def _binary_map(map_: yir.BinaryMap) -> str:
    return f"{{{indices_text(map_.left)}, {indices_text(map_.right)} to {indices_text(map_.target)}}}"


def log_map_text(map_: yir.LogMap) -> str:
    """`{i[k]m, m(jn) to i(jn)[k]}`."""
    return f"{{{entries_text(map_.left)}, {entries_text(map_.right)} to {entries_text(map_.target)}}}"


def entries_text(entries: tuple[yir.MapEntry, ...]) -> str:
    """The indices of one operand with their modifiers: `i(jn)[k]`, or `_` for none."""
    return "".join(entry_text(entry) for entry in entries) or "_"


def entry_text(entry: yir.MapEntry) -> str:
    """`i`, `[k]` or `(jn)`."""
    match entry:
        case yir.Plain(name=name):
            return name
        case yir.Looped(name=name):
            return f"[{name}]"
        case yir.Fused(names=names):
            return f"({''.join(names)})"


# -- operands and types ------------------------------------------------------------------------------------------------


def local_text(local: yir.Local) -> str:
    """`%x`."""
    return f"%{local.name}"


def scalar_text(scalar: yir.Scalar) -> str:
    """`%alpha` or `1.0`: the shortest decimal that reads back as the same double."""
    match scalar:
        case yir.Local():
            return local_text(scalar)
        case yir.Constant(value=value):
            return repr(value)


def type_text(type_: yir.Type) -> str:
    """A type as the language writes it."""
    match type_:
        case ElementType():
            return type_.value
        case yir.MemrefType():
            return memref_text(type_)
        case yir.GroupType(memref=memref, layout=layout):
            return f"group<{memref_text(memref)},{_layout(layout)}>"


def _layout(layout: yir.Layout) -> str:
    match layout:
        case yir.Distance(elements=elements):
            return f"distance<{bracketed(elements)}>"
        case yir.Pointers():
            return "pointers"
        case yir.After(modes=modes):
            return f"after<{modes}>"


def memref_text(memref: yir.MemrefType) -> str:
    """`memref<f64x56x9>`, with the strides where they are not the packed ones."""
    shape = "x".join([memref.element.value, *map(bracketed, memref.shape)])
    strides = ",".join(map(bracketed, memref.strides))
    return f"memref<{shape}>" if memref.is_packed else f"memref<{shape},strided<{strides}>>"
