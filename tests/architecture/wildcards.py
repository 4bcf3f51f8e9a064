"""Wildcards of `match` in the product: each raises, or says beside it why the set that it stands for is open.

    case _:                                              refused, if its body acts
        return _gelu(x)
    case _:                                              accepted
        raise CompilerBug(f"`{name}` has no node")
    case _:  # open: bounds that are known at run time   accepted, for strings, numbers and shapes of tuples
        return 1

A reason is refused where all other cases are whole classes or members of an enumeration: such a set is closed, so its
members are spelled out, and mypy names the `match` that a new one is missing in. The table of functions of entries is
no closed set: it grows by rows. Three questions `isinstance` of one value are a `match`, and what stands behind them is
its wildcard. `hasattr` and `getattr` with a default ask nodes of a language for nothing.

`python -m tests.architecture.wildcards` prints what is refused; `make check` runs it.
"""

import ast
import re
import sys
from collections.abc import Iterator

from tests.sources import modules

LANGUAGES = ("ir/", "tl_backend/", "einsum_front/mlir/", "einsum_front/notation/", "einsum_front/tc/")
"""Folders in which nothing but nodes and plain values is met."""

REASON = re.compile(r"#\s*open:\s*(\S+(?:\s+\S+)+)")
OPEN_CLASSES = frozenset(("str", "int", "float", "bool", "tuple", "list", "dict", "Mapping", "Sequence", "Token"))
LONG = 3
"""Questions in a row that are a `match`."""

GROWING = frozenset(("Function", "EntryFunction"))
"""Enumerations that are tables: a new row is a new member, and a wildcard stands for all rows of a kind."""


def refused(text: str, asks_nodes: bool) -> Iterator[tuple[int, str]]:
    """Lines of a module, and what is wrong there."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Match):
            yield from _of_match(node, lines)
        if asks_nodes:
            yield from _of_chains(node, lines)
        if asks_nodes and isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and _asks(node.func.id, node):
            yield node.lineno, f"`{node.func.id}` asks a value for what it may lack: its class says that"


def _of_chains(node: ast.AST, lines: list[str]) -> Iterator[tuple[int, str]]:
    """`if isinstance(x, A): … elif … else: …`, and ones in a row that return, three at least of one value."""
    if isinstance(node, ast.If):
        asked, rest = [_asked(node)], node.orelse
        while len(rest) == 1 and isinstance(rest[0], ast.If):
            asked, rest = [*asked, _asked(rest[0])], rest[0].orelse
        yield from _of_chain(asked, rest, lines)
    for block in (getattr(node, name, None) for name in ("body", "orelse")):
        chain: list[str | None] = []
        for statement in block if isinstance(block, list) else ():
            if isinstance(statement, ast.If) and not statement.orelse and isinstance(statement.body[-1], ast.Return):
                chain.append(_asked(statement))
            else:
                yield from _of_chain(chain, [statement], lines)
                chain = []


def _of_chain(asked: list[str | None], rest: list[ast.stmt], lines: list[str]) -> Iterator[tuple[int, str]]:
    is_one = len(asked) >= LONG and None not in asked and len(set(asked)) == 1
    if is_one and rest and not _raises(rest) and REASON.search(lines[rest[-1].lineno - 1]) is None:
        yield rest[0].lineno, "what is left of a chain of `isinstance` acts: a `match` spells it out"


def _asked(statement: ast.If) -> str | None:
    """The value whose class alone is asked for."""
    test = statement.test
    is_call = isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "isinstance"
    return ast.unparse(test.args[0]) if is_call and isinstance(test, ast.Call) else None


def _asks(name: str, call: ast.Call) -> bool:
    return name == "hasattr" or (name == "getattr" and len(call.args) == 3)


def _of_match(match: ast.Match, lines: list[str]) -> Iterator[tuple[int, str]]:
    *others, last = match.cases
    if not _is_anything(last) or _raises(last.body):
        return
    line = last.pattern.lineno
    if REASON.search(lines[line - 1]) is None:
        yield line, "a wildcard acts: it raises, is spelled out, or says `# open: …`"
    elif others and all(map(_is_closed, others)):
        yield line, "the other cases are members of a closed set: the rest is spelled out"


def _is_anything(case: ast.match_case) -> bool:
    return case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None


def _raises(body: list[ast.stmt]) -> bool:
    last = body[-1]
    is_never = isinstance(last, ast.Expr) and "assert_never(" in ast.unparse(last)
    return isinstance(last, ast.Raise) or is_never


def _is_closed(case: ast.match_case) -> bool:
    return case.guard is None and all(map(_is_member, _alternatives(case.pattern)))


def _alternatives(pattern: ast.pattern) -> Iterator[ast.pattern]:
    if isinstance(pattern, ast.MatchOr):
        for each in pattern.patterns:
            yield from _alternatives(each)
    elif isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
        yield from _alternatives(pattern.pattern)
    else:
        yield pattern


def _is_member(pattern: ast.pattern) -> bool:
    """True for a whole class of ours, and for a member of an enumeration."""
    if isinstance(pattern, ast.MatchClass):
        name = ast.unparse(pattern.cls).rpartition(".")[2]
        parts = (*pattern.patterns, *pattern.kwd_patterns)
        return name not in OPEN_CLASSES and all(isinstance(each, ast.MatchAs) and not each.pattern for each in parts)
    if isinstance(pattern, ast.MatchValue) and isinstance(pattern.value, ast.Attribute):
        return ast.unparse(pattern.value).split(".")[-2] not in GROWING
    return isinstance(pattern, ast.MatchSingleton)


def main() -> int:
    """Prints what is refused; 1 if there is something."""
    found = [
        f"{name}:{line}: {message}"
        for name, path in modules().items()
        for line, message in refused(path.read_text(encoding="utf-8"), name.startswith(LANGUAGES))
    ]
    sys.stderr.writelines(f"{each}\n" for each in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
