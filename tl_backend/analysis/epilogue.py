"""Loops behind a product that run over its whole result, entry by entry.

    for %j = 0, 32 {
      foreach %i = 0, 32 {
        %b_entry = load %b[%i]
        %Y_entry = load %Y[%i, %j]                 of the memory of %Y only the entry that is written
        %add = arith.add %Y_entry, %b_entry
        store %add, %Y[%i, %j]                     the only store, at the end
      }
    }

So each entry may go through the body as soon as it has its sum, whatever becomes of the others.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import buffers
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.traverse import defined_in, operands, walked
from einsum_front.tl_backend.types import MemrefType

Memory = Mapping[str, str]
"""The argument or alloca whose memory a name stands for."""

Fusions = Mapping[str, tl.Fuse]
"""Views with fused modes, by name."""

Shape = tuple[int | None, ...]

MATRIX = 2


@dataclass(frozen=True, slots=True)
class Epilogue:
    """What the `loop` behind a product does to each entry of its `target`: `body`, which ends with the store.

    `row` and `column` are the variables; None: the target is a vector.
    """

    target: str
    row: str
    column: str | None
    body: tl.Region
    loop: tl.For | tl.Foreach


def memory_of(function: Function) -> Memory:
    """What is known of names that stand for one thing; members of groups may be anywhere."""
    return function.get(_memory_of)


def _memory_of(function: Function) -> Memory:
    defined = Counter(local.name for local in defined_in(function.body))
    groups = {argument.name.name for argument in function.arguments if not isinstance(argument.type, MemrefType)}
    found = buffers(function).items()
    return {name: buffer for name, buffer in found if buffer not in groups and max(defined[name], defined[buffer]) < 2}


def fused_views(function: Function) -> Fusions:
    """The matrices that are seen as vectors, by the names of these; none of names that stand for several things."""
    defined = Counter(local.name for local in defined_in(function.body))
    views = (each for each in function.get(walked) if isinstance(each, tl.Fuse) and len(each.type.shape) == MATRIX)
    return {each.result.name: each for each in views if max(defined[each.result.name], defined[each.operand.name]) < 2}


def find_epilogue(
    target: tl.TypedMemref, loop: tl.For | tl.Foreach, memory: Memory, fusions: Fusions | None = None
) -> Epilogue | None:
    """The loops, if each entry of a product's target goes through their body by itself.

    With `fusions`, a loop over all entries of fused modes is one over rows in one over columns.
    """
    nest = _unfused(loop, target, fusions) if fusions and isinstance(loop, tl.Foreach) else None
    found = _found(target, loop if nest is None else nest, memory)
    return None if found is None else replace(found, loop=loop)


def _unfused(loop: tl.Foreach, target: tl.TypedMemref, fusions: Fusions) -> tl.For | None:
    """The loop over the entries of matrices of the target's shape as two loops; None if it is no such loop.

    foreach %n = 0, 315 {                          for %n_column = 0, 9 {
      %x = load %A_fused[%n]                         foreach %n = 0, 35 {
      store %x, %Y_fused[%n]                           %x = load %A[%n, %n_column]
    }                                                  store %x, %Y[%n, %n_column]
    """
    variable, zero, one = loop.variable, tl.IntegerConstant(0), tl.IntegerConstant(1)
    column = tl.Local(f"{variable.name}_column")
    if len(target.type.shape) != MATRIX or None in target.type.shape:
        return None
    rows, columns = (tl.IntegerConstant(size or 0) for size in target.type.shape)
    if not _runs_over(loop, rows.value * columns.value) or any(column in operands(each) for each in loop.body):
        return None
    body: list[tl.Instruction] = []
    for each in loop.body:
        moved = _moved(each, target.type.shape, fusions, (variable, column)) if variable in operands(each) else each
        if moved is None:
            return None
        body.append(moved)
    inner = tl.Foreach(variable, zero, rows, loop.type, tuple(body), loop.origin)
    return tl.For(column, zero, columns, one, loop.type, (inner,), loop.origin)


def _moved(
    access: tl.Instruction, shape: Shape, fusions: Fusions, indices: tuple[tl.IndexOperand, ...]
) -> tl.Instruction | None:
    """The same entry in the matrix that is viewed, if it is one of that shape."""
    if not isinstance(access, tl.Load | tl.Store):
        return None
    view = fusions.get(access.operand.name if isinstance(access, tl.Load) else access.target.name)
    if view is None or (view.first, view.last) != (0, 1) or view.type.shape != shape:
        return None
    if isinstance(access, tl.Load):
        return replace(access, operand=view.operand, indices=indices, type=view.type)
    return replace(access, target=view.operand, indices=indices, type=view.type)


def _found(target: tl.TypedMemref, loop: tl.For | tl.Foreach, memory: Memory) -> Epilogue | None:
    loops = list(_nest(loop))
    variables = [each.variable.name for each in loops]
    shape = target.type.shape
    if not shape or len(loops) != len(shape) or not all(map(_runs_over, loops, reversed(shape))):
        return None
    row, column = variables[-1], variables[0] if len(variables) > 1 else None
    epilogue = Epilogue(target.value.name, row, column, tuple(loops[-1].body), loop)
    return epilogue if _is_entrywise(epilogue, memory) else None


def _nest(loop: tl.Instruction) -> Iterator[tl.For | tl.Foreach]:
    """The loop, and the one that is all of its body."""
    while isinstance(loop, tl.For | tl.Foreach):
        yield loop
        if len(loop.body) != 1:
            return
        (loop,) = loop.body


def _runs_over(loop: tl.For | tl.Foreach, size: int | None) -> bool:
    one = tl.IntegerConstant(1)
    step = loop.step if isinstance(loop, tl.For) else one
    return size is not None and (loop.start, loop.stop, step) == (tl.IntegerConstant(0), tl.IntegerConstant(size), one)


def _is_entrywise(epilogue: Epilogue, memory: Memory) -> bool:
    """True if the body computes with numbers, and ends with the only store, of the entry itself."""
    if not epilogue.body or epilogue.target not in memory:
        return False
    *steps, last = epilogue.body
    return (
        isinstance(last, tl.Store)
        and is_entry(last.target, last.indices, epilogue)
        and all(_is_step(each, epilogue, memory) for each in steps)
    )


def _is_step(step: tl.Instruction, epilogue: Epilogue, memory: Memory) -> bool:
    match step:
        case tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.MathCall():
            return True
        case tl.Load(operand=operand, indices=indices, type=MemrefType()):
            if operand.name == epilogue.target:
                return is_entry(operand, indices, epilogue)
            return operand.name in memory and memory[operand.name] != memory[epilogue.target]
        case (
            tl.Alloca() | tl.Expand() | tl.Fuse() | tl.GroupId() | tl.GroupSize() | tl.Load() | tl.Size() | tl.Subview()
            | tl.Collective() | tl.If() | tl.For() | tl.Foreach() | tl.Store() | tl.Yield() | tl.Barrier()
            | tl.LifetimeStop()
        ):  # fmt: skip
            return False


def is_entry(memref: tl.Local, indices: tuple[tl.IndexOperand, ...], epilogue: Epilogue) -> bool:
    """True if this is the entry of the target that the loops are at."""
    wanted = (epilogue.row,) if epilogue.column is None else (epilogue.row, epilogue.column)
    return memref.name == epilogue.target and indices == tuple(map(tl.Local, wanted))
