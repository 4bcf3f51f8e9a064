"""From syntax to a checked program: one mistake after the other is collected, then all are raised together."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from einsum_front.core.diagnostics import Origin
from einsum_front.core.storage import ElementType
from einsum_front.notation import checked, syntax
from einsum_front.notation.check.declarations import declare, declared_twice
from einsum_front.notation.check.kernels import asked_for, kernels
from einsum_front.notation.check.mistakes import Mistakes, mistake
from einsum_front.notation.references import names_in

NO_DEFINES: Mapping[str, str | int] = MappingProxyType({})
TYPES = {
    kind: {each.value: each for each in ElementType if each.is_computed and each.is_integer == (kind == "integer")}
    for kind in ("real", "integer")
}
"""The types that a program may compute in, by the word that declares them."""

DEFAULT = syntax.Computed("real", "f64")

_STORED = {each.value for each in ElementType if not each.is_computed}


def check(
    program: syntax.Program,
    defines: Mapping[str, str | int] = NO_DEFINES,
    directory: Path = Path(),
    real: str | None = None,
    only: str | None = None,
) -> checked.CheckedProgram:
    """The meaning of a program; raises `CompileError` with all its mistakes.

    `defines` override params, `real` overrides the element type; paths in the program are relative to `directory`.
    `only` names the one kernel, member or family to look at, if the program has it; other kernels are left out, and
    tensors that it does not name.
    """
    mistakes = Mistakes()
    element_type = _element_type(program, real, mistakes)
    written = asked_for(program, only)
    named = None if only is None else frozenset(name for kernel in written for name in names_in(kernel.statements))
    scope = declare(program, defines, element_type, directory, mistakes, named)
    if any(isinstance(item, syntax.Use) for item in program.items):
        from einsum_front.notation.check.definitions import with_definitions  # noqa: PLC0415 - it loads another language

        scope = with_definitions(scope, program, directory, mistakes)
    checked_kernels = kernels(written, scope, mistakes, only)
    mistakes.raise_found(is_all=True)
    return checked.CheckedProgram(
        tuple(
            tensor
            for name, family in scope.tensors.items()
            if named is None or name in named
            for tensor in family.members.values()
        ),
        tuple(scalar for family in scope.scalars.values() for scalar in family.members.values()),
        checked_kernels,
        tuple(scope.sizes.values()),
    )


def _element_type(program: syntax.Program, override: str | None, mistakes: Mistakes) -> ElementType:
    """The declared or overriding element type; f64 if there is neither."""
    declared = [item for item in program.items if isinstance(item, syntax.Computed)]
    for item in declared:
        with mistakes.collect():
            _reject_unknown(item.kind, item.element_type, item.origin)
    with mistakes.collect():
        if len(declared) > 1:
            raise declared_twice(declared[1].kind, declared[1].origin, declared[0].origin)
    first = next((item for item in declared if item.element_type in TYPES[item.kind]), DEFAULT)
    if override is None:
        return TYPES[first.kind][first.element_type]
    if first.kind != "real":
        message = f"the text says `{first.kind} {first.element_type}`, and another `real` is asked for"
        raise mistake("E0228", message, (first.origin, "no type of real numbers"))
    _reject_unknown("real", override, ())
    return TYPES["real"][override]


def _reject_unknown(kind: str, name: str, origin: Origin) -> None:
    """`bf16` is a type of arguments in memory (primitives have it), none that a program computes with."""
    if name in TYPES[kind]:
        return
    *some, last = (f"`{each}`" for each in TYPES[kind])
    what = "element type" if kind == "real" else "type of integers"
    notes = tuple(f"`{other} {name}` computes with it" for other in TYPES if name in TYPES[other])
    if name in _STORED:
        notes = (f"`{name}` is a type of memory, which nothing computes with",)
    message = f"`{name}` is no {what}: they are {', '.join(some)} and {last}"
    raise mistake("E0228", message, (origin, ""), notes=notes)
