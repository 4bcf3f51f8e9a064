"""Arguments of a kernel given by `--args`: numbers for its scalars, sizes for its arrays.

    --args alpha=0.5,n=7,D=16x16x1000

Scalars, dynamic sizes, and arrays that leave a size open without a name.

Sizes are those of the array that a caller passes, in the order of its modes, without the batch: of one element where
there is one for each, of one member for a group.
"""

from collections.abc import Iterable, Mapping

from einsum_front.commands.usage import UsageError
from einsum_front.core.extent import evaluated
from einsum_front.core.extent_text import word
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
    numbers: dict[str, int | float | complex] = {}
    shapes: dict[str, tuple[int, ...]] = {}
    for parameter in artifact.arguments:
        if parameter.name in texts:
            text = texts[parameter.name]
            if isinstance(parameter, ScalarParameter):
                numbers[parameter.name] = _number(parameter, text)
            else:
                shapes[parameter.name] = _shape(parameter, text)
    sizes = {name: _size(name, texts[name]) for name in size_names(artifact) if name in texts}
    return Given(numbers, shapes, likely_sizes(artifact) | _with_shown(artifact, shapes, sizes))


def _with_shown(artifact: Artifact, shapes: Mapping[str, tuple[int, ...]], sizes: Mapping[str, int]) -> dict[str, int]:
    """The sizes that are given, and those that the given shapes say: arrays that are not given fit them."""
    known = {name: (number, f"{name}={number}") for name, number in sizes.items()}
    parameters = {p.name: p for p in artifact.arguments if not isinstance(p, ScalarParameter)}
    for array, shape in shapes.items():
        text = f"{array}={'x'.join(map(str, shape))}"
        for extent, mode in zip(parameters[array].sizes, parameters[array].modes, strict=False):
            if extent is None or len(extent.sizes) != 1:
                continue
            name = extent.sizes[0].name
            fits = (n for n in range(1, shape[mode] + 1) if evaluated(extent, {name: n}) == shape[mode])
            number = shape[mode] if extent.size is not None else next(fits, None)
            if number is None:
                raise UsageError(f"--args gives {text}, and `{word(extent)}` is not {shape[mode]} for any `{name}`")
            first, said = known.setdefault(name, (number, text))
            if first != number:
                both = text if said == text else f"{said} and {text}"
                raise UsageError(f"--args gives {both}: `{name}` would be {first} and {number}")
    return {name: number for name, (number, _) in known.items()}


def _size(name: str, text: str) -> int:
    if number := natural(text):
        return number
    raise UsageError(f"size `{name}` is a number from 1 on, not `{text}`")


def _number(parameter: ScalarParameter, text: str) -> int | float | complex:
    if parameter.is_complex:
        try:
            return complex(text.replace(" ", ""))
        except ValueError:
            raise UsageError(f"argument `{parameter.name}` is a complex number such as 0.5-2j, not `{text}`") from None
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
