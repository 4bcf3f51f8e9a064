"""The front of a package: names that others may use, from modules that are imported when a name is first used."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def facade(
    package: str, modules: Mapping[str, tuple[str, ...]]
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """The `__getattr__`, `__dir__` and `__all__` of a package with these names, by the modules that define them.

    Modules of the package itself begin with a dot: `.plan.order`. Importing the package costs nothing; the import of a
    name costs what its module needs.
    """
    homes = {name: module for module, defined in modules.items() for name in defined}

    def find(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(homes[name], package), name)
        setattr(sys.modules[package], name, value)
        return value

    names = sorted(homes)
    return find, lambda: names, names
