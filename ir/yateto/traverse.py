"""Uses, definitions and regions of instructions: one match each, so that no pass lists the language again."""

from collections.abc import Iterable, Iterator, Mapping

from einsum_front.ir.yateto import nodes as yir

ValueInstruction = yir.Alloca | yir.GetWorkItem | yir.Subview | yir.Arith
TensorOperation = yir.Axpby | yir.Log | yir.Product | yir.Sum | yir.Broadcast | yir.Fill | yir.Elementwise


def instructions(region: yir.Region) -> Iterator[yir.Instruction]:
    """All instructions, those in loops after their loop, in the order of the text."""
    for instruction in region:
        yield instruction
        if isinstance(instruction, yir.For):
            yield from instructions(instruction.body)


def defined(instruction: yir.Instruction) -> yir.Local | None:
    """The local that an instruction gives a value, the variable of a loop included."""
    if isinstance(instruction, ValueInstruction):
        return instruction.result
    if isinstance(instruction, yir.For):
        return instruction.variable
    return None


def used(instruction: yir.Instruction) -> tuple[yir.Local, ...]:
    """The locals that an instruction uses itself, in the order of the text; not those in a loop."""
    match instruction:
        case yir.Alloca() | yir.For() | yir.Barrier():
            return ()
        case yir.GetWorkItem(group=group, offset=offset):
            return (group,) if offset is None else (group, offset)
        case yir.Subview(operand=operand, parts=parts):
            indices = [part.index for part in parts if isinstance(part, yir.Position)]
            return (operand, *(index for index in indices if isinstance(index, yir.Local)))
        case yir.Arith(left=left, right=right):
            return _locals(left, right)
        case yir.Log(alpha=alpha, a=a, b=b, beta=beta, c=c) | yir.Product(alpha=alpha, a=a, b=b, beta=beta, c=c):
            return (*_locals(alpha), a.value, b.value, *_locals(beta), c.value)
        case yir.Axpby(alpha=alpha, a=a, beta=beta, b=b) | yir.Sum(alpha=alpha, a=a, beta=beta, b=b):
            return (*_locals(alpha), a.value, *_locals(beta), b.value)
        case yir.Broadcast(alpha=alpha, a=a, beta=beta, b=b):
            return (*_locals(alpha), a.value, *_locals(beta), b.value)
        case yir.Fill(alpha=alpha, beta=beta, b=b):
            return (*_locals(alpha, beta), b.value)
        case yir.Elementwise(alpha=alpha, operands=operands, beta=beta, c=c, payload=payload):
            sources = (operand.value for operand in operands)
            return (*_locals(alpha), *sources, *_locals(beta), c.value, *_locals(*payload.scalars()))
        case yir.Gather(map=map_, sources=given, c=c):
            return (*(each.value for each in given), *(entry.integers.value for entry in map_.entries), c.value)
        case yir.LifetimeStop(operand=operand):
            return (operand,)


def _locals(*scalars: yir.Scalar) -> tuple[yir.Local, ...]:
    return tuple(scalar for scalar in scalars if isinstance(scalar, yir.Local))


def accesses(operation: TensorOperation) -> tuple[tuple[yir.Operand, yir.Indices], ...]:
    """The memref operands with the indices of their modes, the target last; those of `fill` have numbers."""
    match operation:
        case yir.Log(map=map_, a=a, b=b, c=c):
            return (
                (a, yir.flat_indices(map_.left)),
                (b, yir.flat_indices(map_.right)),
                (c, yir.flat_indices(map_.target)),
            )
        case yir.Product(map=map2, a=a, b=b, c=c):
            return (a, map2.left), (b, map2.right), (c, map2.target)
        case yir.Axpby(map=map1, a=a, b=b) | yir.Sum(map=map1, a=a, b=b) | yir.Broadcast(map=map1, a=a, b=b):
            return (a, map1.source), (b, map1.target)
        case yir.Elementwise(map=map_n, operands=operands, c=c):
            return (*zip(operands, map_n.sources, strict=True), (c, map_n.target))
        case yir.Fill(b=b):
            return ((b, tuple(f"i{mode}" for mode in range(b.type.order))),)


def target_of(instruction: yir.Instruction) -> yir.Operand | None:
    """The memref that an instruction writes; None if it writes none."""
    if isinstance(instruction, yir.Gather):
        first = instruction.sources[0]
        return yir.Operand(first.value, first.memref, first.origin) if instruction.adds else instruction.c
    return accesses(instruction)[-1][0] if isinstance(instruction, TensorOperation) else None


def moved_groups(function: yir.Function) -> frozenset[str]:
    """The groups that some `get_work_item` takes with an offset: their arguments are flat memory."""
    return frozenset(
        instruction.group.name
        for instruction in instructions(function.body)
        if isinstance(instruction, yir.GetWorkItem) and instruction.offset is not None
    )


# -- functions that run before a kernel, once for all work items -------------------------------------------------------
# Their place in a text, and what they compute.


def with_prologues(functions: Iterable[yir.Function]) -> tuple[yir.Function, ...]:
    """The functions as a text has them: a prologue stands in front of the first that has it."""
    found: list[yir.Function] = []
    for function in functions:
        if function.prologue is not None and function.prologue not in found:
            found.append(function.prologue)
        found.append(function)
    return tuple(found)


def owned_memory(prologue: yir.Function) -> Mapping[str, yir.MemrefType]:
    """Results of a prologue: the memrefs among its arguments that it writes, by name."""
    written = written_arguments(prologue)
    types = {argument.name.name: argument.type for argument in prologue.arguments}
    return {name: type_ for name, type_ in types.items() if isinstance(type_, yir.MemrefType) and name in written}


def written_arguments(function: yir.Function) -> frozenset[str]:
    """The memrefs among the arguments that a function writes, as a whole or a part of them."""
    base = {argument.name.name: argument.name.name for argument in function.arguments}
    written = set()
    for instruction in instructions(function.body):
        if isinstance(instruction, yir.Subview) and instruction.operand.name in base:
            base[instruction.result.name] = base[instruction.operand.name]
        elif (target := target_of(instruction)) is not None:
            written.add(base.get(target.value.name))
    return frozenset(name for name in written if name is not None)
