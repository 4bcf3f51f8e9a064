"""Types, arguments and facts of the YATeTo language in the tensor language."""

from einsum_front.core.extent import Extent, Polynomial, sizes_in
from einsum_front.core.storage import ElementType
from einsum_front.ir.yateto import nodes as yir
from einsum_front.tl_backend import program, types
from einsum_front.tl_backend.types import ScalarType


def scalar_type(type_: ElementType) -> ScalarType:
    """The scalar type; both languages spell it alike, but for `bool`."""
    return ScalarType.BOOL if type_ is ElementType.BOOL else ScalarType(type_.value)


def memref_type(memref: yir.MemrefType) -> types.MemrefType:
    """The memref type of one element."""
    shape, strides = tuple(map(_extent, memref.shape)), tuple(map(_extent, memref.strides))
    return types.MemrefType(scalar_type(memref.element), shape, strides)


def _extent(extent: Extent) -> types.Extent:
    return None if isinstance(extent, Polynomial) else extent


def argument_type(type_: yir.Type, is_moved: bool) -> types.Type:
    """The type of an argument.

    A group at a distance is one memref with a last mode for the batch; a group of pointers stays a group. A group that
    is taken with an offset somewhere is flat memory, because the offset may lead anywhere in it.

        group<memref<f32x[n]x8>,distance<[8*n]>>        ->  memref<f32x?x8x?>
        group<memref<f32x16x8>,distance<256>>           ->  memref<f32x16x8x?,strided<1,16,256>>
        group<memref<f32x16x8>,after<0>>                ->  memref<f32x?x16x8>
        group<memref<f32x16x8>,pointers>                ->  group<memref<f32x16x8>>
        group<memref<f32x16x8>,distance<256>>  moved    ->  memref<f32x?>
        group<memref<f32x16x8>,pointers>       moved    ->  group<memref<f32x?>>
    """
    match type_:
        case ElementType():
            return scalar_type(type_)
        case yir.MemrefType():
            return memref_type(type_)
        case yir.GroupType(memref=memref) if is_moved:
            flat = types.MemrefType.packed(scalar_type(memref.element), (None,))
            return types.GroupType(flat) if isinstance(type_.layout, yir.Pointers) else flat
        case yir.GroupType(memref=memref, layout=layout):
            return _batch_type(memref_type(memref), layout)


def _batch_type(item: types.MemrefType, layout: yir.Layout) -> types.Type:
    match layout:
        case yir.Distance(elements=distance):
            return types.MemrefType(item.element, (*item.shape, None), (*item.strides, _extent(distance)))
        case yir.Pointers():
            return types.GroupType(item)
        case yir.After(modes=modes):
            return types.MemrefType.packed(item.element, (*item.shape[:modes], None, *item.shape[modes:]))


def facts_of(function: yir.Function, moved: frozenset[str]) -> tuple[program.Fact, ...]:
    """The facts that the function states, and which arguments have one element for each work-group.

    Flat memory has neither modes nor a pattern.
    """
    batched = tuple(
        program.Batched(argument.name.name, _batch_mode(argument.type.layout))
        for argument in function.arguments
        if isinstance(argument.type, yir.GroupType)
        and not isinstance(argument.type.layout, yir.Pointers)
        and argument.name.name not in moved
    )
    sizes = (_sizes(argument) for argument in function.arguments if argument.name.name not in moved)
    about_tensors = (fact for fact in function.facts if fact.argument not in moved)
    return (*batched, *(fact for fact in sizes if fact is not None), *about_tensors)


def _batch_mode(layout: yir.Layout) -> int | None:
    return layout.modes if isinstance(layout, yir.After) else None


def _sizes(argument: yir.Argument) -> program.Sizes | None:
    """The dynamic extents of its modes; None if there are none."""
    memref = argument.type.memref if isinstance(argument.type, yir.GroupType) else argument.type
    if not isinstance(memref, yir.MemrefType) or not sizes_in(memref.shape):
        return None
    extents = (size if isinstance(size, Polynomial) else None for size in memref.shape)
    return program.Sizes(argument.name.name, tuple(extents))
