"""Arguments of a call as the interpreters of single levels take them: views on the same memory.

Functions over parts have a mode for these, where the caller has complex numbers.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from einsum_front.core.numbers import in_parts
from einsum_front.runtime import known_array
from einsum_front.runtime.artifact import COMPLEX, GroupParameter, Parameter, ScalarParameter, TensorParameter

Arguments = dict[str, object]


def yateto_views(parameters: Mapping[str, Parameter], arguments: Arguments) -> Arguments:
    """The arguments of a function of the YATeTo language."""
    return dict(_views(parameters, arguments, _yateto_view))


def _views(
    parameters: Mapping[str, Parameter], given: Arguments, view: Callable[[Parameter, object], object]
) -> Iterator[tuple[str, object]]:
    """Arguments as a function over parts has them, and those that the caller need not give."""
    given = _known(parameters) | given
    for name, value in given.items():
        parameter = parameters[name]
        if isinstance(parameter, ScalarParameter) and parameter.is_complex:
            number = complex(np.asarray(value).item())
            yield from zip((each.name for each in parameter.parts()), (number.real, number.imag), strict=True)
        else:
            yield name, view(parameter, value)


def _known(parameters: Mapping[str, Parameter]) -> Arguments:
    """The arguments whose values are known when compiling, which these interpreters ask for like any other."""
    constants = (p for p in parameters.values() if isinstance(p, TensorParameter) and p.values is not None)
    return {parameter.name: known_array(parameter) for parameter in constants}


def _yateto_view(parameter: Parameter, value: object) -> object:
    """The argument with the modes of the memref in their order, the batch first; parts are the first mode."""
    if not isinstance(parameter, ScalarParameter) and parameter.type in COMPLEX:
        value = in_parts(np.asarray(value))
        parameter = replace(parameter, type=COMPLEX[parameter.type], modes=(len(parameter.modes), *parameter.modes))
    match parameter:
        case ScalarParameter():
            return value
        case TensorParameter(batched=False, modes=modes):
            return np.asarray(value).transpose(modes)
        case TensorParameter(modes=modes):
            return np.asarray(value).transpose(0, *(mode + 1 for mode in modes))
        case GroupParameter(modes=modes):
            array = np.asarray(value)
            return [array[item, ...].transpose(modes) for item in range(len(array))]


def tensor_language_views(parameters: Mapping[str, Parameter], arguments: Arguments) -> Arguments:
    """The arguments of a function of the tensor language."""
    return dict(_views(parameters, arguments, _tensor_language_view))


def _tensor_language_view(parameter: Parameter, value: object) -> object:
    """The argument with the modes of the memref in their order, the batch where the memref has it."""
    view = _yateto_view(parameter, value)
    if isinstance(parameter, TensorParameter) and parameter.batch_mode is not None:
        parts = 1 if parameter.type in COMPLEX else 0
        return np.moveaxis(np.asarray(view), 0, parameter.batch_mode + parts)
    return view
