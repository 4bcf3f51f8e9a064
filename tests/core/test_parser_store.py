"""Parsers that are kept: read again, never out of date, and never from a file that others may have written."""

import os
from pathlib import Path

import lark
import pytest
from lark import Lark, ParseTree

from einsum_front.core import parser_store
from einsum_front.core.parser_store import parser_of_grammar, parsers, remove_parsers
from einsum_front.core.private_folders import NO_CACHE_VARIABLE

GRAMMAR = 'start: "a"+ WORD\nWORD: /b+/\n'
OPTIONS = {"lexer": "contextual", "start": ["start"]}


@pytest.fixture(autouse=True)
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The grammars that tables were built for, with an empty cache."""
    found: list[str] = []

    def build(text: str, folder: Path, options: dict[str, object]) -> Lark:
        found.append(text)
        return original(text, folder, options)

    original = parser_store._built
    monkeypatch.setattr(parser_store, "_built", build)
    monkeypatch.setattr(parser_store, "user_caches", lambda: tmp_path / "caches" / "einsum-front")
    monkeypatch.delenv(NO_CACHE_VARIABLE, raising=False)
    return found


def tree(grammar: str = GRAMMAR, folder: Path = Path(), **options: object) -> ParseTree:
    return parser_of_grammar(grammar, folder, {**OPTIONS, **options}).parse("aab")


def test_it_is_built_once(built: list[str]) -> None:
    assert tree() == tree() == Lark(GRAMMAR, parser="lalr").parse("aab")
    assert built == [GRAMMAR]
    assert len(parsers()) == 1
    assert remove_parsers() == 1
    assert parsers() == []


def test_another_grammar_option_or_version_is_another(built: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    tree()
    tree(GRAMMAR.replace("b+", "[bc]+"))
    tree(keep_all_tokens=True)
    monkeypatch.setattr(lark, "__version__", "0.0")
    tree()
    assert len(built) == len(parsers()) == 4


def test_so_is_one_that_imports_another(built: list[str], tmp_path: Path) -> None:
    for letters in ("b", "[bc]"):
        (tmp_path / "words.lark").write_text(f"WORD: /{letters}+/\n", encoding="utf-8")
        tree('%import words (WORD)\nstart: "a"+ WORD\n', tmp_path)
    assert len(built) == 2


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="users and modes are those of POSIX")
@pytest.mark.parametrize("which", ["file", "folder", "above"])
def test_what_others_can_write_is_not_read(which: str, built: list[str]) -> None:
    tree()
    (file,) = parsers()
    {"file": file, "folder": file.parent, "above": file.parent.parent}[which].chmod(0o777)
    tree()
    assert len(built) == 2


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 100])
def test_a_damaged_file_is_built_anew(content: bytes, built: list[str]) -> None:
    tree()
    (file,) = parsers()
    file.write_bytes(content or file.read_bytes()[:-1])
    assert tree() == tree()
    assert len(built) == 2


def test_nothing_is_kept_where_caches_are_off_or_cannot_be(
    built: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parser_store, "user_caches", lambda: tmp_path / "file" / "einsum-front")
    (tmp_path / "file").touch()
    assert tree() == tree()
    monkeypatch.setenv(NO_CACHE_VARIABLE, "1")
    assert tree() == tree()
    assert len(built) == 4
    assert parsers() == []
