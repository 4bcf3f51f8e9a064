"""Words of a line that stand for a tensor or an index: `t:Q`, `i:k`.

Levels spell a tensor in their own ways: `Q`, `%Q`, `%Q_item`, `Q_item_view`. What such a name is a view of is read from
the lines that define it. Names of indices are those of the notation at each level, as loops or in maps.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import NamedTuple

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Source
from einsum_front.notation import syntax
from einsum_front.options import Level


class Token(NamedTuple):
    """The columns `start` (included) to `end` (excluded) of a line, counted from 0, and what they stand for."""

    start: int
    end: int
    entity: str


_VIEW = re.compile(r"^\s*%(\w+) = (?:subview|load|fuse|expand|get_work_item|alloca)\b[^%\n]*(?:%(\w+))?")
_LOOP = re.compile(r"^\s*(?:for|foreach) (?:\w+ )?%(\w+) =", re.MULTILINE)
_COLLECTIVE = re.compile(r"^\s*(?:gemm|gemv|ger|axpby|sum|hadamard_product)\b")
MAPPED = (Level.GRAPH, Level.PLAN, Level.YIR)
"""Levels with maps, which have the indices of the notation."""

_WORD = re.compile(r"[A-Za-z_]\w*")
_LOCAL = re.compile(r"%(\w+)")
_MAP = re.compile(r"\{([^{}=;]*)\}")
_PART = re.compile(r"(?<=[A-Za-z0-9_])\[([^\]\n]*)\]")
_EXTENT = re.compile(r"(?<![\w%])([A-Za-z_]\w*)=(?=\d|\[)")
_NAME = re.compile(r"[A-Za-z_]\w*(?=\[| :| \*|$|:)")


@dataclass(frozen=True, slots=True)
class Names:
    """Tensors by the names that they and their views have in a kernel, the names of its loops, and its indices."""

    tensors: Mapping[str, str]
    loops: frozenset[str]
    indices: frozenset[str]
    """Those of the notation; loops of instructions are called as they are, `k_l` over two of them."""


def names_of(tensors: Mapping[str, str], texts: Mapping[Level, str]) -> Names:
    """The names of a kernel; `tensors` are known already, by the names of arguments."""
    roots = dict(tensors)
    for level in (Level.YIR, Level.TL):
        for line in texts.get(level, "").splitlines():
            if match := _VIEW.match(line):
                view, source = match[1], match[2]
                roots.setdefault(view, roots.get(source, source) if source else view)
    maps = (token for level in MAPPED for line in texts.get(level, "").splitlines() for token in _of_maps(line))
    indices = frozenset(token.entity.removeprefix("i:") for token in maps)
    return Names(roots, frozenset(_LOOP.findall(texts.get(Level.TL, ""))), indices)


def tokens_of_line(level: Level, line: str, names: Names, *, is_collective: bool = False) -> list[Token]:
    """The tokens of a line, in order; loops of `is_collective` lines are called as the indices, if these are known."""
    found: list[Token] = []
    code = line.partition(";!")[0] if level in (Level.YIR, Level.TL) else line
    if level in MAPPED:
        found += _of_maps(code)
    if level in (Level.YIR, Level.TL, Level.SCHEDULE):
        for match in _LOCAL.finditer(code):
            found += _of_name(match[1], match.start(), match.end(), names)
    elif level is Level.CL:
        for match in _WORD.finditer(code):
            if match[0] in names.tensors or (match[0] in names.loops and not is_collective):
                found += _of_name(match[0], match.start(), match.end(), names)
            else:
                found += _of_loop(match[0], match.start(), names)
    else:
        for match in _WORD.finditer(code):
            if match[0] in names.tensors and not any(each.start <= match.start() < each.end for each in found):
                found.append(Token(*match.span(), f"t:{names.tensors[match[0]]}"))
    return _disjoint(found)


def is_collective(line: str) -> bool:
    """True for a line of the tensor language that is a collective instruction."""
    return _COLLECTIVE.match(line) is not None


def _of_name(name: str, start: int, end: int, names: Names) -> Iterator[Token]:
    if name in names.tensors:
        yield Token(start, end, f"t:{names.tensors[name]}")
    elif name in names.loops:
        yield Token(start, end, f"i:{name}")


def _of_loop(name: str, start: int, names: Names) -> list[Token]:
    """The indices that a variable of C is called by: `l`, or `k_l`; none of them if a part of it is none."""
    parts = [*re.finditer("[^_]+", name)]
    if not all(part[0] in names.indices for part in parts):
        return []
    return [Token(start + part.start(), start + part.end(), f"i:{part[0]}") for part in parts]


def _of_maps(line: str) -> Iterator[Token]:
    """Indices in maps `{lj, ikl, k to ji}`, in parts `A[i, k+1]`, and in extents `k=20`."""
    for match in _MAP.finditer(line):
        for part in re.finditer(r"[^,]+", match[1]):
            offset = match.start(1) + part.start()
            yield from _indices(part[0], offset)
    for match in _PART.finditer(line):
        for word in _WORD.finditer(match[1]):
            yield Token(match.start(1) + word.start(), match.start(1) + word.end(), f"i:{word[0]}")
    for match in _EXTENT.finditer(line):
        yield Token(*match.span(1), f"i:{match[1]}")


def _indices(text: str, offset: int) -> Iterator[Token]:
    """Letters, or longer names with blanks between them; `to` between two lists is none."""
    start = 0
    for piece in re.split(r"(\bto\b)", text):
        words = list(_WORD.finditer(piece))
        is_spelled_out = len(words) > 1
        for word in words if piece != "to" and piece.strip() != "_" else ():
            spans = [word.span()] if is_spelled_out else [(i, i + 1) for i in range(*word.span())]
            for first, end in spans:
                yield Token(offset + start + first, offset + start + end, f"i:{piece[first:end]}")
        start += len(piece)


def _disjoint(tokens: list[Token]) -> list[Token]:
    kept: list[Token] = []
    for token in sorted(set(tokens)):
        if not kept or kept[-1].end <= token.start:
            kept.append(token)
    return kept


# -- the notation ------------------------------------------------------------------------------------------------------


def tokens_of_notation(program: syntax.Program, source: Source) -> dict[int, list[Token]]:
    """The tensors and indices that a program names, by line from 0 on."""
    found: dict[int, list[Token]] = {}
    tensors = {item.name for item in program.items if isinstance(item, syntax.Tensor)} | set(_referenced(program))
    for start, end, entity in _places(program, tensors, source):
        line, column = source.position(start)
        found.setdefault(line - 1, []).append(Token(column - 1, column - 1 + end - start, entity))
    return {line: _disjoint(tokens) for line, tokens in found.items()}


def _referenced(node: object) -> Iterator[str]:
    if isinstance(node, syntax.Reference) and node.positions is not None:
        yield node.name
    for child in _children(node):
        yield from _referenced(child)


def _places(node: object, tensors: set[str], source: Source) -> Iterator[tuple[int, int, str]]:
    if isinstance(node, syntax.Reference | syntax.Tensor) and node.name in tensors and node.origin:
        span = node.origin[0]
        if span.source == source and span.text.startswith(node.name):
            yield span.start, span.start + len(node.name), f"t:{node.name}"
    elif isinstance(node, syntax.RunningIndex) and node.origin and node.origin[0].source == source:
        span = node.origin[0]
        yield span.start, span.start + len(node.name), f"i:{node.name}"
    for child in _children(node):
        yield from _places(child, tensors, source)


def _children(node: object) -> Iterator[object]:
    if isinstance(node, tuple):
        yield from node
    elif is_dataclass(node) and not isinstance(node, type):
        yield from (getattr(node, field.name) for field in fields(node) if field.name != "origin")


# -- letters of matrix products ----------------------------------------------------------------------------------------

_LOG = re.compile(r"^\s*log \{([^,{}]+), ([^,{}]+?) to ([^{}]+)\}")


def roles_of_line(line: str) -> dict[str, str]:
    """What each index of a `log` of the YATeTo language is for its matrix product: m, n, k or a loop around it."""
    match = _LOG.match(line)
    if match is None:
        return {}
    left, right, target = (re.sub(r"\[\w\]", "", part) for part in match.groups())
    roles = {letter: "loop" for part in match.groups() for letter in re.findall(r"\[(\w)\]", part)}
    for letter in dict.fromkeys("".join(re.findall(r"[A-Za-z]", left + right + target))):
        if letter in left and letter in right:
            roles[letter] = "k"
        else:
            roles[letter] = "m" if letter in left else "n"
    return roles
