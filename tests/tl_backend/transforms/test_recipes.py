"""Recipes: what each step makes of loops, and what is said of steps that are not legal.

A file of `text` is a recipe of a kernel of `kernels.tl`, and the loops that it makes. A file of `tests/errors/recipes`
is a mistaken one with the error. `python -m tests.tl_backend.transforms.test_recipes` writes both again.
"""

from pathlib import Path

import pytest

from einsum_front.core.diagnostics import CompileError, Source, render_all
from einsum_front.tl_backend.loops.unparse import unparse
from einsum_front.tl_backend.schedules.choice import schedule
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.transforms import STEPS
from einsum_front.tl_backend.transforms.portable import form_of
from einsum_front.tl_backend.transforms.recipe import follow, read_recipes
from tests.tl_backend.loops.golden import split, write
from tests.tl_backend.transforms import walks
from tests.tl_backend.transforms.test_random_walk import check_kernel

TEXTS = sorted(Path(__file__).with_name("text").glob("*.sched"))
ERRORS = sorted((Path(__file__).parents[2] / "errors" / "recipes").glob("*.sched"))


def made(source: Source) -> str:
    """The nodes that a recipe makes."""
    (recipe,) = read_recipes(source).recipes
    lines = unparse(follow(recipe, walks.start(recipe.name))).splitlines()
    return "\n".join(line for line in lines if not line.startswith("  tensor "))


def said(source: Source) -> str:
    """What is wrong with a recipe of the kernel that it names, or of `product`."""
    try:
        recipes = read_recipes(source)
        first = recipes.recipes[0].name
        name = first if first in walks.functions() else "product"
        recipe = recipes.of(name, lambda: form_of(walks.functions()[name]))
        schedule(walks.functions()[name], walks.TARGET, Tuning(ScheduleKind.LOOPS, recipe=recipe)).lower()
    except CompileError as error:
        return render_all(error.diagnostics)
    return "nothing"


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_steps_make_these_loops(path: Path) -> None:
    source, expected = split(path)
    assert made(source) == expected
    (recipe,) = read_recipes(source).recipes
    assert read_recipes(Source("again", str(recipe))).recipes == (recipe,)
    check_kernel(recipe.name, recipe)


def test_each_step_has_a_text() -> None:
    assert {path.stem.split("_")[0] for path in TEXTS} == STEPS.keys()


@pytest.mark.parametrize("path", ERRORS, ids=lambda path: path.stem)
def test_says_why_not(path: Path) -> None:
    source, expected = split(path)
    assert said(source) == expected
    assert f"error[{path.stem[:5].upper()}]" in expected


if __name__ == "__main__":
    write(TEXTS, made)
    write(ERRORS, said)
