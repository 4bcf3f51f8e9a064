"""Recipes that are near one that is known: what `--tune` measures besides the schedules.

From the recipe of the heuristic on, the numbers of steps are halved and doubled, steps are left out, and others come to
the end. The fastest that is faster than what there is takes its place, as long as there is one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from statistics import geometric_mean

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError
from einsum_front.tl_backend.loops.nodes import Binding, Loop, Loops, Tensor, updates, walk
from einsum_front.tl_backend.transforms import STEPS
from einsum_front.tl_backend.transforms.recipe import Line, Recipe, follow

MOST_UNROLLED = 16
"""Points of a loop that is tried unrolled."""

DISTANCE = 2
"""Blocks of elements ahead that are asked for at first."""

Times = tuple[float, ...]
"""Seconds of an element in each of the batches; none for a recipe that gives no new code."""


@dataclass(frozen=True, slots=True)
class Found:
    """A recipe with its times."""

    recipe: Recipe
    times: Times


def search(
    first: Recipe, loops: Loops, measure: Callable[[Sequence[Recipe]], Sequence[Times]], most: int, worth: float
) -> tuple[Found, ...]:
    """The recipes that were the fastest so far, the first one first; `most` are measured in all.

    One is faster if it takes less than the part `worth` of the time.
    """
    best = [Found(first, measure([first])[0])]
    if not best[0].times:
        return ()
    tried, seen = 1, {first.lines}
    while True:
        unseen = (each for each in neighbours(best[-1].recipe, loops) if each.lines not in seen)
        near = list(islice(unseen, most - tried))
        if not near:
            return tuple(best)
        tried, seen = tried + len(near), seen | {each.lines for each in near}
        again, *times = measure([best[-1].recipe, *near])
        found = [Found(recipe, each) for recipe, each in zip(near, times, strict=True) if each]
        fastest = min(found, key=lambda each: _ratio(each.times, again), default=None)
        if fastest is None or _ratio(fastest.times, again) >= worth:
            return tuple(best)
        best.append(fastest)


def _ratio(mine: Times, other: Times) -> float:
    return geometric_mean(one / two for one, two in zip(mine, other, strict=True))


def neighbours(recipe: Recipe, loops: Loops) -> Iterator[Recipe]:
    """Recipes that differ in a step and are legal: first in its number, then without it, then with one more."""
    for lines in (*_numbers(recipe), *_shorter(recipe), *_longer(recipe, loops)):
        near = replace(recipe, lines=lines)
        try:
            follow(near, loops)
        except CompileError:
            continue
        yield near


def _numbers(recipe: Recipe) -> Iterator[tuple[Line, ...]]:
    for place, line in enumerate(recipe.lines):
        name, _, rest = line.text.partition(" ")
        number = (STEPS[name].arguments(rest) or {}).get("N")
        if number is not None:
            head = line.text.removesuffix(number)
            for other in (int(number) * 2, int(number) // 2):
                yield (*recipe.lines[:place], Line(f"{head}{other}"), *recipe.lines[place + 1 :])


def _shorter(recipe: Recipe) -> Iterator[tuple[Line, ...]]:
    for place in reversed(range(len(recipe.lines))):
        yield (*recipe.lines[:place], *recipe.lines[place + 1 :])


def _longer(recipe: Recipe, loops: Loops) -> Iterator[tuple[Line, ...]]:
    done = follow(recipe, loops)
    for text in _steps(done):
        yield (*recipe.lines, Line(text))


def _steps(loops: Loops) -> Iterator[str]:
    """What could be done to loops besides: prefetch, unroll what is short, copy what lies in memory."""
    used = {access.tensor for update in updates(loops.body) for access in update.accesses[1:]}
    own = [each.name for each in loops.tensors if _is_argument(each) and each.name in used]
    if own:
        yield f"prefetch {', '.join(own)} distance {DISTANCE}"
    for node, _ in walk(loops.body):
        if isinstance(node, Loop) and node.binding is Binding.SEQUENTIAL and node.extent in range(2, MOST_UNROLLED + 1):
            yield f"unroll {node.axis}"
    yield from (f"stage {name}" for name in own)
    yield from (f"stream {each.name}" for each in loops.tensors if _is_argument(each) and each.streamed is None)


def _is_argument(tensor: Tensor) -> bool:
    return tensor.batch is not None and not tensor.is_temporary
