"""Barriers that some work-items of a group may not come to, as far as a tree shows it.

What depends on the number of the work-item varies, so does what is assigned where such a value decides, and a private
array to which such a value goes. Memory that work-items share holds the same for all of them, whoever wrote it; so each
of them reads the same where its address is the same.
"""

from collections.abc import Iterable

from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import expressions, features_of_function, statements
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Type

TOGETHER = frozenset((tree.Barrier, tree.MatrixMultiplyAdd))
"""Statements that the work-items of a group run together."""


def has_divergent_barrier(function: tree.Function) -> bool:
    """True if a barrier, or what work-items do together, stands where only some of them come."""
    if TOGETHER.isdisjoint(function.get(features_of_function).kinds):
        return False
    return _Uniformity(function.parameters).is_divided(function.body, False)


def _has_barrier(body: Iterable[tree.Statement]) -> bool:
    return any(type(each) in TOGETHER for each in statements(body))


class _Uniformity:
    """The names whose values vary, while the statements are followed."""

    def __init__(self, parameters: Iterable[tree.Parameter]) -> None:
        self._varying: set[str] = set()
        self._shared = {each.name for each in parameters if _is_shared(each.type)}

    def is_divided(self, body: tree.Statements, is_divergent: bool) -> bool:
        """True if a barrier among the statements is one for some; `is_divergent` if only some come here at all."""
        found = [self._statement(statement, is_divergent) for statement in body]
        return True in found

    def _statement(self, statement: tree.Statement, is_divergent: bool) -> bool:
        match statement:
            case tree.Barrier():
                return is_divergent
            case tree.MatrixMultiplyAdd(sums=sums):
                parts = (each for sum_ in sums for each in expressions(sum_))
                self._varying.update(each.text for each in parts if isinstance(each, tree.Name))
                return is_divergent
            case tree.Declare(type=type_, name=name, value=value):
                self._declare(name, is_shared=_is_shared(type_))
                self._set(name, is_divergent or (value is not None and self._varies(value)))
            case tree.Assign(target=target, value=value, operator=operator):
                varies = is_divergent or self._varies(value) or (operator is not None and self._varies(target))
                if isinstance(target, tree.Name):
                    self._set(target.text, varies)
                elif not self._is_in_shared(target) and (varies or self._varies(target)):
                    self._varying.update(each.text for each in expressions(target) if isinstance(each, tree.Name))
            case tree.If(condition=condition, then=then, otherwise=otherwise):
                is_divergent = is_divergent or self._varies(condition)
                found = [self.is_divided(branch, is_divergent) for branch in (then, otherwise)]
                return True in found
            case tree.For(variable=variable, start=start, stop=stop, step=step, body=body):
                is_divergent = is_divergent or any(map(self._varies, (start, stop, step)))
                self._set(variable, is_divergent)
                return self._repeated(body, is_divergent, None)
            case tree.DoWhile(body=body, condition=condition):
                return self._repeated(body, is_divergent, condition)
            case tree.Block(body=body) | tree.Section(body=body):
                return self.is_divided(body, is_divergent)
            case tree.DeclareArray(name=name, space=space):
                self._declare(name, is_shared=space is not AddressSpace.PRIVATE)
                self._set(name, False)
            case tree.Call() | tree.AtomicUpdate() | tree.Prefetch() | tree.Fence():
                pass
        return False

    def _repeated(self, body: tree.Statements, is_divergent: bool, condition: tree.Expression | None) -> bool:
        """Fixed point: a name that varies at the end of one iteration does so at the start of the next."""
        known: set[str] | None = None
        while known != self._varying:
            known = set(self._varying)
            is_divided = self.is_divided(body, is_divergent)
            is_divergent = is_divergent or (condition is not None and self._varies(condition))
            self._varying |= known
        return is_divided or (is_divergent and _has_barrier(body))

    def _declare(self, name: str, *, is_shared: bool) -> None:
        (self._shared.add if is_shared else self._shared.discard)(name)

    def _is_in_shared(self, place: tree.Subscript | tree.Access) -> bool:
        """True if it is an entry of memory that work-items share."""
        match place:
            case tree.Access(pointer=pointer):
                return _is_shared(pointer)
            case tree.Subscript(base=tree.Name(text=name)):
                return name in self._shared
            case tree.Subscript(base=tree.Cast(type=type_)):
                return _is_shared(type_)
            case tree.Subscript():
                return False

    def _set(self, name: str, varies: bool) -> None:
        (self._varying.add if varies else self._varying.discard)(name)

    def _varies(self, expression: tree.Expression) -> bool:
        return any(
            isinstance(each, tree.ItemId) or (isinstance(each, tree.Name) and each.text in self._varying)
            for each in expressions(expression)
        )


def _is_shared(type_: Type) -> bool:
    return isinstance(type_, Pointer) and type_.space is not AddressSpace.PRIVATE
