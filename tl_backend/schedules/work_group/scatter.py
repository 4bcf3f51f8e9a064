"""Atomic sums where integers say: the work-items share all entries of a nest of loops.

for %i = 0, 4 {                                        for (int turn = 0; …) {
  for %j = 0, 8 {                                          int entry = item_row + 32 * turn;
    %n = load %node[%i, %j]                                long i = entry % 4;
    %is_there = cmp.ge %n, 0                               long j = entry / 4;
    if %is_there {                                ──►      int n = node[i + 4 * j];
      %to = subview %y[%n]                                 if (n >= 0)
      axpby.n.atomic 1.0, %parts[%i, %j], 1.0, %to             atomic_add_double_global(&y[n], parts[i + 4 * j]);
    }                                                  }
  }
}

Sums of one launch have no order, so iterations may have another one. Work-items beside each other take integers beside
each other.
"""

from collections.abc import Iterator, Sequence
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar
from einsum_front.tl_backend.opencl import index, scalar
from einsum_front.tl_backend.opencl.kernel import comment
from einsum_front.tl_backend.schedules.lowering.product import product_of
from einsum_front.tl_backend.schedules.lowering.region import lower_branch, lower_value
from einsum_front.tl_backend.schedules.work_group.blocks import spread
from einsum_front.tl_backend.schedules.work_group.context import GroupContext
from einsum_front.tl_backend.schedules.work_group.elements import wait_for_all
from einsum_front.tl_backend.schedules.work_group.tile import Tile, lower_tile, make_frame
from einsum_front.tl_backend.types import MemrefType

Between = tl.ArithBinary | tl.Cast | tl.Compare | tl.Fuse | tl.Load | tl.Size | tl.Subview
"""Numbers, and views."""

Digits = dict[tl.For | tl.Axpby, tree.Expression]
"""What each loop counts to in an iteration of all, and which entry the sum takes."""


@dataclass(frozen=True, slots=True)
class _Nest:
    """Loops around one atomic sum, from the outside; between them stands what has no effects, and branches."""

    loops: tuple[tl.For, ...]
    between: tuple[tl.Instruction, ...]
    update: tl.Axpby

    @property
    def sizes(self) -> dict[tl.For | tl.Axpby, int]:
        """Iterations of each loop, and entries of the sum, in the order in which work-items walk them."""
        loads = [each for each in self.between if isinstance(each, tl.Load)]
        strides = dict(_strides(loads[0])) if loads else {}
        inner = [loop for loop in reversed(self.loops) if loop.variable.name not in strides]
        outer = sorted(set(self.loops) - set(inner), key=lambda loop: strides[loop.variable.name])
        walked: list[tuple[tl.For | tl.Axpby, int | None]] = [
            *((self.update, size) for size in self.update.target.type.shape),
            *((loop, _iterations(loop)) for loop in (*inner, *outer)),
        ]
        return {each: size for each, size in walked if size is not None}


def lower_scatter(loop: tl.For, context: GroupContext) -> tree.Statements:
    """The statements of a nest of loops whose iterations work-items can share; none if they cannot."""
    nest = None if context.items.count == 1 else _nest(loop)
    if nest is None or _is_far(nest, context):
        return ()
    sizes = nest.sizes

    def body(entry: tree.Name) -> tree.Statements:
        places: Digits = {}
        rest: tree.Expression = entry
        for number, (each, size) in enumerate(sizes.items(), 1):
            is_last = number == len(sizes)
            places[each] = rest if is_last else index.remainder(rest, index.constant(size))
            rest = index.divide(rest, index.constant(size))
        return _lower((loop,), places, context.alone().inner())

    shared = spread(prod(sizes.values()), context.items, context.names, body)
    if context.is_element is not None:
        shared = (tree.If(context.is_element, shared),)
    return (wait_for_all(is_local=not context.has_global_fences), *shared)


def _lower(region: Sequence[tl.Instruction], places: Digits, context: GroupContext) -> tree.Statements:
    """One iteration of all loops."""
    found = ((each, _lower_one(each, places, context)) for each in region if not isinstance(each, tl.Barrier))
    return tuple(tree.Section(comment(each), body, each.origin) for each, body in found if body)


def _lower_one(instruction: tl.Instruction, places: Digits, context: GroupContext) -> tree.Statements:
    if isinstance(instruction, tl.For):
        count = scalar.convert(places[instruction], Scalar.I32, scalar.REGISTER[instruction.type])
        number = context.define(instruction.variable, instruction.type, count)
        return (*number, *_lower(instruction.body, places, context))
    if isinstance(instruction, tl.If):
        return lower_branch(instruction, context, lambda taken: _lower(taken, places, context.inner()))
    if isinstance(instruction, tl.Axpby):
        frame = make_frame(product_of(instruction, context.view), context)
        return lower_tile(Tile(places.get(instruction, index.ZERO), index.ZERO, 1, 1), frame)
    if isinstance(instruction, Between):
        return lower_value(instruction, context)
    raise CompilerBug("work-items share no such instruction")


def _nest(loop: tl.For) -> _Nest | None:
    loops: list[tl.For] = []
    between: list[tl.Instruction] = []
    update = _chain(loop, loops, between)
    return None if update is None else _Nest(tuple(loops), tuple(between), update)


def _chain(instruction: tl.Instruction, loops: list[tl.For], between: list[tl.Instruction]) -> tl.Axpby | None:
    """The atomic sum at the end of a chain of loops and branches, which are collected with what stands before it."""
    if isinstance(instruction, tl.Axpby):
        shape = instruction.target.type.shape
        is_sum = instruction.atomic and instruction.beta.is_number(1)
        return instruction if is_sum and len(shape) <= 1 and None not in shape else None
    if isinstance(instruction, tl.For) and _iterations(instruction):
        loops.append(instruction)
        region = instruction.body
    elif isinstance(instruction, tl.If) and not instruction.results and instruction.otherwise is None:
        region = instruction.then
    else:
        return None
    effects = [each for each in region if not _is_between(each)]
    between += [each for each in region if _is_between(each)]
    return _chain(effects[0], loops, between) if len(effects) == 1 else None


def _is_between(instruction: tl.Instruction) -> bool:
    """True for what any work-item may do again: views, numbers, and integers of memory, which no sum changes."""
    if isinstance(instruction, tl.Load):
        return isinstance(instruction.type, MemrefType) and instruction.type.element.is_integer
    return isinstance(instruction, Between | tl.Barrier)


def _iterations(loop: tl.For) -> int | None:
    """How often a loop runs that begins at 0 and takes steps of 1, if that is known and it runs at all."""
    bounds = [each.value for each in (loop.start, loop.stop, loop.step) if isinstance(each, tl.IntegerConstant)]
    return bounds[1] if len(bounds) == 3 and bounds[0] == 0 and bounds[1] > 0 and bounds[2] == 1 else None


def _strides(load: tl.Load) -> Iterator[tuple[str, int]]:
    """How far apart the entries lie that an index walks."""
    if isinstance(load.type, MemrefType):
        for place, stride in zip(load.indices, load.type.strides, strict=True):
            if isinstance(place, tl.Local) and stride is not None:
                yield place.name, stride


def _is_far(nest: _Nest, context: GroupContext) -> bool:
    """True if what is added may be the memory that is added to: then iterations see each other."""
    views = {each.result.name: each.operand.name for each in nest.between if isinstance(each, tl.Subview | tl.Fuse)}
    name = nest.update.inputs[0].value.name
    while name in views:
        name = views[name]
    return context.view(tl.Local(name)).pointer.space is AddressSpace.GLOBAL
