"""Uses, definitions and regions of instructions: one match each, so that no pass lists the language again."""

from collections.abc import Iterator

from einsum_front.ir.yateto.nodes import (
    Alloca,
    Arith,
    Axpby,
    Barrier,
    Broadcast,
    Elementwise,
    Fill,
    For,
    Function,
    GetWorkItem,
    Indices,
    Instruction,
    LifetimeStop,
    Local,
    Log,
    Operand,
    Position,
    Product,
    Region,
    Scalar,
    Subview,
    Sum,
    flat_indices,
)

ValueInstruction = Alloca | GetWorkItem | Subview | Arith
TensorOperation = Axpby | Log | Product | Sum | Broadcast | Fill | Elementwise


def instructions(region: Region) -> Iterator[Instruction]:
    """All instructions, those in loops after their loop, in the order of the text."""
    for instruction in region:
        yield instruction
        if isinstance(instruction, For):
            yield from instructions(instruction.body)


def defined(instruction: Instruction) -> Local | None:
    """The local that an instruction gives a value, the variable of a loop included."""
    if isinstance(instruction, ValueInstruction):
        return instruction.result
    if isinstance(instruction, For):
        return instruction.variable
    return None


def used(instruction: Instruction) -> tuple[Local, ...]:
    """The locals that an instruction uses itself, in the order of the text; not those in a loop."""
    match instruction:
        case Alloca() | For() | Barrier():
            return ()
        case GetWorkItem(group=group, offset=offset):
            return (group,) if offset is None else (group, offset)
        case Subview(operand=operand, parts=parts):
            indices = [part.index for part in parts if isinstance(part, Position)]
            return (operand, *(index for index in indices if isinstance(index, Local)))
        case Arith(left=left, right=right):
            return _locals(left, right)
        case Log(alpha=alpha, a=a, b=b, beta=beta, c=c) | Product(alpha=alpha, a=a, b=b, beta=beta, c=c):
            return (*_locals(alpha), a.value, b.value, *_locals(beta), c.value)
        case Axpby(alpha=alpha, a=a, beta=beta, b=b) | Sum(alpha=alpha, a=a, beta=beta, b=b):
            return (*_locals(alpha), a.value, *_locals(beta), b.value)
        case Broadcast(alpha=alpha, a=a, beta=beta, b=b):
            return (*_locals(alpha), a.value, *_locals(beta), b.value)
        case Fill(alpha=alpha, beta=beta, b=b):
            return (*_locals(alpha, beta), b.value)
        case Elementwise(alpha=alpha, operands=operands, beta=beta, c=c, payload=payload):
            sources = (operand.value for operand in operands)
            return (*_locals(alpha), *sources, *_locals(beta), c.value, *_locals(*payload.scalars()))
        case LifetimeStop(operand=operand):
            return (operand,)


def _locals(*scalars: Scalar) -> tuple[Local, ...]:
    return tuple(scalar for scalar in scalars if isinstance(scalar, Local))


def accesses(operation: TensorOperation) -> tuple[tuple[Operand, Indices], ...]:
    """The memref operands with the indices of their modes, the target last; those of `fill` have numbers."""
    match operation:
        case Log(map=map_, a=a, b=b, c=c):
            return (a, flat_indices(map_.left)), (b, flat_indices(map_.right)), (c, flat_indices(map_.target))
        case Product(map=map2, a=a, b=b, c=c):
            return (a, map2.left), (b, map2.right), (c, map2.target)
        case Axpby(map=map1, a=a, b=b) | Sum(map=map1, a=a, b=b) | Broadcast(map=map1, a=a, b=b):
            return (a, map1.source), (b, map1.target)
        case Elementwise(map=map_n, operands=operands, c=c):
            return (*zip(operands, map_n.sources, strict=True), (c, map_n.target))
        case Fill(b=b):
            return ((b, tuple(f"i{mode}" for mode in range(b.type.order))),)


def moved_groups(function: Function) -> frozenset[str]:
    """The groups that some `get_work_item` takes with an offset: their arguments are flat memory."""
    return frozenset(
        instruction.group.name
        for instruction in instructions(function.body)
        if isinstance(instruction, GetWorkItem) and instruction.offset is not None
    )
