"""Calls that `torch.compile` makes and does not look into: a kernel is no operation that it could trace.

Where torch compiles a program, it watches every function that is called, and traces what it does with tensors that have
no entries. What is `apart` is called as it is, between the parts that torch compiles. Nothing is imported.
"""

import sys
from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def is_watched() -> bool:
    """True if torch looks into the functions that are called now."""
    if "torch._dynamo" not in sys.modules:
        return False
    inner = sys.modules.get("torch._C._dynamo.eval_frame")
    callback: Callable[[], object] = getattr(inner, "get_eval_frame_callback", _nobody)
    return callable(callback())


def apart(function: F) -> F:
    """The function as torch calls it without a look into it."""
    untouched: F = sys.modules["torch._dynamo"].disable(function)
    return untouched


def calls_apart(function: F) -> F:
    """Marks a function that begins with `is_watched`: torch ends the part that it compiles in front of a call of it.

    These are the marks of `torch.compiler.disable`, which wraps functions and has to be imported.
    """
    marks = vars(function)
    marks["_torchdynamo_disable"] = True
    marks["_torchdynamo_disable_msg"] = "kernels of einsum-front are called between the parts that torch compiles"
    return function


def _nobody() -> None:
    """No torch, or one that has another name for it."""
