"""Recipes without the names of a kernel: what is found for one holds for all kernels of its form.

    stage I, star_0            stage t1t, t2t            tensors in the order of their use
    unroll p_i                 unroll x3x_i              axes in the order of the loops; a suffix is of a step

The form of a function is its text with names in the order of their use: neither they nor the order of arguments matter.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import TypeGuard

from einsum_front.tl_backend.instructions import Instruction, Subview
from einsum_front.tl_backend.loops.nodes import Loops, axes_of, updates
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.transforms import STEPS
from einsum_front.tl_backend.transforms.recipe import Line, Recipe
from einsum_front.tl_backend.unparse import unparse_function

DIGITS = 16
"""Of a form, hexadecimal: among a million kernels, two are the same by chance once in thirty million times."""

_LOCAL = re.compile(r"%[A-Za-z_0-9]+")
_VIEW = re.compile(r" *%\w+ = (?:subview|group_id)\b")
_PORTABLE = re.compile(r"([tx][0-9]+[tx])(.*)")


def form_of(function: Function) -> str:
    """What kernels of the same form have in common, as a number."""
    return sha256(function.get(form_text).encode()).hexdigest()[:DIGITS]


def form_text(function: Function) -> str:
    """The function in names of its own: those that something is computed with first, in their order."""
    lines = unparse_function(replace(function, facts=())).splitlines()
    body = lines[next(place for place, line in enumerate(lines) if line.endswith("{")) + 1 :]
    used = _LOCAL.findall("\n".join(line for line in body if not _VIEW.match(line)))
    places = {name: place for place, name in enumerate(dict.fromkeys((*used, *_LOCAL.findall("\n".join(lines)))))}
    names = {each.name.name: places[f"%{each.name.name}"] for each in function.arguments}
    views = [each for each in function.body if _is_view(each, names)]
    for view in views:
        names[view.operand.name] = min(names[view.operand.name], places[f"%{view.result.name}"])
    views.sort(key=lambda view: places[f"%{view.result.name}"])
    arguments = tuple(sorted(function.arguments, key=lambda each: names[each.name.name]))
    ordered = iter(views)
    body_ = tuple(next(ordered) if _is_view(each, names) else each for each in function.body)
    facts = sorted((names[fact.argument], str(type(fact)), fact) for fact in function.facts)
    own = replace(function, name="f", arguments=arguments, body=body_, facts=tuple(fact for *_, fact in facts))
    text = unparse_function(own)
    numbers = {name: place for place, name in enumerate(dict.fromkeys(_LOCAL.findall(text[text.index("func @") :])))}
    return _LOCAL.sub(lambda name: f"%{numbers[name[0]]}", text)


def _is_view(instruction: Instruction, arguments: Collection[str]) -> TypeGuard[Subview]:
    """True for the element of an argument: the order of these is that of arguments."""
    return isinstance(instruction, Subview) and instruction.operand.name in arguments


def portable(recipe: Recipe, form: str, loops: Loops) -> Recipe:
    """The recipe for all kernels of a form; `loops` are those of its kernel before the first step."""
    names = {name: f"t{place}t" for place, name in enumerate(_tensors(loops))}
    axes = {name: f"x{place}x" for place, name in enumerate(axes_of(loops.body))}

    def renamed(name: str) -> str:
        if name in names:
            return names[name]
        stems = [axis for axis in axes if name.startswith(axis)]
        longest = max(stems, key=len, default="")
        return f"{axes[longest]}{name.removeprefix(longest)}" if stems else name

    return replace(_renamed(recipe, renamed), form=form)


def local(recipe: Recipe, name: str, loops: Loops) -> Recipe:
    """The recipe of a form in the names of a kernel."""
    known = {f"t{place}t": tensor for place, tensor in enumerate(_tensors(loops))}
    known |= {f"x{place}x": axis for place, axis in enumerate(axes_of(loops.body))}
    return replace(_renamed(recipe, lambda word: _local(word, known)), name=name, form="")


def _local(word: str, known: Mapping[str, str]) -> str:
    found = _PORTABLE.fullmatch(word)
    return word if found is None or found[1] not in known else f"{known[found[1]]}{found[2]}"


def _renamed(recipe: Recipe, change: Callable[[str], str]) -> Recipe:
    lines = []
    for line in recipe.lines:
        name, _, rest = line.text.partition(" ")
        lines.append(Line(f"{name} {STEPS[name].renamed(rest, change)}", line.origin))
    return replace(recipe, lines=tuple(lines))


def _tensors(loops: Loops) -> tuple[str, ...]:
    """The names of tensors in the order of their use."""
    used = (access.tensor for update in updates(loops.body) for access in update.accesses)
    return tuple(dict.fromkeys((*used, *(each.name for each in loops.tensors))))
