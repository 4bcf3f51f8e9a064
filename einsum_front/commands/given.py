"""Arguments of a kernel given by `--args`: numbers for its scalars, sizes for its arrays.

    --args alpha=0.5,n=7,D=16x16x1000

Scalars, dynamic sizes, and arrays that leave a size open without a name.

Sizes are those of the array that a caller passes, in the order of its modes, without the batch: of one element where
there is one for each, of one member for a group.
"""

from collections.abc import Iterable, Mapping

from einsum_front.commands.usage import UsageError
from einsum_front.core.words import natural
from einsum_front.data import Given, likely_sizes, size_names
from einsum_front.runtime import ELEMENT_TYPES, element_shape
from einsum_front.runtime.artifact import ArrayParameter, Artifact, ScalarParameter


def split_given(options: Iterable[str]) -> dict[str, str]:
    """The text of each value by the name of its argument, `%` or not before it."""
    values: dict[str, str] = {}
    for part in (part for option in options for part in option.split(",") if part.strip()):
        name, equals, value = part.partition("=")
        name = name.strip().removeprefix("%")
        if not equals:
            raise UsageError(f"--args takes NAME=NUMBER and NAME=SIZES such as `A=8x4`, not `{part}`")
        if name in values:
            raise UsageError(f"--args gives `{name}` twice")
        values[name] = value.strip()
    return values


def check_names(texts: Mapping[str, str], artifacts: Iterable[Artifact]) -> None:
    """Every name is an argument of a kernel, or a size that only its launch knows."""
    known = {name: None for artifact in artifacts for name in (*_parameters(artifact), *size_names(artifact))}
    unknown = [name for name in texts if name not in known]
    if unknown:
        raise UsageError(f"there is no argument `{unknown[0]}`: there are {', '.join(known) or 'none'}")


def _parameters(artifact: Artifact) -> tuple[str, ...]:
    return tuple(parameter.name for parameter in artifact.arguments)


def read_given(texts: Mapping[str, str], artifact: Artifact) -> Given:
    """The values of one kernel's arguments."""
    numbers: dict[str, int | float] = {}
    shapes: dict[str, tuple[int, ...]] = {}
    for parameter in artifact.arguments:
        if parameter.name in texts:
            text = texts[parameter.name]
            if isinstance(parameter, ScalarParameter):
                numbers[parameter.name] = _number(parameter, text)
            else:
                shapes[parameter.name] = _shape(parameter, text)
    sizes = {name: _size(name, texts[name]) for name in size_names(artifact) if name in texts}
    return Given(numbers, shapes, likely_sizes(artifact) | sizes)


def _size(name: str, text: str) -> int:
    if number := natural(text):
        return number
    raise UsageError(f"size `{name}` is a number from 1 on, not `{text}`")


def _number(parameter: ScalarParameter, text: str) -> int | float:
    is_floating = ELEMENT_TYPES[parameter.type].kind == "f"
    try:
        return float(text) if is_floating else int(text)
    except ValueError:
        kind = "a number" if is_floating else "an integer"
        raise UsageError(f"argument `{parameter.name}` is {kind}, not `{text}`") from None


def _shape(parameter: ArrayParameter, text: str) -> tuple[int, ...]:
    sizes = text.split("x") if text else []
    declared = element_shape(parameter)
    shape = tuple(number for size in sizes if (number := natural(size)) is not None)
    is_whole = len(shape) == len(sizes) == len(declared)
    if is_whole and all(size in (None, given) for size, given in zip(declared, shape, strict=True)):
        return shape
    wanted = "x".join("?" if size is None else str(size) for size in declared)
    raise UsageError(f"argument `{parameter.name}` has sizes {wanted or 'none'}, not `{text}`")
