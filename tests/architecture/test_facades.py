"""Fronts of packages: what checkers of types see there is what is found there."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

from tests.sources import file_of

FRONTS = {
    "einsum_front": "einsum_front/__init__.py",
    "einsum_front.ir": "ir/__init__.py",
    "einsum_front.driver": "einsum_front/driver/__init__.py",
    "einsum_front.runtime": "runtime/__init__.py",
    "einsum_front.tl_backend": "tl_backend/__init__.py",
}


def _said_to_checkers(path: Path) -> dict[str, str]:
    """The imports below `if TYPE_CHECKING`: the module that each name comes from."""
    (block,) = (node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    return {alias.asname or alias.name: str(node.module) for node in imports for alias in node.names}


@pytest.mark.parametrize(("package", "path"), FRONTS.items(), ids=list(FRONTS))
def test_a_front_has_what_checkers_see(package: str, path: str) -> None:
    front, said = import_module(package), _said_to_checkers(file_of(path))
    assert sorted(said) == front.__all__ == dir(front)
    for name, module in said.items():
        assert getattr(front, name) is getattr(import_module(module), name)


@pytest.mark.parametrize("package", FRONTS)
def test_other_names_are_none(package: str) -> None:
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        import_module(package).nothing  # noqa: B018
