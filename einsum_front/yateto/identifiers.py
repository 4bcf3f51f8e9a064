"""Names as YATeTo has them: a word, and the group that a tensor or a scalar is a member of, `fP(2)` or `V(1,0)`."""

import re

from einsum_front.yateto.mistakes import rejected

BASE_NAME = r"[a-zA-Z]\w*"
GROUP_INDEX = r"(?:0|[1-9]\d*)"
_NAME = re.compile(rf"({BASE_NAME})(?:\(({GROUP_INDEX}(?:,{GROUP_INDEX})*)\))?", re.ASCII)


def joined(*namespaces: str | None) -> str:
    """Namespaces inside of each other, `a::b`; empty ones do not count."""
    return "::".join(namespace for namespace in namespaces if namespace)


class IdentifiedType:
    """Thing with a name, and so a base name, a group and a namespace; two of one name are the same."""

    def __init__(self, name: str, namespace: str | None = None) -> None:
        if not self.isValidName(name):
            note = "a name is a letter, then letters, digits and `_`, then a group such as `(0)` or `(1,2)` if any"
            raise rejected("E0170", f"`{name}` is no name of a tensor or a scalar", note)
        self._name = name
        self.namespace = namespace or ""

    @classmethod
    def isValidName(cls, name: str) -> bool:
        """True if a tensor or a scalar can be called so."""
        return _NAME.fullmatch(name) is not None

    @classmethod
    def getGroup(cls, name: str) -> tuple[int, ...]:
        """The numbers in parentheses; none: no group."""
        found = _NAME.fullmatch(name)
        numbers = found.group(2) if found else None
        return tuple(map(int, numbers.split(","))) if numbers else ()

    @classmethod
    def getBaseName(cls, name: str) -> str:
        """The name without its group."""
        return name.partition("(")[0]

    def name(self) -> str:
        """With the group: `star(0)`."""
        return self._name

    def baseName(self) -> str:
        """Without the group: `star`."""
        return self.getBaseName(self._name)

    def group(self) -> tuple[int, ...]:
        """The numbers of the group, `(0,)`; none: no group."""
        return self.getGroup(self._name)

    def prefix(self) -> str:
        """The namespace with what joins it to a name: `nodal::`, or nothing."""
        return joined(self.namespace, "_").removesuffix("_")

    def baseNameWithNamespace(self) -> str:
        """`nodal::V2nTo2m`."""
        return joined(self.namespace, self.baseName())

    def nameWithNamespace(self) -> str:
        """`nodal::V2nTo2m(0)`."""
        return joined(self.namespace, self._name)

    def __str__(self) -> str:
        return self._name

    def __hash__(self) -> int:
        return hash(self._name)


class Scalar(IdentifiedType):
    """A number that the caller of a kernel supplies; it scales formulas and is none itself."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scalar) and self._name == other._name

    __hash__ = IdentifiedType.__hash__
