"""Names that are not taken."""

from collections.abc import Collection


def fresh_name(name: str, taken: Collection[str]) -> str:
    """The name, or the first of `name_0`, `name_1`, … that is not taken."""
    candidates = (name, *(f"{name}_{number}" for number in range(len(taken) + 1)))
    return next(candidate for candidate in candidates if candidate not in taken)


def fresh_numbered(name: str, taken: Collection[str]) -> str:
    """The name, or the first of `name1`, `name2`, … that is not taken: for indices, views and copies."""
    candidates = (name if number == 0 else f"{name}{number}" for number in range(len(taken) + 1))
    return next(candidate for candidate in candidates if candidate not in taken)
