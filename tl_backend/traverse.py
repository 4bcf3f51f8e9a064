"""Uses, names and regions of an instruction: one match each, so that no pass lists the language again."""

from collections.abc import Iterator

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Function


def operands(instruction: tl.Instruction) -> tuple[tl.Operand, ...]:
    """The operands of the instruction itself, in the order of the text; those inside its regions are not among them."""
    match instruction:
        case tl.GroupId() | tl.GroupSize() | tl.Barrier():
            return ()
        case tl.ArithBinary(left=left, right=right) | tl.Compare(left=left, right=right):
            return left, right
        case tl.ArithUnary(operand=scalar) | tl.Cast(operand=scalar):
            return (scalar,)
        case tl.MathCall(operands=values) | tl.Yield(values=values) | tl.Alloca(sizes=values):
            return values
        case tl.Fuse(operand=local) | tl.Size(operand=local) | tl.LifetimeStop(operand=local):
            return (local,)
        case tl.Expand(operand=local, shape=shape):
            return local, *(entry for entry in shape if entry is not None)
        case tl.Load(operand=local, indices=indices):
            return local, *indices
        case tl.Subview(operand=local, slices=slices):
            return local, *(operand for slice_ in slices for operand in _slice_operands(slice_))
        case tl.Collective():
            return tuple(operand.value for operand in typed_operands(instruction))
        case tl.Store(value=value, target=target, indices=indices):
            return value, target, *indices
        case tl.If(condition=condition):
            return (condition,)
        case tl.For(start=start, stop=stop, step=step):
            return start, stop, step
        case tl.Foreach(start=start, stop=stop):
            return start, stop


def typed_operands(instruction: tl.Collective) -> tuple[tl.TypedScalar | tl.TypedMemref, ...]:
    """The operands with the types written for them, in the order of the text: alpha, inputs, beta, target."""
    return instruction.alpha, *instruction.inputs, instruction.beta, instruction.target


def _slice_operands(slice_: tl.Position | tl.Slice) -> tuple[tl.Operand, ...]:
    match slice_:
        case tl.Position(index=index):
            return (index,)
        case tl.Slice(offset=offset, size=size):
            return (offset,) if size is None else (offset, size)


def is_batched(function: Function) -> bool:
    """True if the function runs for each element of a batch: it asks for the group id."""
    return any(isinstance(each, tl.GroupId) for each in function.get(walked))


def results(instruction: tl.Instruction) -> tuple[tl.Local, ...]:
    """The values that the instruction names in its own region; a loop variable lives inside the loop only."""
    match instruction:
        case (
            tl.Alloca(result=result)
            | tl.ArithBinary(result=result)
            | tl.ArithUnary(result=result)
            | tl.Cast(result=result)
            | tl.Compare(result=result)
            | tl.Expand(result=result)
            | tl.Fuse(result=result)
            | tl.GroupId(result=result)
            | tl.GroupSize(result=result)
            | tl.Load(result=result)
            | tl.MathCall(result=result)
            | tl.Size(result=result)
            | tl.Subview(result=result)
        ):
            return (result,)
        case tl.If(results=names):
            return names
        case (
            tl.Collective()
            | tl.For() | tl.Foreach() | tl.Store() | tl.Yield() | tl.Barrier() | tl.LifetimeStop()
        ):  # fmt: skip
            return ()


def regions(instruction: tl.Instruction) -> tuple[tl.Region, ...]:
    """The regions inside the instruction, in the order of the text."""
    match instruction:
        case tl.If(then=then, otherwise=otherwise):
            return (then,) if otherwise is None else (then, otherwise)
        case tl.For(body=body) | tl.Foreach(body=body):
            return (body,)
        case (
            tl.Alloca() | tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse()
            | tl.GroupId() | tl.GroupSize() | tl.Load() | tl.MathCall() | tl.Size() | tl.Subview() | tl.Collective()
            | tl.Store() | tl.Yield() | tl.Barrier() | tl.LifetimeStop()
        ):  # fmt: skip
            return ()


def walk(region: tl.Region) -> Iterator[tl.Instruction]:
    """Every instruction of the region and of the regions inside it, in the order of the text."""
    for instruction in region:
        yield instruction
        for inner in regions(instruction):
            yield from walk(inner)


def walked(function: Function) -> tuple[tl.Instruction, ...]:
    """Every instruction of a function, in the order of the text: `function.get(walked)` keeps it for others."""
    return tuple(walk(function.body))


def defined_locals(function: Function) -> tuple[tl.Local, ...]:
    """Every name of the function, where it is defined, in the order of the text: arguments, results, loop variables."""
    return *(argument.name for argument in function.arguments), *defined_in(function.body)


def defined_in(region: tl.Region) -> tuple[tl.Local, ...]:
    """Every name that the region and the regions inside it define, in the order of the text."""
    return tuple(
        local
        for instruction in walk(region)
        for local in ((instruction.variable,) if isinstance(instruction, tl.For | tl.Foreach) else results(instruction))
    )
