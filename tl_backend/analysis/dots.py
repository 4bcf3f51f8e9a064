"""Dot products: an entry-wise product in a temporary, and the sum that alone reads it."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.semantics import Axis, memrefs, sizes
from einsum_front.tl_backend.traverse import operands, regions, walked


def find_dots(function: Function, longest: int) -> dict[str, tl.HadamardProduct]:
    """Entry-wise products of vectors of more than `longest` entries in a temporary that only the sum behind
    it reads, by the name of the temporary."""
    used = Counter(each.name for i in function.get(walked) for each in operands(i) if isinstance(each, tl.Local))
    ended = Counter(i.operand.name for i in function.get(walked) if isinstance(i, tl.LifetimeStop))
    found = {}
    for region in _regions(function.body):
        for product, after in _behind(region):
            name = product.target.value.name
            is_summed = isinstance(after, tl.Sum) and after.inputs[0].value.name == name
            is_read_once = used[name] - ended[name] == 2 and is_summed
            if is_read_once and _is_first(product) and is_plain(product) and _is_long(after, longest):
                found[name] = product
    made = {i.result.name for i in function.get(walked) if isinstance(i, tl.Alloca)}
    return {name: product for name, product in found.items() if name in made}


def _regions(region: tl.Region) -> Iterator[tl.Region]:
    yield region
    for instruction in region:
        for inner in regions(instruction):
            yield from _regions(inner)


def _behind(region: tl.Region) -> Iterator[tuple[tl.HadamardProduct, tl.Instruction]]:
    """Entry-wise products, and what is done next; views in between do nothing."""
    doing = [each for each in region if not isinstance(each, tl.ValueInstruction)]
    for first, second in pairwise(doing):
        if isinstance(first, tl.HadamardProduct):
            yield first, second


def _is_first(product: tl.HadamardProduct) -> bool:
    return product.alpha.is_number(1) and product.beta.is_number(0) and not product.atomic


def _is_long(instruction: tl.Instruction, longest: int) -> bool:
    if not isinstance(instruction, tl.Sum):
        return False
    depth = sizes(instruction)[Axis.K]
    return is_plain(instruction) and instruction.inputs[0].type.order == 1 and depth is not None and depth > longest


def is_plain(instruction: tl.Collective) -> bool:
    """True if its tensors have one floating type."""
    elements = {each.type.element for each in memrefs(instruction)}
    return len(elements) == 1 and all(element.is_floating for element in elements)
