"""Rules that both languages have, each with codes of its own: of names, temporaries, facts and limits."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any

from einsum_front.core.diagnostics import Diagnostic, mistake
from einsum_front.core.facts import Limit


def out_of_sight(code: str, ended: str, local: Any, first: Mapping[str, Any], closed: Mapping[str, Any]) -> Diagnostic:
    """What is wrong with a name that is not in sight; `ended` is the code for one whose region has ended.

    `first` has all names of the function, `closed` those whose regions have ended.
    """
    name = f"`%{local.name}`"
    if local.name not in first:
        return mistake(code, f"{name} is not defined", local.origin, "no argument or instruction has this name")
    if local.name in closed:
        where, defined = "the region of its definition has ended", [(closed[local.name].origin, "defined here")]
        return mistake(ended, f"{name} is used outside its region", local.origin, where, also=defined)
    defined = [(first[local.name].origin, "defined here")]
    return mistake(code, f"{name} is used before it is defined", local.origin, "used here", also=defined)


def check_life(code: str, local: Any, scope: Any) -> Iterator[Diagnostic]:
    """The operand of a `lifetime_stop` is the result of an `alloca` of its own region."""
    definition = scope.visible[local.name]
    made = [(definition.local.origin, "defined here")]
    if not definition.is_alloca:
        message = f"`%{local.name}` is not the result of an `alloca`"
        yield mistake(code, message, local.origin, "only an `alloca` has a life to end", also=made)
    elif definition.depth != scope.depth:
        message = f"the life of `%{local.name}` ends in another region than it began"
        yield mistake(code, message, local.origin, "would be used again if the inner region runs twice", also=made)


def check_stated(
    code: str, function: Any, tensors: Container[str], misfit: Callable[[Any], str | None]
) -> Iterator[Diagnostic]:
    """A fact of the function is about one of the `tensors`, is said once, and is true: `misfit` says why it is not."""
    seen: dict[tuple[type, str], Any] = {}
    for fact in function.facts:
        earlier = seen.setdefault((type(fact), fact.argument), fact)
        if earlier is not fact:
            also = [(earlier.origin, "first given here")]
            yield mistake(code, f"a second fact of this kind about `%{fact.argument}`", fact.origin, also=also)
        elif fact.argument not in tensors:
            yield mistake(code, f"`%{fact.argument}` is not a tensor argument of `@{function.name}`", fact.origin)
        elif (found := misfit(fact)) is not None:
            yield mistake(code, found, fact.origin)


def check_limits(code: str, limits: Iterable[Limit], known: Container[str], unknown: str) -> Iterator[Diagnostic]:
    """A limit is about a size that is `known`, is said once, and ascends; `unknown` says with `{}` that one is not."""
    seen: set[str] = set()
    for limit in limits:
        if limit.name in seen:
            yield mistake(code, f"a second limit of the size `{limit.name}`", limit.origin)
        elif limit.name not in known:
            yield mistake(code, unknown.format(limit.name), limit.origin)
        elif not limit.ascends:
            yield mistake(code, f"the limit of the size `{limit.name}` does not ascend from 1 on", limit.origin)
        seen.add(limit.name)
