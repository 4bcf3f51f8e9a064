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
REALS = {each.value: each for each in ElementType if each.is_computed}


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
    declared = [item for item in program.items if isinstance(item, syntax.Real)]
    for item in declared:
        with mistakes.collect():
            _reject_unknown(item.element_type, item.origin)
    with mistakes.collect():
        if len(declared) > 1:
            raise declared_twice("real", declared[1].origin, declared[0].origin)
    given = override or next((item.element_type for item in declared if item.element_type in REALS), "f64")
    _reject_unknown(given, ())
    return REALS[given]


def _reject_unknown(name: str, origin: Origin) -> None:
    """`bf16` is a type of arguments in memory (primitives have it), none that a program computes with."""
    if name not in REALS:
        notes = ("`bf16` is a type of memory, which nothing computes with",) if name == ElementType.BF16.value else ()
        raise mistake("E0228", f"`{name}` is no element type: they are `f32` and `f64`", (origin, ""), notes=notes)
