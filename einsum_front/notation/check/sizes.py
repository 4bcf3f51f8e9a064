"""Every index has one extent wherever it is bound; `k` may be another index in another term."""

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError
from einsum_front.notation.check.mistakes import mistake
from einsum_front.notation.check.scope import Scope
from einsum_front.notation.checked import (
    Access,
    Apply,
    Component,
    Expression,
    Extremum,
    Gather,
    IndexPosition,
    Position,
    Product,
    Quotient,
    Reduction,
    ScalarTerm,
    Scaled,
    Sum,
    parts,
)


@dataclass(frozen=True, slots=True)
class _Occurrence:
    """An index in one mode of one access."""

    access: Access
    mode: int
    position: IndexPosition


def check_sizes(target: Access | Gather, value: Expression, scope: Scope) -> None:
    """Raise one error that names every index of an assignment whose extents differ; reductions are written out."""
    walk = _Walk()
    walk.visit(target)
    walk.visit(value)
    if walk.clashes:
        raise _error(list(walk.clashes.values()), scope)


class _Walk:
    """From the target through the value in the order of the text: `first` are the indices bound at this place."""

    def __init__(self) -> None:
        self.first: dict[str, _Occurrence] = {}
        self.clashes: dict[str, tuple[_Occurrence, _Occurrence]] = {}

    def visit(self, expression: Expression) -> None:
        match expression:
            case Access(positions=positions):
                self._walked(expression, positions)
            case Gather(tensors=(name, *_), positions=positions, origin=origin):
                self._walked(Access(name, (), origin), positions)
                for entry in expression.entries:
                    self._walked(entry, entry.positions)
            case Gather() | ScalarTerm():
                pass
            case Scaled() | Product() | Sum() | Apply() | Quotient() | Component():
                for part in parts(expression):
                    self.visit(part)
            case Reduction(indices=indices, operand=operand) | Extremum(indices=indices, operand=operand):
                self.visit(operand)
                for index in indices:
                    del self.first[index.name]

    def _walked(self, access: Access, positions: tuple[Position, ...]) -> None:
        for mode, position in enumerate(positions):
            if isinstance(position, IndexPosition):
                self._compare(_Occurrence(access, mode, position))

    def _compare(self, here: _Occurrence) -> None:
        index = here.position.index
        first = self.first.setdefault(index.name, here)
        if first.position.index.extent != index.extent:
            self.clashes.setdefault(index.name, (first, here))


def _error(clashes: list[tuple[_Occurrence, _Occurrence]], scope: Scope) -> CompileError:
    first, here = clashes[0]
    sizes = [_size(occurrence, first, here, scope) for occurrence in (here, first)]
    message = f"index `{here.position.index.name}` has size {sizes[0]} but {sizes[1]}"
    notes = tuple(_also(before, there, scope) for before, there in clashes[1:])
    family, tensor = scope.family_of(first.access.tensor)
    return mistake(
        "E0203",
        message,
        (here.position.origin, _described(here, scope)),
        (first.position.origin, _described(first, scope)),
        (family.declaration.shape[first.mode].origin, f"`{tensor.spelling}` declared here"),
        notes=notes,
    )


def _also(first: _Occurrence, here: _Occurrence, scope: Scope) -> str:
    sizes = [_size(occurrence, first, here, scope) for occurrence in (first, here)]
    return f"index `{here.position.index.name}` does not fit either: {sizes[0]}, {sizes[1]}"


def _size(occurrence: _Occurrence, first: _Occurrence, here: _Occurrence, scope: Scope) -> str:
    """The extent and the tensor; the mode as well if it is the same tensor at both places."""
    name = f"`{scope.family_of(occurrence.access.tensor)[1].spelling}`"
    place = f"mode {occurrence.mode} of {name}" if first.access.tensor == here.access.tensor else name
    return f"{occurrence.position.index.extent} in {place}"


def _described(occurrence: _Occurrence, scope: Scope) -> str:
    tensor = scope.family_of(occurrence.access.tensor)[1]
    whole = tensor.shape[occurrence.mode] == occurrence.position.index.extent
    part = "" if whole else "a slice of "
    return f"{occurrence.position.index.extent}: {part}mode {occurrence.mode} of `{tensor.spelling}`"
