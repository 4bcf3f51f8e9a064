"""Barriers that some work-items of a group may not come to, as far as a tree shows it.

What depends on the number of the work-item varies, so does what is assigned where such a value decides, and an array to
which such a value goes. What memory holds at the start is taken to be the same for all.
"""

from collections.abc import Iterable

from einsum_front.tl_backend.kernel import tree, walk


def has_divergent_barrier(function: tree.Function) -> bool:
    """True if a barrier, or what work-items do together, stands where only some of them come."""
    return _has_barrier(function.body) and _Uniformity().is_divided(function.body, False)


def _has_barrier(body: Iterable[tree.Statement]) -> bool:
    return any(isinstance(each, tree.Barrier | tree.MatrixMultiplyAdd) for each in walk.statements(body))


class _Uniformity:
    """The names whose values vary, while the statements are followed."""

    def __init__(self) -> None:
        self._varying: set[str] = set()

    def is_divided(self, body: tree.Statements, is_divergent: bool) -> bool:
        """True if a barrier among the statements is one for some; `is_divergent` if only some come here at all."""
        found = [self._statement(statement, is_divergent) for statement in body]
        return True in found

    def _statement(self, statement: tree.Statement, is_divergent: bool) -> bool:
        match statement:
            case tree.Barrier():
                return is_divergent
            case tree.MatrixMultiplyAdd(sums=sums):
                parts = (each for sum_ in sums for each in walk.expressions(sum_))
                self._varying.update(each.text for each in parts if isinstance(each, tree.Name))
                return is_divergent
            case tree.Declare(name=name, value=value):
                self._set(name, is_divergent or (value is not None and self._varies(value)))
            case tree.Assign(target=target, value=value, operator=operator):
                varies = is_divergent or self._varies(value) or (operator is not None and self._varies(target))
                if isinstance(target, tree.Name):
                    self._set(target.text, varies)
                elif varies or self._varies(target):
                    self._varying.update(each.text for each in walk.expressions(target) if isinstance(each, tree.Name))
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
            case tree.DeclareArray(name=name):
                self._set(name, False)
            case tree.Call() | tree.AtomicUpdate() | tree.Prefetch():
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

    def _set(self, name: str, varies: bool) -> None:
        (self._varying.add if varies else self._varying.discard)(name)

    def _varies(self, expression: tree.Expression) -> bool:
        return any(
            isinstance(each, tree.ItemId) or (isinstance(each, tree.Name) and each.text in self._varying)
            for each in walk.expressions(expression)
        )
