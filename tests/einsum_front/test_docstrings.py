"""Docstrings of the public interface: every parameter is named, and examples are run."""

import doctest
import inspect
import re
from collections.abc import Callable
from typing import Any

import pytest

import einsum_front as ef

ALL = {name: getattr(ef, name) for name in ef.__all__}
PUBLIC = {name: each for name, each in ALL.items() if not (inspect.isclass(each) and issubclass(each, Exception))}
FUNCTIONS: dict[str, Callable[..., Any]] = {name: each for name, each in PUBLIC.items() if inspect.isfunction(each)}
RETURNED = ("CompiledKernel", "CompiledProgram", "TorchModule")
"""Classes that users do not make."""

MADE = {name: each for name, each in PUBLIC.items() if inspect.isclass(each) and name not in RETURNED}
METHODS: dict[str, Callable[..., Any]] = {
    name: getattr(ef.CompiledKernel, name) for name in ("__call__", "chunked", "empty", "prepare", "to_device")
} | {f"CompiledProgram.{name}": getattr(ef.CompiledProgram, name) for name in ("inspect", "text")}


def described(function: Callable[..., Any]) -> set[str]:
    """The names that stand at the left margin of the section on parameters."""
    section = re.search(r"Parameters\n-+\n(.*?)(?:\n\n[A-Z]\w+\n-+\n|\Z)", inspect.getdoc(function) or "", re.DOTALL)
    assert section is not None
    heads = re.findall(r"^(\S[^:\n]*?)(?: : .*)?$", section[1], flags=re.MULTILINE)
    return {name.strip().lstrip("*") for head in heads for name in head.split(",")}


@pytest.mark.parametrize("name", [*FUNCTIONS, *METHODS, *MADE])
def test_every_parameter_is_described(name: str) -> None:
    function = (FUNCTIONS | METHODS | MADE)[name]
    expected = set(inspect.signature(function).parameters) - {"self", "unnamed"}
    assert described(function) == expected


@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_and_errors_are_described(name: str) -> None:
    sections = set(re.findall(r"^(\w+)\n-+$", inspect.getdoc(FUNCTIONS[name]) or "", flags=re.MULTILINE))
    assert {"Returns", "Raises"} - sections == (set() if name != "load_ipython_extension" else {"Returns", "Raises"})


@pytest.mark.parametrize("name", sorted(PUBLIC.keys() - {"TorchModule"}))
def test_the_example_runs(name: str) -> None:
    finder = doctest.DocTestFinder(recurse=False)
    shown = type(ef.ones) if name == "ones" else inspect.unwrap(PUBLIC[name])
    (example,) = finder.find(shown, name, globs={})
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0


def named() -> dict[str, Callable[..., Any]]:
    """The functions, classes and methods that `help` lists."""
    found = {name: getattr(ef, name) for name in dir(ef) if callable(getattr(ef, name)) and not name.startswith("_")}
    found = {name: each for name, each in found.items() if not name.endswith("Warning")}  # Python's own, without one
    for name, each in list(found.items()):
        if isinstance(each, type):
            methods = {method: value for method, value in vars(each).items() if inspect.isfunction(value)}
            found |= {f"{name}.{method}": value for method, value in methods.items() if not method.startswith("_")}
    return found


@pytest.mark.parametrize("name", named())
def test_help_begins_with_a_signature_that_can_be_read(name: str) -> None:
    assert len(str(inspect.signature(named()[name]))) <= 280


def test_help_of_einsum_begins_as_that_of_numpy() -> None:
    first = "subscripts='', *operands, out=None, optimize=True, dtype=None, order='K', casting='safe', "
    assert str(inspect.signature(ef.einsum)).startswith(f"({first}")
