"""What a step of a recipe is: loops become other loops of the same meaning, or there is a reason why not.

A step has a name, and a form that says what stands behind the name: words as they are, `AXIS`, `AXES`, `TENSORS` (names
with commas between them, `*` for any letters) and `N`; what is in brackets may be missing.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from fnmatch import fnmatchcase
from math import inf

from einsum_front.core.dataclass import dataclass
from einsum_front.core.words import listed
from einsum_front.tl_backend.access import Affine
from einsum_front.tl_backend.loops.nodes import Access, Elements, Loop, Loops, Nodes, axes_of, rewrite, updates, walk

Arguments = dict[str, str]


class IllegalStepError(Exception):
    """Why a step is not legal here, in a sentence for users."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step: `summary` says in a line what it does, `apply` does it to loops that keep the rules."""

    name: str
    form: str
    summary: str
    apply: Callable[[Loops, Arguments], Loops]

    @property
    def usage(self) -> str:
        """How it is written."""
        return f"{self.name} {self.form}"

    def arguments(self, text: str) -> Arguments | None:
        """What stands behind the name, by the words of the form; None if it is not of the form."""
        found = re.fullmatch(_pattern(self.form), text.strip())
        return (
            None if found is None else {name: value for name, value in found.groupdict().items() if value is not None}
        )

    def renamed(self, text: str, change: Callable[[str], str]) -> str:
        """What stands behind the name with other names of axes and tensors."""
        found = re.fullmatch(_pattern(self.form), text.strip())
        spans = [] if found is None else [found.span(key) for key in found.groupdict() if key != "N" and found[key]]
        text = text.strip()
        for start, stop in sorted(spans, reverse=True):
            text = text[:start] + re.sub(r"[A-Za-z0-9_]+", lambda name: change(name[0]), text[start:stop]) + text[stop:]
        return text


_NAME = r"[A-Za-z_*?][A-Za-z0-9_*?]*"
_WORDS = {"AXIS": _NAME, "OTHER": _NAME, "TENSOR": _NAME, "N": r"[0-9]{1,6}"}
_LISTS = ("AXES", "TENSORS")


def _pattern(form: str) -> str:
    """The regular expression of a form."""
    parts = []
    for word in re.findall(r"\[|\]|[^\s\[\]]+", form):
        match word:
            case "[":
                parts.append("(?:")
            case "]":
                parts.append(")?")
            case _ if word in _LISTS:  # open: any other word of the form
                parts.append(rf"\s*(?P<{word}>{_NAME}(?:\s*,\s*{_NAME})*)")
            case _ if word in _WORDS:  # open: any other word of the form
                parts.append(rf"\s*(?P<{word}>{_WORDS[word]})")
            case _:  # open: words and marks that stand there as they are
                parts.append(rf"\s*{re.escape(word)}")
    return "".join(parts)


# -- what steps look for -----------------------------------------------------------------------------------------------


def need(is_so: bool, why: str) -> None:
    """Raises `IllegalStepError` if something is not so."""
    if not is_so:
        raise IllegalStepError(why)


def loop_of(loops: Loops, axis: str) -> tuple[Loop, Nodes]:
    """The loop of an axis, and the nodes around it; raises `IllegalStepError` if there is none."""
    for node, around in walk(loops.body):
        if isinstance(node, Loop) and node.axis == axis:
            return node, around
    known = listed([f"`{each}`" for each in axes_of(loops.body)], "and")
    raise IllegalStepError(f"there is no axis `{axis}`: there are {known}")


def batch_of(loops: Loops) -> Loop:
    """The loop over the elements that is around all others; raises `IllegalStepError` if there is none."""
    (batch, *others) = loops.body
    if others or not isinstance(batch, Loop) or not isinstance(batch.extent, Elements):
        raise IllegalStepError("the loop over the elements is not around all others")
    return batch


def axes_like(loops: Loops, patterns: str) -> tuple[str, ...]:
    """The axes that one of the patterns, with commas between them, names; each pattern names one at least."""
    return _like(patterns, axes_of(loops.body), "axis")


def tensors_like(loops: Loops, patterns: str) -> tuple[str, ...]:
    """The same of tensors."""
    return _like(patterns, tuple(each.name for each in loops.tensors), "tensor")


def _like(patterns: str, names: tuple[str, ...], what: str) -> tuple[str, ...]:
    found: list[str] = []
    for pattern in map(str.strip, patterns.split(",")):
        fitting = [name for name in names if fnmatchcase(name, pattern)]
        known = listed([f"`{each}`" for each in names], "and")
        need(bool(fitting), f"there is no {what} `{pattern}`: there are {known}")
        found += fitting
    return tuple(dict.fromkeys(found))


def with_loop(loops: Loops, axis: str, change: Callable[[Loop], Nodes]) -> Loops:
    """The loops with others in the place of one."""
    return replace(
        loops,
        body=rewrite(loops.body, lambda node: change(node) if isinstance(node, Loop) and node.axis == axis else None),
    )


def fixed(loop: Loop) -> int:
    """The number of points; raises `IllegalStepError` for the loop over the elements."""
    if isinstance(loop.extent, int):
        return loop.extent
    raise IllegalStepError(f"`{loop.axis}` runs over the elements, and only the launch knows how many there are")


def unique(loops: Loops, hint: str) -> str:
    """A name that no axis has."""
    taken, name, number = set(axes_of(loops.body)), hint, 1
    while name in taken:
        number += 1
        name = f"{hint}{number}"
    return name


def written(nodes: Nodes) -> frozenset[str]:
    """The tensors that are written."""
    return frozenset(each.target.tensor for each in updates(nodes))


def accesses_to(nodes: Nodes, tensors: Iterable[str]) -> tuple[Access, ...]:
    """All accesses to some tensors, each once."""
    wanted = set(tensors)
    found = (access for update in updates(nodes) for access in update.accesses if access.tensor in wanted)
    return tuple(dict.fromkeys(found))


def meet_at_one_point(accesses: Iterable[Access], axis: str, loops: Loops) -> bool:
    """True if accesses to one tensor touch an entry at the same point of the axis only.

    That is so if one index of all tells the points of its axes apart: its factors are those of digits, as in
    `8*i_o + i_i` where `i_i` has 8 points. Digits below that of the axis may be others in each.
    """
    extents = {node.axis: node.extent for node, _ in walk(loops.body) if isinstance(node, Loop)}
    by_tensor: dict[str, list[Access]] = {}
    for access in accesses:
        by_tensor.setdefault(access.tensor, []).append(access)
    return all(_meet(each, axis, extents) for each in by_tensor.values())


def _meet(accesses: list[Access], axis: str, extents: dict[str, int | Elements]) -> bool:
    return any(
        axis in positions[0].names and _tell_apart(positions, axis, extents)
        for positions in zip(*(access.affine for access in accesses), strict=True)
    )


def _tell_apart(positions: tuple[Affine, ...], axis: str, extents: dict[str, int | Elements]) -> bool:
    """True if indices agree in the axis and all larger digits, and what is below stays below its factor."""
    unit = abs(dict(positions[0].terms)[axis])
    large = [Affine(0, tuple(term for term in each.terms if abs(term[1]) >= unit)) for each in positions]
    if any(each != large[0] for each in large) or not _has_digits(large[0], extents, unit - 1):
        return False
    if all(each == positions[0] for each in positions):
        return _has_digits(positions[0], extents)
    ends: list[float] = []
    for each in positions:
        rest = each + large[0].times(-1)
        known = [(extents.get(name, 1), factor) for name, factor in rest.terms]
        reaches = [factor * (extent - 1) if isinstance(extent, int) else inf for extent, factor in known]
        ends += [rest.constant + sum(min(0, reach) for reach in reaches)]
        ends += [rest.constant + sum(max(0, reach) for reach in reaches)]
    return max(ends) - min(ends) < unit


def _has_digits(index: Affine, extents: dict[str, int | Elements], reach: float = 0) -> bool:
    for name, factor in sorted(index.terms, key=lambda term: abs(term[1])):
        if abs(factor) <= reach:
            return False
        extent = extents.get(name, 1)
        reach += abs(factor) * ((extent if isinstance(extent, int) else inf) - 1)
    return True
