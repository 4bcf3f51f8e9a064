"""Uses, names and regions of an instruction: one match each, so that no pass lists the language again."""

from collections.abc import Iterator

from einsum_front.tl_backend.instructions import (
    Alloca,
    ArithBinary,
    ArithUnary,
    Barrier,
    Cast,
    Collective,
    Compare,
    Expand,
    For,
    Foreach,
    Fuse,
    GroupId,
    GroupSize,
    If,
    Instruction,
    LifetimeStop,
    Load,
    Local,
    MathCall,
    Operand,
    Position,
    Region,
    Size,
    Slice,
    Store,
    Subview,
    TypedMemref,
    TypedScalar,
    Yield,
)
from einsum_front.tl_backend.program import Function


def operands(instruction: Instruction) -> tuple[Operand, ...]:
    """The operands of the instruction itself, in the order of the text; those inside its regions are not among them."""
    match instruction:
        case Alloca() | GroupId() | GroupSize() | Barrier():
            return ()
        case ArithBinary(left=left, right=right) | Compare(left=left, right=right):
            return left, right
        case ArithUnary(operand=scalar) | Cast(operand=scalar):
            return (scalar,)
        case MathCall(operands=values) | Yield(values=values):
            return values
        case Fuse(operand=local) | Size(operand=local) | LifetimeStop(operand=local):
            return (local,)
        case Expand(operand=local, shape=shape):
            return local, *(entry for entry in shape if entry is not None)
        case Load(operand=local, indices=indices):
            return local, *indices
        case Subview(operand=local, slices=slices):
            return local, *(operand for slice_ in slices for operand in _slice_operands(slice_))
        case Collective():
            return tuple(operand.value for operand in typed_operands(instruction))
        case Store(value=value, target=target, indices=indices):
            return value, target, *indices
        case If(condition=condition):
            return (condition,)
        case For(start=start, stop=stop, step=step):
            return start, stop, step
        case Foreach(start=start, stop=stop):
            return start, stop


def typed_operands(instruction: Collective) -> tuple[TypedScalar | TypedMemref, ...]:
    """The operands with the types written for them, in the order of the text: alpha, inputs, beta, target."""
    return instruction.alpha, *instruction.inputs, instruction.beta, instruction.target


def _slice_operands(slice_: Position | Slice) -> tuple[Operand, ...]:
    match slice_:
        case Position(index=index):
            return (index,)
        case Slice(offset=offset, size=size):
            return (offset,) if size is None else (offset, size)


def results(instruction: Instruction) -> tuple[Local, ...]:
    """The values that the instruction names in its own region; a loop variable lives inside the loop only."""
    match instruction:
        case (
            Alloca(result=result)
            | ArithBinary(result=result)
            | ArithUnary(result=result)
            | Cast(result=result)
            | Compare(result=result)
            | Expand(result=result)
            | Fuse(result=result)
            | GroupId(result=result)
            | GroupSize(result=result)
            | Load(result=result)
            | MathCall(result=result)
            | Size(result=result)
            | Subview(result=result)
        ):
            return (result,)
        case If(results=names):
            return names
        case (
            Collective()
            | For() | Foreach() | Store() | Yield() | Barrier() | LifetimeStop()
        ):  # fmt: skip
            return ()


def regions(instruction: Instruction) -> tuple[Region, ...]:
    """The regions inside the instruction, in the order of the text."""
    match instruction:
        case If(then=then, otherwise=otherwise):
            return (then,) if otherwise is None else (then, otherwise)
        case For(body=body) | Foreach(body=body):
            return (body,)
        case (
            Alloca() | ArithBinary() | ArithUnary() | Cast() | Compare() | Expand() | Fuse() | GroupId() | GroupSize()
            | Load() | MathCall() | Size() | Subview() | Collective()
            | Store() | Yield() | Barrier() | LifetimeStop()
        ):  # fmt: skip
            return ()


def walk(region: Region) -> Iterator[Instruction]:
    """Every instruction of the region and of the regions inside it, in the order of the text."""
    for instruction in region:
        yield instruction
        for inner in regions(instruction):
            yield from walk(inner)


def defined_locals(function: Function) -> tuple[Local, ...]:
    """Every name of the function, where it is defined, in the order of the text: arguments, results, loop variables."""
    return *(argument.name for argument in function.arguments), *defined_in(function.body)


def defined_in(region: Region) -> tuple[Local, ...]:
    """Every name that the region and the regions inside it define, in the order of the text."""
    return tuple(
        local
        for instruction in walk(region)
        for local in ((instruction.variable,) if isinstance(instruction, For | Foreach) else results(instruction))
    )
