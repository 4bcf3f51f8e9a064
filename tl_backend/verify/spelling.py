"""Types as the 2024 edition writes them, for messages."""

from collections.abc import Iterable

from tl_backend.types import Extent, GroupType, MemrefType, ScalarType, Type


def spell_type(type_: Type) -> str:
    """The type as in the text, packed strides left out."""
    match type_:
        case ScalarType(value=name):
            return name
        case MemrefType(element=element, shape=shape, strides=strides):
            layout = "" if type_.is_packed else f",strided<{','.join(map(spell_extent, strides))}>"
            return f"memref<{'x'.join((element.value, *map(spell_extent, shape)))}{layout}>"
        case GroupType(memref=memref, offset=offset):
            moved = "" if offset == 0 else f", offset: {spell_extent(offset)}"
            return f"group<{spell_type(memref)}{moved}>"


def spell_types(types: Iterable[Type]) -> str:
    """`(i32, f32)`."""
    return f"({', '.join(map(spell_type, types))})"


def spell_extent(extent: Extent) -> str:
    """A size or a stride, `?` if it is known only at run time."""
    return "?" if extent is None else str(extent)
