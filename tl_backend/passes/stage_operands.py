"""Operands that many work-items read are copied to local memory first."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.core.machine import SharedWork
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import buffers
from einsum_front.tl_backend.analysis.effects import argument_access
from einsum_front.tl_backend.analysis.placement import buffer_sizes, panel_bytes, size_in_bytes
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.rewrite import LocalNames, with_regions
from einsum_front.tl_backend.semantics import Axis, fuse_type, sizes
from einsum_front.tl_backend.types import MemrefType


def stage_operands(function: Function, local_memory: int, shared: SharedWork, *, has_panels: bool) -> Function:
    """Copy the factors of a `gemm` whose entries several work-items read from memory into an `alloca`.

        func @f(…) work_group_size(14, 14) {          func @f(…) work_group_size(14, 14) {
                                                        %A_near = alloca -> memref<f32x56x56>
                                                        axpby.n 1.0, %A, 0.0, %A_near : …
          gemm.n.n 1.0, %A, %B, 0.0, %C : …             gemm.n.n 1.0, %A_near, %B, 0.0, %C : …

    Only arguments of floating-point numbers that the function does not write are copied, in whole views of known size,
    and a copy serves all later instructions of its region that use the same view. All copies together fit into the
    bytes of `local_memory` that are left. Where both factors are worth it and do not fit, none is copied if the target
    `has_panels`: then slices of both pass through the local memory that is left (`work_group.collective`). A
    work-group of one item has nobody to share with, and what is in a `foreach` is run by one item.
    """
    if prod(function.work_items) == 1:
        return function
    constant = {name for name, access in argument_access(function).items() if not access.is_written}
    readable = {name for name, base in buffers(function).items() if base in constant}
    taken = sum(buffer_sizes(function).values())
    stager = _Stager(function.work_items, LocalNames(function), readable, local_memory - taken, shared, has_panels)
    return replace(function, body=stager.region(function.body, {}))


@dataclass(slots=True)
class _Stager:
    """The work-group, the views that may be copied, and the bytes of local memory that are left for copies.

    `panel` are bytes that slices need; they are not among those that are left.
    """

    work_group_size: tuple[int, int]
    names: LocalNames
    readable: set[str]
    room: int
    shared: SharedWork
    has_panels: bool
    panel: int = 0

    def region(self, region: tl.Region, near: Mapping[str, tl.Local]) -> tl.Region:
        """The region with its copies; `near` are those that are there before it."""
        known = dict(near)
        return tuple(staged for instruction in region for staged in self._stage(instruction, known))

    def _stage(self, instruction: tl.Instruction, near: dict[str, tl.Local]) -> Iterator[tl.Instruction]:
        if isinstance(instruction, tl.Gemm) and not self._takes_slices(instruction, near):
            for factor in reversed(instruction.inputs):  # every row of items reads all of the right one
                if factor.value.name not in near and self._is_worth_while(factor, instruction):
                    yield from self._copy(factor, instruction, near)
            yield replace(instruction, inputs=tuple(_near(factor, near) for factor in instruction.inputs))
        elif isinstance(instruction, tl.For | tl.If):
            yield with_regions(instruction, lambda inner: self.region(inner, near))
        else:
            yield instruction

    def _takes_slices(self, product: tl.Gemm, near: Mapping[str, tl.Local]) -> bool:
        """True if both factors are worth a copy, have no room, and slices of them have; keeps that room free."""
        factors = {factor.value.name: factor for factor in product.inputs}.values()
        needed, panel = (
            sum(_bytes(factor.type) or 0 for factor in factors),
            panel_bytes(product, self.work_group_size, self.shared),
        )
        if not self.has_panels or needed <= self.room or panel is None or panel - self.panel > self.room:
            return False
        if any(each.value.name in near or not self._is_read_often(each, product) for each in product.inputs):
            return False
        self.room -= max(0, panel - self.panel)
        self.panel = max(self.panel, panel)
        return True

    def _is_worth_while(self, factor: tl.TypedMemref, product: tl.Gemm) -> bool:
        needed = _bytes(factor.type)
        return needed is not None and needed <= self.room and self._is_read_often(factor, product)

    def _is_read_often(self, factor: tl.TypedMemref, product: tl.Gemm) -> bool:
        if not factor.type.element.is_floating or factor.value.name not in self.readable:
            return False
        size, items = sizes(product), self.work_group_size
        readers = min(size[Axis.N] or 0, items[1]) if factor is product.inputs[0] else min(size[Axis.M] or 0, items[0])
        return readers >= self.shared.readers

    def _copy(self, factor: tl.TypedMemref, product: tl.Gemm, near: dict[str, tl.Local]) -> Iterator[tl.Instruction]:
        """The copy; as one long vector if the entries lie side by side, so that all work-items take part."""
        origin = factor.origin or product.origin
        known = zip((each.value for each in product.inputs), product.letters, strict=False)
        letters = dict(known).get(factor.value, ())
        self.room -= _bytes(factor.type) or 0
        source = factor.value
        packed = MemrefType.packed(factor.type.element, factor.type.shape)
        target = near[source.name] = self.names.fresh(f"{source.name}_near")
        yield tl.Alloca(target, packed, origin)
        one, zero = (tl.TypedScalar(tl.FloatConstant(value), packed.element) for value in (1.0, 0.0))
        from_, to = tl.TypedMemref(source, factor.type), tl.TypedMemref(target, packed)
        if factor.type.is_packed:
            vectors = [self.names.fresh(f"{matrix.name}_fused") for matrix in (source, target)]
            for vector, matrix in zip(vectors, (source, target), strict=True):
                yield tl.Fuse(vector, matrix, 0, 1, packed, origin)
            from_, to = (tl.TypedMemref(vector, fuse_type(packed, 0, 1)) for vector in vectors)
            letters = ("_".join(letters),) if letters else ()
        yield tl.Axpby((tl.Transpose.N,), False, one, (from_,), zero, to, origin, (letters, letters))


def _near(factor: tl.TypedMemref, near: Mapping[str, tl.Local]) -> tl.TypedMemref:
    """The copy of the factor, if there is one."""
    copy = near.get(factor.value.name)
    return factor if copy is None else tl.TypedMemref(copy, MemrefType.packed(factor.type.element, factor.type.shape))


def _bytes(memref: MemrefType) -> int | None:
    """The bytes of a copy of its entries, None if their number is not known."""
    return None if None in memref.shape else size_in_bytes(MemrefType.packed(memref.element, memref.shape))
