"""Loops of a function as it is written: a box of points for each instruction, every loop sequential."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import prod

from einsum_front.core.facts import Nonzeros, Values
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import Access as Place
from einsum_front.tl_backend.access import Accesses, Affine, named
from einsum_front.tl_backend.loops.expressions import Expressions, NoLoopsError
from einsum_front.tl_backend.loops.lanes import close_rows, lanes_of
from einsum_front.tl_backend.loops.nodes import (
    Access,
    Elements,
    Factor,
    Loop,
    Loops,
    Node,
    Nodes,
    Number,
    Product,
    Scalar,
    Tensor,
)
from einsum_front.tl_backend.loops.rewrites import without_copies
from einsum_front.tl_backend.program import Function, of_element
from einsum_front.tl_backend.semantics import Axis, AxisMap, index_maps, known_sizes, letters_of, memrefs
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType

Extents = tuple[int | None, ...]

ELEMENT = "e"
"""The axis of the batch, if no index of the notation has this name."""

COLUMN = "c"
"""That of columns, which are in its place where they are the lanes of vectors."""

MOST_ENTRIES = 4096
"""Entries of a temporary that has its own for each iteration of the loops around it, so that it is set once (E0909).

With more of them they would not fit into a cache, one for each lane. Such loops are left as they are, without steps.
"""


def loops_of(function: Function) -> Loops:
    """The loops of a function whose names are unique; raises `NoLoopsError`."""
    return _Reader(function).loops()


class _Reader:
    """A function while it becomes loops."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._batched = function.batch_modes
        self._lanes = lanes_of(function)
        self._accesses = Accesses.of_arguments(function)
        scalars = (each.name.name for each in function.arguments if isinstance(each.type, ScalarType))
        self._values = Expressions(frozenset(scalars))
        self._regions = 0
        self._first: list[Node] = []
        self._before: list[Node] = []
        self._group: str | None = None
        self._axes: set[str] = {each.name.name for each in function.arguments}
        self._tensors: dict[str, Tensor] = {}
        self._around: list[tuple[str, int]] = []
        self._own: dict[str, tuple[str, ...]] = {}
        self._converted: dict[str, ScalarType] = {}

    def loops(self) -> Loops:
        """All of them."""
        function = self._function
        if function.work_items != (1, 1) or function.subgroup_size is not None:
            raise NoLoopsError("it asks for work-groups of its own")
        if not self._batched:
            raise NoLoopsError("no argument is one for each element")
        for argument in function.arguments:
            self._argument(argument.name.name, argument.type)
        self._element = self._fresh(COLUMN if self._lanes.are_columns else ELEMENT)
        body = tuple(self._region(function.body))
        nodes = (Loop(self._element, Elements(), (*self._first, *body)),)
        loops = Loops(function.name, tuple(map(self._in_memory, self._tensors.values())), nodes)
        if len(self._values.types | {each.element for each in loops.tensors}) > 1:
            raise NoLoopsError("it mixes types")
        if not all(each.element in (ScalarType.F32, ScalarType.F64) for each in loops.tensors):
            raise NoLoopsError("it computes with other numbers than f32 and f64")
        return without_copies(loops)

    def _in_memory(self, tensor: Tensor) -> Tensor:
        """An argument that is converted, with the type that it is converted to as that which is computed with."""
        computed = self._converted.get(tensor.name, tensor.element)
        if computed is tensor.element:
            return tensor
        if not tensor.is_fastest or not tensor.element.is_floating:
            raise NoLoopsError(f"`%{tensor.name}` has another type in memory, where no elements are neighbours")
        return replace(tensor, element=computed, memory=tensor.element)

    # -- tensors -------------------------------------------------------------------------------------------------------

    def _argument(self, name: str, type_: ScalarType | MemrefType | GroupType) -> None:
        match type_:
            case ScalarType():
                return
            case GroupType():
                raise NoLoopsError(f"`%{name}` is a group of memrefs")
            case MemrefType(element=element, order=order, shape=shape, strides=strides):
                mode, batch = self._batched.get(name), None
                if mode is not None:
                    batch = strides[mode] or 0
                    shape, strides = of_element(shape, mode), of_element(strides, mode)
        if self._lanes.are_columns:
            self._tensors[name] = self._of_column(name, element, shape, strides)
            return
        sizes, is_fastest = _known(shape), mode is not None and mode < order - 1
        if is_fastest and any(size != 1 for size in shape[:mode]):
            raise NoLoopsError(f"the elements of `%{name}` lie between its modes")
        if is_fastest and sizes is not None:  # modes behind that of the batch have no gaps
            strides = MemrefType.packed(element, sizes).strides
        steps = _known(strides)
        if sizes is None or steps is None:
            raise NoLoopsError(f"the size of `%{name}` is known at the launch only")
        self._tensors[name] = self._with_facts(Tensor(name, element, sizes, steps, batch, is_fastest))

    def _with_facts(self, tensor: Tensor) -> Tensor:
        facts = [fact for fact in self._function.facts if fact.argument == tensor.name]
        nonzeros = next((fact.runs for fact in facts if isinstance(fact, Nonzeros)), None)
        values = next((fact.entries for fact in facts if isinstance(fact, Values)), None)
        return replace(tensor, nonzeros=nonzeros, values=values)

    def _of_column(self, name: str, element: ScalarType, shape: Extents, strides: Extents) -> Tensor:
        """A tensor of an element as a column of it sees it: its strides count rows of columns, which have no gaps."""
        lanes = self._lanes.modes.get(name, ())
        kept = [mode for mode in range(len(shape)) if mode not in lanes]
        sizes = _known(tuple(shape[mode] for mode in kept))
        steps = _known(tuple(strides[mode] for mode in kept))
        if lanes and sizes is not None:
            close = set(close_rows(self._function, name))
            for (inner, outer), size in zip(pairwise(kept), sizes, strict=False):
                near, far = strides[inner], strides[outer]
                if (inner, outer) not in close and (near is None or far is None or near * size != far):
                    raise NoLoopsError(f"modes of `%{name}` have gaps between them")
            steps = tuple(step or 1 for step in MemrefType.packed(element, sizes).strides)
        if sizes is None or steps is None:
            raise NoLoopsError(f"the size of `%{name}` is known at the launch only")
        tensor = self._with_facts(Tensor(name, element, sizes, steps, 1 if lanes else None, bool(lanes)))
        if lanes and tensor.nonzeros is not None:
            raise NoLoopsError(f"columns of `%{name}` have zeros")
        return tensor

    def _alloca(self, instruction: tl.Alloca) -> Iterator[Node]:
        name, type_ = instruction.result.name, instruction.type
        lanes = self._lanes.modes.get(name, ()) if self._lanes.are_columns else ()
        sizes = _known(tuple(size for mode, size in enumerate(type_.shape) if mode not in lanes))
        steps = _known(MemrefType.packed(type_.element, sizes).strides if lanes and sizes else type_.strides)
        if lanes and sizes == ():
            steps = ()
        if sizes is None or steps is None or name in self._tensors or instruction.is_global:
            raise NoLoopsError(f"the temporary `%{name}` is not of a kind that loops have")
        whole = Tensor(name, type_.element, sizes, steps).span
        around = self._around if whole * prod(count for _, count in self._around) <= MOST_ENTRIES else []
        own, counts = tuple(axis for axis, _ in around), tuple(count for _, count in around)
        further = tuple(whole * prod(counts[:number]) for number in range(len(counts)))
        self._own[name] = own
        self._tensors[name] = Tensor(name, type_.element, (*sizes, *counts), (*steps, *further), is_temporary=True)
        if instruction.nonzeros is not None:  # entries that nothing writes are read as zeros
            axes = tuple(self._fresh(f"{name}_{mode}") for mode in range(len(sizes)))
            target = Access(name, tuple(map(named, (*axes, *own))))
            node: Node = Product(target, False, (Number(0.0),), instruction.origin)
            for axis, size in reversed(list(zip(axes, sizes, strict=True))):
                node = Loop(axis, size, (node,))
            yield node

    def _fresh(self, hint: str) -> str:
        name, number = hint, 1
        while name in self._axes:
            number += 1
            name = f"{hint}{number}"
        self._axes.add(name)
        return name

    # -- instructions --------------------------------------------------------------------------------------------------

    def _region(self, region: tl.Region) -> Iterator[Node]:
        for instruction in region:
            match instruction:
                case tl.GroupId(result=result):
                    self._group = result.name
                case tl.ArithBinary() | tl.ArithUnary() | tl.MathCall() if instruction.type.is_floating:
                    self._values.note(instruction)
                case tl.Cast(result=result, operand=same) if instruction.from_type is instruction.to_type:
                    self._values.same(result.name, same)
                case tl.Subview() | tl.Fuse() | tl.Expand() | tl.Size() | tl.ArithBinary():
                    self._accesses.note(instruction)
                case tl.Load(result=result, operand=memref, indices=indices):
                    self._values.load(result.name, self._entry(memref, indices))
                case tl.Store(value=value, target=memref, indices=indices, origin=origin):
                    target = self._entry(memref, indices)
                    yield self._values.update(target, value, origin)
                    self._values.written(target.tensor)
                case tl.Alloca():
                    self._accesses.note(instruction)
                    yield from self._alloca(instruction)
                case tl.LifetimeStop() | tl.Yield():
                    pass
                case tl.For() | tl.Foreach():
                    yield from self._loop(instruction)
                case tl.Collective():
                    yield from self._collective(instruction)
                case _:  # open: instructions of which loops have no form are refused by name
                    name = type(instruction).__name__
                    raise NoLoopsError(f"it has the instruction `{name}`, which loops do not have")

    def _loop(self, instruction: tl.For | tl.Foreach) -> Nodes:
        if (0, instruction.variable.name) in self._lanes.axes:
            self._accesses.note(instruction)
            return tuple(self._region(instruction.body))
        bounds = instruction.start, instruction.stop, _step(instruction)
        numbers = [each.value for each in bounds if isinstance(each, tl.IntegerConstant)]
        if len(numbers) < len(bounds):
            raise NoLoopsError("a loop has bounds that are no numbers")
        start, stop, step = numbers
        axis = self._fresh(instruction.variable.name)
        self._accesses.note(instruction)
        self._accesses.values[instruction.variable.name] = named(axis).times(step) + Affine(start)
        around, self._regions = self._values.region, self._regions + 1
        self._values.region = self._regions
        count = len(range(start, stop, step))
        self._around.append((axis, count))
        body = tuple(self._region(instruction.body))
        self._around.pop()
        self._values.region = around
        return (Loop(axis, count, body),)

    def _collective(self, instruction: tl.Collective) -> Iterator[Node]:
        if instruction.atomic:
            raise NoLoopsError("it updates memory atomically")
        if len({each.type.element for each in memrefs(instruction)}) > 1:
            numbers = instruction.alpha.is_number(1), instruction.beta.is_number(0)
            if not isinstance(instruction, tl.Axpby) or not all(numbers):
                raise NoLoopsError("it mixes types")
            pair = [self._tensors[self._accesses.memrefs[each.value.name].buffer] for each in memrefs(instruction)]
            argument, other = sorted(pair, key=lambda each: each.is_temporary)
            self._converted[argument.name] = other.element
        maps, sizes, letters = index_maps(instruction), known_sizes(instruction), letters_of(instruction)
        *inputs, target = zip(memrefs(instruction), maps.operands, strict=True)
        reduced = [axis for axis in maps.reduction if axis in sizes]
        own = {axis: self._element for axis in Axis if (id(instruction), axis) in self._lanes.axes}
        target_axes = tuple(axis for axis in maps.target if axis not in own)
        is_set = instruction.beta.is_number(0) and not reduced
        if not is_set and not instruction.beta.is_number(1):
            names = self._names(target_axes, letters) | own
            old = self._access(target[0].value.name, target[1], names)
            set_ = (Number(0.0),) if instruction.beta.is_number(0) else (old, self._scalar(instruction.beta))
            yield from self._factors_before()
            yield from self._nest(target_axes, sizes, names, Product(old, False, set_, instruction.origin))
        order = (*target_axes, *reduced)
        names = self._names(order, letters) | own
        factors_: list[Factor] = [self._access(each.value.name, map_, names) for each, map_ in inputs]
        if not instruction.alpha.is_number(1):
            factors_.append(self._scalar(instruction.alpha))
        access = self._access(target[0].value.name, target[1], names)
        yield from self._factors_before()
        yield from self._nest(order, sizes, names, Product(access, not is_set, tuple(factors_), instruction.origin))
        self._values.written(access.tensor)

    def _names(self, axes: AxisMap, letters: dict[Axis, str]) -> dict[Axis, str]:
        return {axis: self._fresh(letters.get(axis) or axis.letter) for axis in dict.fromkeys(axes)}

    @staticmethod
    def _nest(axes: AxisMap, sizes: dict[Axis, int], names: dict[Axis, str], product: Product) -> Nodes:
        node: Node = product
        for axis in reversed(list(dict.fromkeys(axes))):
            node = Loop(names[axis], sizes[axis], (node,))
        return (node,)

    def _scalar(self, scalar: tl.TypedScalar) -> Factor:
        match scalar.value:
            case tl.Local(name=name) if name in self._values.scalars:
                self._values.types.add(scalar.type)
                return Scalar(name)
            case tl.Local(name=name):
                return self._once(name, scalar)
            case tl.ComplexConstant():
                raise NoLoopsError("loops compute with real numbers")
            case tl.IntegerConstant(value=value) | tl.FloatConstant(value=value):
                return Number(float(value))

    def _once(self, name: str, scalar: tl.TypedScalar) -> Access:
        """A factor that is an entry, or a temporary of one entry, which is set first of all if it depends on none."""
        access = Access(name, ())
        if name in self._tensors:
            return access
        update = self._values.update(access, scalar.value, ())
        if isinstance(update, Product) and len(update.accesses) == len(update.factors) + 1 == 2:
            return update.accesses[1]
        if len(update.accesses) == 1:
            self._first.append(update)
        elif self._values.region == 0:
            self._before.append(update)
        else:
            raise NoLoopsError(f"the factor `%{name}` is computed of entries in a loop")
        self._tensors[name] = Tensor(name, scalar.type, (), (), is_temporary=True)
        return access

    def _factors_before(self) -> Iterator[Node]:
        """What sets the factors that are computed of entries, where they are used first."""
        found, self._before = self._before, []
        yield from found

    def _entry(self, memref: tl.Local, indices: tuple[tl.IndexOperand, ...]) -> Access:
        """The entry at these indices."""
        place = self._accesses.memrefs[memref.name]
        if place.buffer not in self._tensors:
            raise NoLoopsError(f"`%{place.buffer}` is a group of memrefs")
        index = list(place.starts)
        for mode, each in zip(place.modes, indices, strict=True):
            value = Affine(each.value) if isinstance(each, tl.IntegerConstant) else self._accesses.values.get(each.name)
            if mode.step is None or value is None:
                raise NoLoopsError(f"a place in `%{place.buffer}` depends on what loops do not know")
            index[mode.of] += value.times(mode.step)
        return self._at(place, index)

    def _access(self, memref: str, axes: AxisMap, names: dict[Axis, str]) -> Access:
        place = self._accesses.memrefs[memref]
        index = list(place.starts)
        for mode, axis in zip(place.modes, axes, strict=True):
            if mode.step is None:
                raise NoLoopsError(f"a view on `%{place.buffer}` has strides that are no numbers")
            index[mode.of] += named(names[axis]).times(mode.step)
        return self._at(place, index)

    def _at(self, place: Place, index: list[Affine]) -> Access:
        """The entry of the present element."""
        tensor = self._tensors[place.buffer]
        element = named(self._element) if tensor.batch is not None else None
        batch_mode = self._batched.get(place.buffer)
        if batch_mode is not None:
            self._check_element(place, index[batch_mode])
            index = list(of_element(index, batch_mode))
        if self._lanes.are_columns:
            lanes = self._lanes.modes.get(place.buffer, ())
            batch = () if batch_mode is None else (batch_mode,)
            kept = [mode for mode in range(len(place.starts)) if mode not in batch]
            index = [each for mode, each in zip(kept, index, strict=True) if mode not in lanes]
        known = {axis for each in index for axis in each.names} - self._axes
        if known:
            raise NoLoopsError(f"a place in `%{place.buffer}` depends on a value that is no loop variable")
        return Access(place.buffer, (*index, *map(named, self._own.get(place.buffer, ()))), element)

    def _check_element(self, place: Place, index: Affine) -> None:
        if place.member is not None or index != named(self._group or ""):
            raise NoLoopsError(f"`%{place.buffer}` is not taken at the element alone")


def _step(instruction: tl.For | tl.Foreach) -> tl.IndexOperand:
    """The step of a loop."""
    return instruction.step if isinstance(instruction, tl.For) else tl.IntegerConstant(1)


def _known(extents: tuple[int | None, ...]) -> tuple[int, ...] | None:
    found = tuple(each for each in extents if each is not None)
    return found if len(found) == len(extents) else None
