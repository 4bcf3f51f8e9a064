"""The pass `state_nonzeros`: temporaries with zeros say so."""

from collections.abc import Mapping
from dataclasses import replace

from einsum_front.core.runs import Mask, runs_from_mask
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.interpret.patterns import find_zero_patterns
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.rewrite import with_regions
from einsum_front.tl_backend.traverse import walked


def state_nonzeros(function: Function) -> Function:
    """Nonzeros of temporaries, found by following the function on zero patterns.

    ;! nonzeros %K 0 4                        ;! nonzeros %K 0 4
    func @f(%K: memref<f64x2x3>, …) {         func @f(%K: memref<f64x2x3>, …) {
                                                ;! nonzeros %t 0:2
      %t = alloca -> memref<f64x2x2>            %t = alloca -> memref<f64x2x2>
      gemm.n.n 1.0, %K, %x, 0.0, %t : …         gemm.n.n 1.0, %K, %x, 0.0, %t : …

    What is stated already stays. Temporaries that may be full are left as they are, and all of them in a function with
    too many operations.
    """
    allocas = (each for each in function.get(walked) if isinstance(each, tl.Alloca))
    patterns = function.get(find_zero_patterns) if any(map(_is_open, allocas)) else None
    return function if patterns is None else replace(function, body=_stated(function.body, patterns.temporaries))


def _is_open(alloca: tl.Alloca) -> bool:
    """True if it may get nonzeros: integers have none."""
    return alloca.nonzeros is None and alloca.type.element.is_floating


def _stated(region: tl.Region, found: Mapping[tl.Alloca, Mask]) -> tl.Region:
    return tuple(_state(instruction, found) for instruction in region)


def _state(instruction: tl.Instruction, found: Mapping[tl.Alloca, Mask]) -> tl.Instruction:
    if not isinstance(instruction, tl.Alloca):
        return with_regions(instruction, lambda inner: _stated(inner, found))
    mask = found.get(instruction) if _is_open(instruction) else None
    return instruction if mask is None or mask.all() else replace(instruction, nonzeros=runs_from_mask(mask))
