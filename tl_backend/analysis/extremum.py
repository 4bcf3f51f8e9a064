"""Loops that find the largest or smallest of numbers, written out some at a time.

    foreach %q = 0, 9 {
      %x = load %A[0, %q]
      store %x, %m[%q]                         the first number
      for %k = 0, 48, 2 {
        %n = arith.add %k, 1 : index
        %x0 = load %A[%k, %q]                  the numbers at %k, %k + 1, …, all made alike
        %x1 = load %A[%n, %q]
        %y = load %m[%q]
        %z = math.max %x0, %x1
        %w = math.max %y, %z
        store %w, %m[%q]
      }
      %x2 = load %A[48, %q]                    what is left, behind the loop
      …
      store %w2, %m[%q]
    }

Which one is compared with which makes no difference (of 0 and -0, `max` and `min` give either). So any order will do.
"""

from collections.abc import Iterator, Mapping

from einsum_front.core.dataclass import dataclass
from einsum_front.core.functions import Function as Mathematical
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.epilogue import Memory
from einsum_front.tl_backend.traverse import operands, results
from einsum_front.tl_backend.types import ScalarType

Definitions = Mapping[str, tl.Instruction]
Place = tuple[str, int]
"""An index: a variable, or none of them, and what is added to it."""
Form = tuple[object, ...]
"""How a number is made, with places instead of indices."""


@dataclass(frozen=True, slots=True)
class Extremum:
    """In each iteration of a loop `store` writes the largest or smallest number at `variable` = 0 to `extent` - 1.

    `steps` make the number at `variable`, which is `value`.
    """

    function: Mathematical
    variable: tl.Local
    extent: int
    steps: tl.Region
    value: tl.Local
    store: tl.Store
    loop: tl.For


def find_extremum(region: tl.Region, memory: Memory) -> Extremum | None:
    """What the body of a loop is, if it finds one extremum and does nothing else."""
    parts = [each for each in _parts(region) if each is not None]
    loops = [each.loop for each in parts]
    if len(parts) < len(list(_parts(region))) or len(parts) < 2 or loops[1] is None:
        return None
    first, looped, *behind = parts
    loop, function = loops[1], _function(looped)
    if loops.count(None) < len(loops) - 1 or function is None or len({_target(each) for each in parts}) > 1:
        return None
    numbers = [_numbers(each, function) for each in (looped, *behind)]
    found = [each for each in numbers if each]
    if len(found) < len(numbers) or not _is_stepped(loop, len(found[0])):
        return None
    extent = _stop(loop) + sum(map(len, found[1:]))
    wanted = _form(found[0][0], looped.definitions)
    made = [_form(first.store.value, first.definitions)]
    made += [_form(each, looped.definitions) for each in found[0]]
    made += [_form(each, part.definitions) for part, each_of in zip(behind, found[1:], strict=True) for each in each_of]
    places: list[Place] = [("", 0), *((loop.variable.name, n) for n in range(len(found[0])))]
    places += [("", n) for n in range(_stop(loop), extent)]
    if any(form != _at(wanted, loop.variable.name, place) for form, place in zip(made, places, strict=True)):
        return None
    value, steps = found[0][0], _needed(found[0][0], looped)
    if not isinstance(value, tl.Local) or not _is_apart(steps, looped.store, memory):
        return None
    return Extremum(function, loop.variable, extent, steps, value, looped.store, loop)


def _is_apart(steps: tl.Region, store: tl.Store, memory: Memory) -> bool:
    """True if the numbers are in other memory than the extremum."""
    names = [each.operand.name for each in steps if isinstance(each, tl.Load)]
    known = all(name in memory for name in (store.target.name, *names))
    return known and memory[store.target.name] not in {memory[name] for name in names}


# -- parts that end with a store ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Part:
    """Instructions that end with the `store`, those of a loop or those between."""

    steps: tl.Region
    store: tl.Store
    loop: tl.For | None = None

    @property
    def definitions(self) -> Definitions:
        """The instructions by what they define."""
        return {result.name: step for step in self.steps for result in results(step)}


def _parts(region: tl.Region) -> Iterator[_Part | None]:
    """The parts in order; None for anything else."""
    steps: list[tl.Instruction] = []
    for each in region:
        match each:
            case tl.Store():
                yield _Part(tuple(steps), each)
                steps = []
            case tl.For(body=(*inner, tl.Store() as store)) if not steps:
                yield _Part(tuple(inner), store, each)
            case tl.Load() | tl.ArithBinary() | tl.ArithUnary() | tl.MathCall():
                steps.append(each)
            case (
                tl.Alloca() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse() | tl.GroupId() | tl.GroupSize()
                | tl.Size() | tl.Subview() | tl.Collective() | tl.If() | tl.For() | tl.Foreach() | tl.Yield()
                | tl.Barrier() | tl.LifetimeStop()
            ):  # fmt: skip
                yield None
    if steps:
        yield None


def _target(part: _Part) -> tuple[tl.Local, tuple[tl.IndexOperand, ...]]:
    return part.store.target, part.store.indices


def _is_stepped(loop: tl.For, step: int) -> bool:
    """True if a loop starts at 0, and as many numbers as are compared in it are one iteration."""
    is_known = loop.start == tl.IntegerConstant(0) and loop.step == tl.IntegerConstant(step)
    return is_known and isinstance(loop.stop, tl.IntegerConstant) and _stop(loop) % step == 0


def _stop(loop: tl.For) -> int:
    return loop.stop.value if isinstance(loop.stop, tl.IntegerConstant) else 0


def _function(part: _Part) -> Mathematical | None:
    last = part.definitions.get(part.store.value.name)
    return last.function if isinstance(last, tl.MathCall) and last.function.is_extremum else None


def _numbers(part: _Part, function: Mathematical) -> list[tl.Operand] | None:
    """What is compared in a part, in order, without what was stored before; None if that is not among it, once."""
    definitions = part.definitions
    leaves = list(_leaves(part.store.value, function, definitions))
    numbers = [each for each in leaves if not _is_stored(each, part.store, definitions)]
    return numbers if len(numbers) == len(leaves) - 1 else None


def _leaves(value: tl.Operand, function: Mathematical, definitions: Definitions) -> Iterator[tl.Operand]:
    step = definitions.get(value.name) if isinstance(value, tl.Local) else None
    if isinstance(step, tl.MathCall) and step.function is function:
        for each in step.operands:
            yield from _leaves(each, function, definitions)
    else:
        yield value


def _is_stored(value: tl.Operand, store: tl.Store, definitions: Definitions) -> bool:
    step = definitions.get(value.name) if isinstance(value, tl.Local) else None
    return isinstance(step, tl.Load) and (step.operand, step.indices) == (store.target, store.indices)


# -- numbers that are made alike ---------------------------------------------------------------------------------------


def _needed(value: tl.Operand, part: _Part) -> tl.Region:
    """The instructions that make a number, in order."""
    wanted = {value}
    found: list[tl.Instruction] = []
    for step in reversed(part.steps):
        if wanted.intersection(results(step)):
            found.append(step)
            wanted |= set(operands(step))
    return tuple(each for each in reversed(found) if not _is_index(each))


def _is_index(step: tl.Instruction) -> bool:
    return isinstance(step, tl.ArithBinary) and step.type is ScalarType.INDEX


def _form(value: tl.Operand, definitions: Definitions) -> Form:
    """How a number is made: its instructions, in which operands are the same, and indices are places."""
    step = definitions.get(value.name) if isinstance(value, tl.Local) else None
    match step:
        case None:
            return (value,)
        case tl.Load():
            return (tl.Load, step.operand, step.type, *(_place(each, definitions) for each in step.indices))
        case tl.ArithBinary(operator=operator):
            kind: object = operator
        case tl.ArithUnary(operator=sign):
            kind = sign
        case tl.MathCall(function=function):
            kind = function
        case (
            tl.Alloca() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse() | tl.GroupId() | tl.GroupSize() | tl.Size()
            | tl.Subview() | tl.Collective() | tl.If() | tl.For() | tl.Foreach() | tl.Store() | tl.Yield()
            | tl.Barrier() | tl.LifetimeStop()
        ):  # fmt: skip
            return (step,)
    return (kind, *(_form(each, definitions) for each in operands(step)))


def _place(index: tl.IndexOperand, definitions: Definitions) -> Place:
    if isinstance(index, tl.IntegerConstant):
        return "", index.value
    match definitions.get(index.name):
        case tl.ArithBinary(
            operator=tl.BinaryOperator.ADD, left=tl.Local(name=name), right=tl.IntegerConstant(value=number)
        ):
            return name, number
        case (
            tl.Alloca() | tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse()
            | tl.GroupId() | tl.GroupSize() | tl.Load() | tl.MathCall() | tl.Size() | tl.Subview() | tl.Collective()
            | tl.If() | tl.For() | tl.Foreach() | tl.Store() | tl.Yield() | tl.Barrier() | tl.LifetimeStop() | None
        ):  # fmt: skip
            return index.name, 0


def _at(form: Form, variable: str, place: Place) -> Form:
    """The form of the number at a place, by that of the one at the variable."""
    if form == (variable, 0):
        return place
    return tuple(_at(each, variable, place) if isinstance(each, tuple) else each for each in form)
