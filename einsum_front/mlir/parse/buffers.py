"""Buffers of bytes, which `memref.view` sees as numbers: they are read as memory of these numbers.

%a : memref<?xi8>, memref.view %a[%c0][%m, %k] : memref<?xi8> to memref<?x?xf32>        ->      %a : memref<?xf32>
"""

from collections.abc import Iterator

from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.parse.scope import BYTES, wrong
from einsum_front.mlir.parse.syntax import Raw, Region

HOLDERS = ("memref.view", "memref.dealloc", "memref.alloc", "memref.alloca")
"""Operations that do not ask what a buffer has."""


def viewed_buffers(region: Region | None) -> dict[str, mlir.ScalarType]:
    """The numbers that each buffer of a function is seen as. Raises `Mistake` (E0826) if it is more than one kind."""
    found: dict[str, mlir.ScalarType] = {}
    raws = [] if region is None else list(_walk(region))
    for raw in raws:
        if raw.name.value != "memref.view" or not raw.operands or not raw.result_types:
            continue
        name, type_ = raw.operands[0].name, raw.result_types[0].value
        element = type_ if isinstance(type_, mlir.ScalarType) else type_.element
        if element not in BYTES:
            raise wrong("E0826", f"bytes are not read as `{element.value}`", raw.result_types[0].span)
        if found.setdefault(name, element) is not element:
            message = f"the buffer `%{name}` has numbers of `{found[name].value}` and of `{element.value}`"
            raise wrong("E0826", message, raw.name.span, "a buffer is read as numbers of one type")
    for raw in raws:
        for use in raw.operands:
            if use.name in found and raw.name.value not in HOLDERS:
                message = f"the buffer `%{use.name}` has numbers of `{found[use.name].value}`, and is used as bytes"
                raise wrong("E0826", message, use.span)
    return found


def _walk(region: Region) -> Iterator[Raw]:
    for raw in region.statements:
        yield raw
        for inner in raw.regions:
            yield from _walk(inner)
