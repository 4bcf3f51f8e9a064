"""The words for parameters and arguments that error messages share."""

from collections.abc import Iterable

from einsum_front.core.extent_text import word
from einsum_front.runtime.arrays.layout import ELEMENT_TYPES
from einsum_front.runtime.artifact import ArrayParameter, GroupParameter, Parameter, ScalarParameter, TensorParameter


def shape_text(sizes: Iterable[object]) -> str:
    """A shape as Python prints it, whatever stands for the sizes."""
    words = [str(size) for size in sizes]
    return f"({words[0]},)" if len(words) == 1 else f"({', '.join(words)})"


def element_text(parameter: ArrayParameter) -> str:
    """The shape of one element of the batch: `(56, 9)`."""
    return shape_text(_element_sizes(parameter))


def expected_text(parameter: ArrayParameter) -> str:
    """The shape of the whole argument: `(batch, 56, 9)`, or `(56, 9)` if it is one for the whole launch."""
    sizes = _element_sizes(parameter)
    match parameter:
        case TensorParameter(batched=False):
            return shape_text(sizes)
        case TensorParameter():
            count = parameter.shape[-1]
            return shape_text(["batch" if count is None else str(count), *sizes])
        case GroupParameter():
            return shape_text(["batch", *sizes])


def parameter_text(parameter: Parameter) -> str:
    """Description of the value that belongs in the place of a parameter."""
    match parameter:
        case ScalarParameter(_, scalar):
            return f"a number, {scalar}"
        case TensorParameter() | GroupParameter():
            return f"an array of {ELEMENT_TYPES[parameter.type]}, shape {expected_text(parameter)}"


def _element_sizes(parameter: ArrayParameter) -> list[str]:
    """Sizes in the user's order; a dynamic one is its extent, or `?` if nothing is said of it."""
    words = ["?"] * len(parameter.modes)
    for i, mode in enumerate(parameter.modes):
        extent = parameter.sizes[i] if parameter.sizes else None
        size = parameter.shape[i]
        words[mode] = str(size) if size is not None else "?" if extent is None else word(extent)
    return words
