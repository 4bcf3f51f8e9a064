"""Signatures as `help` shows them."""

from collections.abc import Callable
from inspect import Parameter, Signature, signature
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def shown_without_types(function: F) -> F:
    """The function or class, whose signature shows names and defaults: its docstring has the types, in words.

    Written out, the types of a few keywords are longer than all that `help` says of the function.
    """
    found = signature(function)
    plain = [each.replace(annotation=Parameter.empty) for each in found.parameters.values()]
    function.__signature__ = Signature(plain)  # type: ignore[attr-defined]
    return function
