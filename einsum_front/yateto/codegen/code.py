"""A writer of C++: lines, and blocks as context managers."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from io import StringIO
from pathlib import Path
from types import TracebackType

from einsum_front.files import write_text

INDENT = "  "


class Cpp:
    """A text of C++, which is written when the block that it is made for ends: `with Cpp("main.cpp") as cpp:`."""

    def __init__(self, streamOrName: str | StringIO) -> None:
        self._target = streamOrName
        self._lines: list[str] = []
        self._depth = 0

    def __enter__(self) -> "Cpp":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if kind is not None:
            return
        text = "".join(f"{line}\n" for line in self._lines)
        if isinstance(self._target, StringIO):
            self._target.write(text)
        else:
            write_text(Path(self._target), text)

    def __call__(self, code: str) -> None:
        """Adds lines."""
        self._lines += [INDENT * self._depth + line if line else "" for line in code.splitlines()]

    def emptyline(self) -> None:
        """Adds an empty line."""
        self._lines.append("")

    def include(self, header: str) -> None:
        """Includes a header of the program."""
        self(f'#include "{header}"')

    def includeSys(self, header: str) -> None:
        """Includes a header of the system."""
        self(f"#include <{header}>")

    def label(self, name: str) -> None:
        """Adds a label such as `public`."""
        self(f"{name}:")

    def functionDeclaration(self, name: str, arguments: str = "", returnType: str = "void") -> None:
        """Declares a function."""
        self(f"{returnType} {name}({arguments});")

    def Function(
        self, name: str, arguments: str = "", returnType: str = "void", const: bool = False
    ) -> AbstractContextManager[None]:
        """The body of a function."""
        return self._block(f"{returnType} {name}({arguments}){' const' if const else ''} {{")

    def For(self, argument: str) -> AbstractContextManager[None]:
        """The body of a loop."""
        return self._block(f"for ({argument}) {{")

    def If(self, argument: str) -> AbstractContextManager[None]:
        """Block of code under a condition."""
        return self._block(f"if ({argument}) {{")

    def AnonymousScope(self) -> AbstractContextManager[None]:
        """A block of its own."""
        return self._block("{")

    def Struct(self, name: str) -> AbstractContextManager[None]:
        """The members of a struct."""
        return self._block(f"struct {name} {{", "};")

    @contextmanager
    def Namespace(self, name: str) -> Iterator[None]:
        """The content of a namespace, or of several: `a::b`; none for an empty name."""
        parts = [part for part in name.split("::") if part]
        for part in parts:
            self(f"namespace {part} {{")
        self._depth += len(parts)
        yield
        self._depth -= len(parts)
        for part in reversed(parts):
            self(f"}} // namespace {part}")

    @contextmanager
    def HeaderGuard(self, name: str) -> Iterator[None]:
        """The content of a header."""
        self(f"#ifndef {name}_\n#define {name}_")
        yield
        self("#endif")

    @contextmanager
    def _block(self, head: str, end: str = "}") -> Iterator[None]:
        self(head)
        self._depth += 1
        yield
        self._depth -= 1
        self(end)
