"""Parsers kept between processes: to build the tables of a grammar takes ten times as long as to read them.

    <the user's caches>/einsum-front/parsers/<SHA-256 of all that the tables depend on>.pickle

The name says the grammar, its options and the versions of lark and Python, so no file is ever out of date. Reading one
runs what it says: a file, or a folder, that another user owns or can write is not read, nor one that was cut off.
"""

import sys
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import lark

from einsum_front.core.private_folders import (
    NEW,
    are_private,
    is_off,
    make_private_and_known,
    remove,
    remove_left,
    shrink,
    user_caches,
    write_whole,
)

MOST_BYTES = 2**22
"""Of all parsers; those that were built first go first. That of the tensor language has 200 KB."""

DIGEST = sha256().digest_size


def parser_of_grammar(text: str, folder: Path, options: Mapping[str, object]) -> lark.Lark:
    """The LALR parser of a grammar, which may import others in the folder, with lark's options."""
    if is_off():
        return _built(text, folder, options)
    others = {path.name: path.read_bytes() for path in sorted(folder.glob("*.lark"))} if "%import" in text else {}
    key = repr((lark.__version__, sys.version, text, others, sorted(options.items())))
    path = parsers_folder() / f"{sha256(key.encode()).hexdigest()}.pickle"
    found = _read(path)
    if found is None:
        found = _built(text, folder, options)
        with suppress(OSError):
            _keep(path, found)
    return found


def _built(text: str, folder: Path, options: Mapping[str, object]) -> lark.Lark:
    return lark.Lark(text, parser="lalr", import_paths=[str(folder)], **options)


def _read(path: Path) -> lark.Lark | None:
    try:
        if not are_private(path.parent.parent, path.parent, path):
            return None
        content = path.read_bytes()
    except OSError:
        return None
    digest, tables = content[:DIGEST], content[DIGEST:]
    return lark.Lark.load(BytesIO(tables)) if sha256(tables).digest() == digest else None


def _keep(path: Path, parser: lark.Lark) -> None:
    make_private_and_known(path.parent)
    tables = BytesIO()
    parser.save(tables)
    write_whole(path, sha256(tables.getvalue()).digest() + tables.getvalue())
    remove_left(path.parent, f"*{NEW}")
    shrink(path.parent, "*.pickle", MOST_BYTES, path)


def parsers_folder() -> Path:
    """Where the parsers of this user are."""
    return user_caches() / "parsers"


def parsers() -> list[Path]:
    """The files of all that are kept."""
    return list(parsers_folder().glob("*.pickle"))


def remove_parsers() -> int:
    """Removes all and says how many; raises `OSError` if the system forbids it."""
    found = parsers()
    for path in [*found, *parsers_folder().glob(f"*{NEW}")]:
        remove(path)
    return len(found)
