"""Which kernels of the corpus changed, and how.

    python -m tests.corpus              say how each kernel differs from `hashes.txt`, with the texts of the first
    python -m tests.corpus --update     make `hashes.txt` say what is true now; the commit says why
    python -m tests.corpus --all        the differences of all texts, not those of the first kernels only

A line of `hashes.txt` has the digest of the text of a kernel, that of its tree without names and comments, five counts
(`counts.Counts`), and the name of the kernel. So a change of a text is one of names alone ("the tree is the same"), or
of what the kernel does, and then the counts say in which direction. The earlier text of a kernel is not stored: it is
made by the commit that `hashes.txt` was last changed in, or `--base`.
"""

import argparse
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from difflib import unified_diff
from functools import partial
from io import BytesIO
from multiprocessing import get_context
from pathlib import Path
from tarfile import open as open_tar
from tempfile import TemporaryDirectory

from examples.ader_dg import matrices
from tests.corpus.counts import Counts
from tests.corpus.kernels import Case, Made, cases, digest, made

ROOT = Path(__file__).parents[2]
HASHES = Path(__file__).with_name("hashes.txt")
FIRST = 3
"""Kernels of which the difference is shown unless all are asked for."""


def main() -> int:
    """Run from the command line; 1 if kernels changed that were not to."""
    parser = argparse.ArgumentParser(prog="python -m tests.corpus", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--update", action="store_true", help="write what is true now")
    parser.add_argument("--all", action="store_true", help="show every difference")
    parser.add_argument("--base", help="the commit that earlier texts are made by")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--write", type=Path, metavar="DIR", help="only write the texts of these kernels there")
    parser.add_argument("kernels", nargs="*", help="with --write: their names")
    given = parser.parse_args()
    wanted = frozenset(given.kernels)
    chosen = [case for case in cases() if not wanted or _has_any(case, wanted)]
    rows = {} if given.update else {name: row.text for name, row in known().items()}
    found = all_kernels(given.processes, chosen, rows)
    if given.write is not None:
        _write({name: kernel.text for name, kernel in found.items() if name in wanted}, given.write)
        return 0
    if given.update:
        lines = (f"{Row(digest(each.text), each.tree, each.counts)}  {name}\n" for name, each in sorted(found.items()))
        HASHES.write_text("".join(lines), "utf-8")
        print(f"{len(found)} kernels")
        return 0
    return _report(found, given.base or _last_change(), None if given.all else FIRST)


def all_kernels(processes: int, chosen: Iterable[Case], known: Mapping[str, str]) -> dict[str, Made]:
    """The kernels of these cases by name, made by several processes; `known` are digests of texts, as in `made`."""
    for order in sorted({case.order for case in cases() if case.order is not None}):
        matrices.write(order)
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        return {name: each for found in pool.map(partial(made, known=known), chosen) for name, each in found.items()}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of `hashes.txt`, without the name."""

    text: str
    tree: str
    counts: Counts

    def __str__(self) -> str:
        return "  ".join([self.text, self.tree, " ".join(map(str, self.counts.numbers))])


def known() -> dict[str, Row]:
    """The kernels of `hashes.txt` by name."""
    lines = HASHES.read_text(encoding="utf-8").splitlines() if HASHES.exists() else []
    rows = (line.split("  ", 3) for line in lines)
    return {name: Row(text, tree, Counts(*map(int, numbers.split()))) for text, tree, numbers, name in rows}


def direction(earlier: Row, now: Row) -> str:
    """How a kernel changed, in words: its text alone, or what it does."""
    if earlier.tree == now.tree:
        return "text differs, tree the same"
    changes = earlier.counts.changes(now.counts)
    if not changes:
        return "tree differs, counts the same"
    pairs = list(zip(earlier.counts.numbers, now.counts.numbers, strict=True))
    is_better, is_worse = all(old >= new for old, new in pairs), all(old <= new for old, new in pairs)
    return f"counts {'better' if is_better else 'worse' if is_worse else 'differ'}: {', '.join(changes)}"


def _report(found: Mapping[str, Made], base: str, shown: int | None) -> int:
    earlier, now = known(), {name: digest(each.text) for name, each in found.items()}
    changed = sorted(name for name in earlier.keys() & now.keys() if earlier[name].text != now[name])
    for names, what in ((earlier.keys() - now.keys(), "gone"), (now.keys() - earlier.keys(), "new")):
        for name in sorted(names):
            print(f"{what}: {name}")
    ways: Counter[str] = Counter()
    for name in changed:
        how = direction(earlier[name], Row(now[name], found[name].tree, found[name].counts))
        ways[how.partition(":")[0]] += 1
        print(f"{name}: {how}")
    print(f"{len(changed)} of {len(now)} kernels changed since {base[:12]}")
    for how, number in ways.most_common():
        print(f"  {number}: {how}")
    for line in _differences(changed[:shown], found, base) if changed else ():
        print(line)
    if earlier.keys() == now.keys() and not changed:
        return 0
    print("if this is on purpose: python -m tests.corpus --update, and the commit says why", file=sys.stderr)
    return 1


def _differences(names: list[str], found: Mapping[str, Made], base: str) -> Iterator[str]:
    with TemporaryDirectory() as folder:
        earlier = _texts_of(base, names, Path(folder))
        for name in names:
            old = earlier.get(name, "").splitlines()
            yield from unified_diff(old, found[name].text.splitlines(), f"{base[:12]}: {name}", name, lineterm="", n=2)


def _texts_of(base: str, names: list[str], folder: Path) -> dict[str, str]:
    """The texts that a commit makes for these kernels."""
    archive = subprocess.run(["git", "archive", base], cwd=ROOT, check=True, capture_output=True).stdout
    with open_tar(fileobj=BytesIO(archive)) as tar:
        tar.extractall(folder, filter="data")
    command = [sys.executable, "-m", "tests.corpus", "--write", str(folder / "texts"), *names]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return {
        name: path.read_text(encoding="utf-8") for name in names if (path := folder / "texts" / digest(name)).exists()
    }


def _write(found: Mapping[str, str], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in found.items():
        (folder / digest(name)).write_text(text, encoding="utf-8")


def _has_any(case: Case, names: Iterable[str]) -> bool:
    return any(name.startswith(f"{case} ") for name in names)


def _last_change() -> str:
    command = ["git", "log", "-1", "--format=%H", "--", str(HASHES)]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip() or "HEAD"


if __name__ == "__main__":
    sys.exit(main())
