"""Temporaries for which there is no room near the work-items lie in global memory."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import prod

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import buffers
from einsum_front.tl_backend.analysis.effects import trips
from einsum_front.tl_backend.analysis.placement import buffer_sizes, needed_lifetimes, place
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.rewrite import with_regions
from einsum_front.tl_backend.semantics import Axis, known_sizes
from einsum_front.tl_backend.traverse import operands, regions


def spill_temporaries(function: Function, local_memory: int, private_memory: int) -> Function:
    """Leave in global memory what does not fit into local memory, or into the arrays of a work-item that is alone.

        %t = alloca -> memref<f64x96x96>          %t = alloca.global -> memref<f64x96x96>
        %u = alloca -> memref<f64x96x8>           %u = alloca -> memref<f64x96x8>

    What is used most often for its size stays: the temporaries are taken in the order of multiplications for a byte,
    each as long as it fits beside those that are in already. In local memory those that are never alive together share
    a place (`place_buffers`), private arrays do not. Where all fit, nothing changes.
    """
    is_alone = prod(function.work_items) == 1
    room = private_memory if is_alone else local_memory
    sizes = buffer_sizes(function)
    if sum(sizes.values()) <= room:
        return function
    lives = dict.fromkeys(sizes, range(1)) if is_alone else needed_lifetimes(function)
    if place(sizes, lives).size <= room:
        return function
    uses = _uses(function)
    wanted = sorted(sizes, key=lambda name: -uses.get(name, 0) / sizes[name])
    near = {name: sizes[name] for name in _chosen(wanted, sizes, lives, room)}
    while place(near, lives).size > room:  # gaps between places can take what the sum of the sizes does not
        near.popitem()
    return replace(function, body=_spilled(function.body, near))


def _chosen(names: list[str], sizes: Mapping[str, int], lives: Mapping[str, range], room: int) -> Iterator[str]:
    """Those that are alive beside no more than the room allows, the ones in front of them taken first."""
    taken = [0] * max(life.stop for life in lives.values())
    for name in names:
        life, size = slice(lives[name].start, lives[name].stop), sizes[name]
        if max(taken[life]) + size <= room:
            taken[life] = [each + size for each in taken[life]]
            yield name


def _spilled(region: tl.Region, near: Mapping[str, int]) -> tl.Region:
    return tuple(with_regions(_moved(instruction, near), lambda inner: _spilled(inner, near)) for instruction in region)


def _moved(instruction: tl.Instruction, near: Mapping[str, int]) -> tl.Instruction:
    if isinstance(instruction, tl.Alloca) and instruction.result.name not in near:
        return replace(instruction, is_global=True)
    return instruction


def _uses(function: Function) -> dict[str, int]:
    """In how many multiplications the entries of each memory are factors, and how many are written."""
    uses: dict[str, int] = {}
    _count(function.body, 1, buffers(function), uses)
    return uses


def _count(region: tl.Region, times: int, base: Mapping[str, str], uses: dict[str, int]) -> None:
    """Add what the region does, which runs so many times; what is known only at run time counts as 1."""
    for instruction in region:
        if isinstance(instruction, tl.Collective):
            for operand, points in _points(instruction):
                name = base[operand.value.name]
                uses[name] = uses.get(name, 0) + times * points
        inner = times * trips(*operands(instruction)[:3]) if isinstance(instruction, tl.For) else times
        for body in regions(instruction):
            _count(body, inner, base, uses)


def _points(instruction: tl.Collective) -> Iterator[tuple[tl.TypedMemref, int]]:
    """For each operand how often its entries are used: an input in every multiplication, the target behind its sums."""
    sizes = known_sizes(instruction)
    points = prod(sizes.values())
    yield from ((memref, points) for memref in instruction.inputs)
    yield instruction.target, points // sizes.get(Axis.K, 1)
