"""Effect of a kernel's statements on zeros and temporaries, entry by entry.

Two rules: an assignment puts nothing but zero where its target is declared to be zero; and an entry of a temporary is
written before it is read. Both follow the statements in their order, with the exact pattern of every tensor so far.
"""

from einsum_front.core.binding import replaced
from einsum_front.core.extent import Polynomial, static_shape
from einsum_front.core.limits import LARGEST_FOLLOWED
from einsum_front.core.pattern_network import Factor
from einsum_front.core.runs import TooManyCellsError
from einsum_front.core.storage import Storage
from einsum_front.core.zero_pattern import Pattern
from einsum_front.notation.check.mistakes import gather, mistake
from einsum_front.notation.check.scope import Scope
from einsum_front.notation.checked import (
    Access,
    Assignment,
    AssignmentOperator,
    Expression,
    FixedPosition,
    Gather,
    Kernel,
    Tensor,
    parts,
)
from einsum_front.notation.patterns import entries_of, pattern, walked_by, with_entries


def check_entries(kernel: Kernel, scope: Scope) -> None:
    """Raise what the statements of a kernel do to entries that they must not read or write.

    A mode whose extent is dynamic has no parts, so two positions of it show what happens to all.
    """
    names = dict.fromkeys(access.tensor for access in accesses_of(kernel))
    tensors = tuple(scope.family_of(name)[1] for name in names)
    if any(isinstance(extent, Polynomial) for tensor in tensors for extent in tensor.shape):
        tensors, kernel = replaced((tensors, kernel), _few)
    gather(_Entries(tensors, scope).check, kernel.statements)


def _few(_extent: Polynomial) -> int:
    """Positions that stand for all of a dynamic mode: two tell a diagonal from the rest."""
    return 2


def accesses_of(kernel: Kernel) -> tuple[Access, ...]:
    """Everything that the statements of a kernel read or write, in the order of the text."""
    return tuple(access for s in kernel.statements for access in (*_accesses(s.target), *_accesses(s.value)))


class _Entries:
    """Facts about the entries of the kernel's tensors between two statements.

    `declared` are the patterns of the declarations, `patterns` those that hold here; both only of tensors with known
    zeros. `written` are the entries of temporaries that hold something.
    """

    def __init__(self, tensors: tuple[Tensor, ...], scope: Scope) -> None:
        self._scope = scope
        self.tensors = {tensor.name: tensor for tensor in tensors}
        self.declared = {t.name: t.nonzeros for t in tensors if t.nonzeros is not None}
        self.written = {t.name: self._known_zero(t) for t in tensors if t.storage is Storage.TEMPORARY}
        empty = {name: Pattern.empty(known.shape) for name, known in self.written.items()}
        self.patterns = {**self.declared, **empty}

    def check(self, statement: Assignment) -> None:
        """Follow one statement."""
        try:
            gather(self._reject_unwritten, _read_by(statement))
            value = pattern(statement.value, self.patterns)
            if isinstance(statement.target, Access):  # of others no zeros are known
                self._reject_nonzeros(statement, statement.target, value)
                self._write(statement, statement.target, value)
        except TooManyCellsError as error:
            message = f"zeros are followed here over {error.cells} parts of a tensor, more than {LARGEST_FOLLOWED}"
            note = "a part is a box of entries between those at which something changes"
            raise mistake("E0218", message, (statement.origin, ""), notes=(note,)) from None

    def _known_zero(self, tensor: Tensor) -> Pattern:
        if tensor.name in self.declared:
            return ~self.declared[tensor.name]
        return Pattern.empty(static_shape(tensor.shape))

    def _write(self, statement: Assignment, target: Access, value: Factor) -> None:
        name = target.tensor
        if name in self.written:
            known = self.written[name]
            self.written[name] = with_entries(known, target, Pattern.full(entries_of(known, target).pattern.shape))
        if name not in self.patterns and value.pattern.is_full:
            return
        before = self.patterns.get(name, Pattern.full(static_shape(self.tensors[name].shape)))
        entries = entries_of(before, target)
        new = walked_by(value, entries)
        if name in self.declared:
            new &= entries_of(self.declared[name], target).pattern
        if statement.operator is not AssignmentOperator.SET:
            new |= entries.pattern
        try:
            self.patterns[name] = with_entries(before, target, new)
        except TooManyCellsError:
            if name in self.declared or name in self.written:
                raise
            self.patterns.pop(name, None)  # of an argument, everything may differ from zero

    def _reject_nonzeros(self, statement: Assignment, target: Access, value: Factor) -> None:
        if target.tensor not in self.declared:
            return
        allowed = entries_of(self.declared[target.tensor], target)
        forbidden = walked_by(value, allowed) - allowed.pattern
        if not forbidden.is_empty:
            family, tensor = self._scope.family_of(target.tensor)
            entry = _position(target, allowed.indices, forbidden.first())
            message = f"entry {entry} of `{tensor.spelling}` is declared to be zero, but may become something else here"
            declared = (family.declaration.origin, "its zeros are declared here")
            raise mistake("E0217", message, (statement.origin, ""), declared)

    def _reject_unwritten(self, access: Access) -> None:
        if access.tensor not in self.written:
            return
        written = entries_of(self.written[access.tensor], access)
        if not written.pattern.is_full:
            entry = _position(access, written.indices, (~written.pattern).first())
            self.written[access.tensor] = Pattern.full(self.written[access.tensor].shape)
            spelling = self.tensors[access.tensor].spelling
            message = f"`{spelling}` is read before it is written: entry {entry}"
            note = "a `temp` holds nothing when the kernel starts"
            raise mistake("E0223", message, (access.origin, "read here"), notes=(note,))


def _read_by(statement: Assignment) -> tuple[Access, ...]:
    updated = () if statement.operator is AssignmentOperator.SET else _accesses(statement.target)
    return (*updated, *_accesses(statement.value))


def _accesses(expression: Expression) -> tuple[Access, ...]:
    if isinstance(expression, Access):
        return (expression,)
    if isinstance(expression, Gather):
        return (*(Access(name, (), expression.origin) for name in expression.tensors), *expression.entries)
    return tuple(access for part in parts(expression) for access in _accesses(part))


def _position(access: Access, names: tuple[str, ...], place: tuple[int, ...]) -> str:
    """An entry of the tensor, where the indices of an access have the values `place`."""
    values = dict(zip(names, place, strict=True))
    entry = (p.position if isinstance(p, FixedPosition) else p.offset + values[p.index.name] for p in access.positions)
    return f"({', '.join(map(str, entry))})"
