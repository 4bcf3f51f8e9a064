"""The most that every mode of a memref can have, as far as shapes and the limits of sizes tell."""

from collections.abc import Mapping

from einsum_front.core.extent import Polynomial, Size, capacity
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Function, Sizes
from einsum_front.tl_backend.semantics import expand_type, fuse_type
from einsum_front.tl_backend.traverse import walked
from einsum_front.tl_backend.types import Extent, GroupType, MemrefType

Bounds = tuple[Extent, ...]


def bounds(function: Function) -> dict[str, Bounds]:
    """For every memref and group, by name, a bound of each mode; None where there is none."""
    limits = {limit.name: Size(limit.name, limit.least, limit.most) for limit in function.limits}
    extents = {fact.argument: fact.extents for fact in function.facts if isinstance(fact, Sizes)}
    batched = function.batch_modes
    found: dict[str, Bounds] = {}
    for argument in function.arguments:
        memref = argument.type.memref if isinstance(argument.type, GroupType) else argument.type
        if isinstance(memref, MemrefType):
            name = argument.name.name
            named, mode = extents.get(name, ()), batched.get(name)
            named = named if mode is None else (*named[:mode], None, *named[mode:])
            told = named if len(named) == memref.order else (None,) * memref.order
            pairs = zip(memref.shape, told, strict=True)
            found[name] = tuple(_most(each, limits) if size is None else size for size, each in pairs)
    for instruction in function.get(walked):
        match instruction:
            case tl.Alloca(result=result, type=memref):
                found[result.name] = memref.shape  # sizes of its own have no bound that is looked for
            case tl.Subview(result=result, operand=operand, slices=slices):
                parts = zip(slices, found[operand.name], strict=True)
                found[result.name] = tuple(_slice(part, most) for part, most in parts if isinstance(part, tl.Slice))
            case tl.Fuse(result=result, operand=operand, first=first, last=last, type=memref):
                found[result.name] = fuse_type(
                    MemrefType.packed(memref.element, found[operand.name]), first, last
                ).shape
            case tl.Expand(result=result, mode=mode, shape=shape, type=memref):
                found[result.name] = expand_type(memref, mode, shape).shape
            case tl.Load(result=result, operand=operand, type=GroupType()):
                found[result.name] = found[operand.name]
            case (
                tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.GroupId() | tl.GroupSize()
                | tl.Load() | tl.MathCall() | tl.Size() | tl.Collective() | tl.If() | tl.For() | tl.Foreach()
                | tl.Store() | tl.Yield() | tl.Barrier() | tl.LifetimeStop()
            ):  # fmt: skip
                pass
    return found


def _most(extent: Polynomial | None, limits: Mapping[str, Size]) -> Extent:
    most = None if extent is None else capacity(extent.over(limits))
    return most if isinstance(most, int) else None


def _slice(part: tl.Slice, most: Extent) -> Extent:
    return part.size.value if isinstance(part.size, tl.IntegerConstant) else most
