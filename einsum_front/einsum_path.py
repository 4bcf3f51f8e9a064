"""`ef.einsum_path`: the order in which `ef.einsum` contracts, in NumPy's form, and the plan that says why."""

from collections.abc import Sequence

from numpy.typing import ArrayLike

from einsum_front.driver import plan_program
from einsum_front.driver.string_steps import pairs
from einsum_front.driver.texts import level_text
from einsum_front.einsum_device_operands import read_device_operands
from einsum_front.einsum_operands import ELEMENT_TYPES, check_keywords, check_strings, read_operands
from einsum_front.einsum_string import EinsumProgram, read_einsum
from einsum_front.options import Options
from runtime.memory import is_on_device

Path = list[str | tuple[int, ...]]


def einsum_path(subscripts: str, *operands: ArrayLike, optimize: bool | str = True) -> tuple[Path, str]:
    """The order of the products that `einsum` computes, and its plan as a text: steps, costs, what was rejected.

    The order is that of `numpy.einsum_path`: positions in the list of operands, which are taken out of it, while their
    product goes to its end; `numpy.einsum` takes it as `optimize`. Only the shapes of the operands matter.
    Raises what `einsum` raises for these operands.
    """
    check_strings(subscripts)
    check_keywords(optimize, {})
    arrays = read_device_operands(operands) if any(map(is_on_device, operands)) else read_operands(operands)
    shapes = [array.shape for array in arrays]
    meaning = read_einsum(subscripts, shapes, ELEMENT_TYPES[arrays[0].dtype] if arrays else "f64")
    (planned,) = plan_program(meaning.program, Options())
    path = _path([argument.name for argument in meaning.operands], pairs(planned.plan))
    return path, f"{_batch_text(meaning)}\n{level_text(planned.plan)}"


def _path(names: list[str], products: Sequence[tuple[str, str, str]]) -> Path:
    """Each product by the places of its factors among what is left; the last one takes all that is left."""
    path: Path = ["einsum_path"]
    for left, right, result in products:
        places = sorted((names.index(left), names.index(right)))
        path.append(tuple(places))
        names = [name for place, name in enumerate(names) if place not in places] + [result]
    return path if products else [*path, tuple(range(len(names)))]


def _batch_text(meaning: EinsumProgram) -> str:
    if meaning.has_batch_index:
        return f"a batch of {meaning.output_shape[0]}, the first index of the result; costs are those of one of them"
    return "no index is a batch: costs are those of the whole"
