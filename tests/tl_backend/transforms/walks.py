"""Random walks over steps: kernels, steps that fit the loops at hand, and what a kernel computes at each level."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.diagnostics import Source
from einsum_front.driver import ready
from einsum_front.tl_backend.interpret import interpret as interpret_function
from einsum_front.tl_backend.loops.interpret import interpret
from einsum_front.tl_backend.loops.nodes import Loops, Number, Product, Scalar, axes_of, points, updates
from einsum_front.tl_backend.loops.of_function import loops_of
from einsum_front.tl_backend.opencl.target import DEFAULT, Target
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.transforms import STEPS, IllegalStepError, applied
from einsum_front.tl_backend.types import MemrefType, ScalarType

Arrays = dict[str, Any]
KERNELS = Path(__file__).with_name("kernels.tl")
TARGET: Target = replace(DEFAULT, has_shuffles=True)


@cache
def functions() -> dict[str, Function]:
    """The kernels, ready for loops."""
    program = parse(Source(KERNELS.name, KERNELS.read_text(encoding="utf-8")))
    return {each.name: ready(each, TARGET, Tuning(ScheduleKind.LOOPS)) for each in program.functions}


def line(loops: Loops, random: Random) -> str:
    """A step with arguments that are names of these loops; many are not legal."""
    step = random.choice(list(STEPS.values()))
    axes, tensors = axes_of(loops.body), [each.name for each in loops.tensors]
    several = random.sample(axes, min(len(axes), random.choice((1, 2, 3))))
    words = {
        "AXIS": random.choice(axes),
        "OTHER": random.choice(axes),
        "AXES": ", ".join(several),
        "TENSOR": random.choice(tensors),
        "TENSORS": ", ".join(random.sample(tensors, random.choice((1, 2)) if len(tensors) > 1 else 1)),
        "N": str(random.choice((1, 2, 3, 4, 8))),
    }
    form = step.form if random.random() < 0.5 else step.form.split("[")[0]
    rest = " ".join(words.get(word, word) for word in form.replace("[", " ").replace("]", " ").split())
    return f"{step.name} {rest}"


def tried(loops: Loops, text: str) -> Loops | None:
    """The loops after a step; None if it is not legal."""
    name, _, rest = text.partition(" ")
    arguments = STEPS[name].arguments(rest)
    assert arguments is not None, text
    try:
        return applied(loops, STEPS[name], arguments)
    except IllegalStepError:
        return None


def start(name: str) -> Loops:
    """The loops of a kernel as it is written."""
    return loops_of(functions()[name])


def arguments(loops: Loops, elements: int) -> Arrays:
    """Small whole numbers, zero where zeros are known; elements are the first axis."""
    random = np.random.default_rng(7)
    factors = (each for update in updates(loops.body) if isinstance(update, Product) for each in update.factors)
    found: Arrays = {"s": 2.0} | {each.name: 2.0 for each in factors if isinstance(each, Scalar)}
    for tensor in loops.tensors:
        if tensor.is_temporary:
            continue
        dtype = np.float32 if tensor.element is ScalarType.F32 else np.float64
        shape = (elements, *tensor.shape) if tensor.batch is not None else tensor.shape
        array = random.integers(-4, 5, shape).astype(dtype)
        if tensor.known_values is not None:
            numbers = [tensor.known_values.get(each, 0.0) for each in range(tensor.size)]
            array = np.reshape(np.array(numbers, dtype), tensor.shape, order="F")
        elif tensor.known_nonzeros is not None:
            mask = np.array([each in tensor.known_nonzeros for each in range(tensor.size)])
            array = array * mask.reshape(tensor.shape, order="F").astype(dtype)
        found[tensor.name] = array
    return found


def of_loops(loops: Loops, given: Arrays, elements: int) -> Arrays:
    """The arrays after the loops have run."""
    mine = {name: np.copy(value) if isinstance(value, np.ndarray) else value for name, value in given.items()}
    interpret(loops, mine, elements)
    return mine


def of_function(name: str, given: Arrays, elements: int) -> Arrays:
    """The arrays after the function has run."""
    function = functions()[name]
    mine = views(function, given)
    interpret_function(function, mine, elements)
    modes = function.batch_modes
    return given | {name: np.moveaxis(mine[name], mode, 0) for name, mode in modes.items()} if mine else given


def views(function: Function, given: Arrays) -> Arrays:
    """Copies as the tensor language has them: modes in the order of their strides, that of the batch among them."""
    found: Arrays = {}
    for argument in function.arguments:
        value = given[argument.name.name]
        if not isinstance(argument.type, MemrefType):
            found[argument.name.name] = value
            continue
        mode = function.batch_modes.get(argument.name.name)
        moved = value if mode is None else np.moveaxis(value, 0, mode)
        found[argument.name.name] = np.array(moved, order="F")
    return found


def differences(
    found: Mapping[str, NDArray[Any]], expected: Mapping[str, NDArray[Any]], roundings: int = 0
) -> list[str]:
    """The names of arrays that are not the same, but for so many roundings of their largest entries."""
    return [name for name, value in expected.items() if not _is_near(found[name], value, roundings)]


def _is_near(found: NDArray[Any], expected: NDArray[Any], roundings: int) -> bool:
    wanted = np.asarray(expected)  # scalars are numbers
    if not roundings or not wanted.size:
        return np.array_equal(found, wanted)
    most = roundings * np.finfo(wanted.dtype).eps * max(1.0, np.abs(wanted).max())
    return bool(np.abs(found - wanted).max() <= most)


def roundings_of(loops: Loops) -> int:
    """How often an element is rounded, at most twice for a product, if numbers of the kernel are no whole ones."""
    known = (number for tensor in loops.tensors for _, number in tensor.values or ())
    written = (
        each.value
        for update in updates(loops.body)
        if isinstance(update, Product)
        for each in update.factors
        if isinstance(each, Number)
    )
    is_whole = all(number.is_integer() for number in (*known, *written))
    return 0 if is_whole else 2 * sum(count for _, count in points(loops.body))
