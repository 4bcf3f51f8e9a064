"""Tests of the neighbours, read as they come: what is read, what is refused and why.

    python -m tests.suites linalg FOLDER [--run] [--mutate N]     LLVM's mlir/test/Dialect/Linalg
    python -m tests.suites tpp FOLDER                             tpp-mlir's test, of autumn 2023
    python -m tests.suites tinytc FOLDER                          Tiny TC 0.4.0's test/lit

The folders are sources of the neighbours, which are not part of this repository. A unit is a function, with the aliases
and declarations of its text. `mlir-opt` (`--judge PROGRAM`) says which functions of linalg are valid; a unit is read if
a contraction graph or checked loops (of `.ir`: a checked program) are made of it.
"""

import argparse
import os
import random
import re
import signal
import sys
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from einsum_front.cli import main as main_of_commands
from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.mlir.parse import parse
from einsum_front.mlir.to_graph import NO_BATCH
from einsum_front.mlir.to_loops import Loops, kernel_of
from einsum_front.mlir.verify import check
from einsum_front.tl_backend.parse import parse as parse_tinytc
from einsum_front.tl_backend.program import Program
from einsum_front.tl_backend.unparse import unparse as unparse_tinytc
from einsum_front.tl_backend.verify import check as check_tinytc
from tests.suites.units import Unit, linalg_units, tinytc_units, tpp_units

SECONDS = 20

MIXED = "of all: other numbers than f32 or f64, or both"
"""A column of the table, of functions that the others have as well."""


class Outcome(NamedTuple):
    """What became of a unit: the level that was reached, the code and the sentence of a refusal."""

    unit: Unit
    code: str = ""
    message: str = ""

    @property
    def is_read(self) -> bool:
        return not self.code


def outcome(unit: Unit, read: Callable[[Unit], None]) -> Outcome:
    """Reads one unit; a traceback has the code `CRASH`."""

    def stop(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        read(unit)
    except CompileError as error:
        first = error.diagnostics[0]
        if not first.labels:
            return Outcome(unit, "NOPLACE", first.message)
        return Outcome(unit, first.code, first.message)
    except TimeoutError:
        return Outcome(unit, "SLOW", f"took more than {SECONDS} s")
    except BaseException as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        return Outcome(unit, "CRASH", f"{type(error).__name__}: {error} at {Path(where.filename).name}:{where.lineno}")
    finally:
        signal.alarm(0)
    return Outcome(unit)


def read_mlir(unit: Unit) -> None:

    module = parse(Source(unit.name, unit.text))
    check(module)
    for function in module.functions:
        if function.body is not None:
            kernel = kernel_of(module, function, NO_BATCH if unit.suite == "tpp" else None)
            if isinstance(kernel, Loops):
                check_tinytc(Program((kernel.function,)))


def read_tinytc(unit: Unit) -> None:
    program = parse_tinytc(Source(unit.name, unit.text))
    check_tinytc(program)
    text = unparse_tinytc(program)
    again = parse_tinytc(Source(unit.name, text))
    check_tinytc(again)
    assert unparse_tinytc(again) == text, "printed back, it is another program"


def verify_run(unit: Unit) -> None:
    """`run --verify`, in a process of its own: what is computed may end it."""
    suffix = {"tinytc": ".tl", "tpp": ".tpp"}.get(unit.suite, ".mlir")
    with TemporaryDirectory() as folder:
        text, said = Path(folder) / f"unit{suffix}", Path(folder) / "said"
        text.write_text(unit.text, encoding="utf-8")
        command = ["run", str(text), "--batch", "3", "--verify", "--device", "c"]
        command += [] if unit.suite == "tinytc" else ["--batch-dim", "none"]
        child = os.fork()
        if not child:
            with said.open("w", encoding="utf-8") as file:
                os.dup2(file.fileno(), 1)
                os.dup2(file.fileno(), 2)
                os._exit(_ended(command))
        try:
            _, status = os.waitpid(child, 0)
        except TimeoutError:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise
        words = said.read_text(encoding="utf-8").strip()
    if status:
        found = re.search(r"error\[(E\d+)\]: .*", words)
        raise RuntimeError(found[0] if found else f"status {status}: {words[-300:]}")


def told(unit: Unit) -> Outcome:
    """The outcome of a run, said at once: the whole suite takes an hour."""
    found = outcome(unit, verify_run)
    print("" if found.is_read else f"{found.code}: {found.message}", unit.name, flush=True)
    return found


def _ended(command: list[str]) -> int:
    try:
        return main_of_commands(command)
    except BaseException:
        traceback.print_exc()
        return 9
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def mutated(text: str, chance: random.Random) -> str:
    """The text with a token left out, doubled, exchanged or replaced."""
    tokens = re.findall(r"\s+|[%@#!^]?[\w.$]+|.", text, re.DOTALL)
    places = [place for place, token in enumerate(tokens) if not token.isspace()]
    for _ in range(chance.randint(1, 3)):
        place, other = chance.choice(places), chance.choice(places)
        match chance.randrange(4):
            case 0:
                tokens[place] = ""
            case 1:
                tokens[place] += tokens[place]
            case 2:
                tokens[place], tokens[other] = tokens[other], tokens[place]
            case _:
                tokens[place] = chance.choice(
                    ("0", "-1", "f64", "tensor<?xf32>", "}", "99999999999999999999", "%x", '"')
                )
    return "".join(tokens)


REASONS = (
    (
        "numbers that kernels do not compute with: integers, `f16`, complex and mixed ones, vectors",
        r"kernels compute with f32|for real numbers|entries `|numbers of one type|`(?:vector|complex)<|_unsigned`|_q`"
        r"|`complex\.|`(?:c32|c64|f16|bf16|cooperative_\w+|coopmatrix)|found `(?:c32|c64|f16|bf16|\[)"
        r"|expected `->`, found `%1`",
    ),
    ("windows of an extent that only the launch knows", r"iterator d\d+ walks a mode together"),
    ("offsets, sizes and positions that only the launch knows", r"^E0828|^E0152"),
    ("nothing is computed, or entries that nobody wrote are read", r"computes nothing|^E0829|^E0451"),
    ("maps of outputs that MLIR takes and we do not", r"^E0817"),
    ("operations and types of other dialects", r"^E080[125]"),
    ("reductions that are no sum and no extremum", r"^E0826: a (?:reduction|product)"),
    ("entries at positions that are computed", r"`tensor\.extract`"),
    ("anything else", ""),
)  # fmt: skip
"""Reasons why something is refused, in words, and how its code and sentence are told."""


def reasons(outcomes: list[Outcome]) -> Iterator[str]:
    """A table of how much is read of each kind, and why not all: for the pages of the languages."""
    kinds = sorted({each.unit.kind for each in outcomes if each.unit.is_valid})
    kinds += [MIXED] if any(each.unit.is_mixed for each in outcomes) and outcomes[0].unit.suite == "linalg" else []
    yield f"| | {' | '.join(kinds)} |"
    yield f"|---|{'--:|' * len(kinds)}"
    of_kind = {kind: [each for each in outcomes if each.unit.kind == kind] for kind in kinds}
    of_kind |= (
        {MIXED: [each for each in outcomes if each.unit.is_mixed and each.unit.is_valid]} if MIXED in kinds else {}
    )
    counts = (f"{sum(each.is_read for each in of_kind[kind])} of {len(of_kind[kind])}" for kind in kinds)
    yield f"| **read** | {' | '.join(counts)} |"
    left = {kind: [each for each in of_kind[kind] if not each.is_read] for kind in kinds}
    shares = list[str]()
    for number, (words, pattern) in enumerate(REASONS):
        row = []
        for kind in kinds:
            found = [each for each in left[kind] if re.search(pattern, f"{each.code}: {each.message}")]
            left[kind] = [each for each in left[kind] if each not in found]
            row.append(str(len(found)) if found else "")
            if not number:
                others = len(of_kind[kind]) - len(found)
                shares.append(f"{100 * (others - len(left[kind])) / others:.0f}%" if others else "")
        if any(row):
            yield f"| {words} | {' | '.join(row)} |"
        if any(row) and not number:
            yield f"| **read of the others** | {' | '.join(shares)} |"


def table(outcomes: list[Outcome], *, most: int, examples: bool) -> Iterator[str]:
    """Counts of what is read by kind, and of refusals by their sentence without names."""
    by_kind: dict[str, list[Outcome]] = defaultdict(list)
    for each in outcomes:
        by_kind[each.unit.kind].append(each)
    for kind, members in sorted(by_kind.items()):
        good = sum(each.is_read == each.unit.is_valid for each in members)
        yield f"{kind:34} {good:4} of {len(members):4}   {100 * good / len(members):5.1f}%"
    reasons = Counter[tuple[str, str]]()
    shown: dict[tuple[str, str], list[str]] = defaultdict(list)
    for each in outcomes:
        if each.is_read == each.unit.is_valid:
            continue
        key = each.code, re.sub(r"`[^`]*`|%\w+", "`…`", each.message)
        if not examples:
            key = each.code, re.sub(r"`%[^`]*`", "`…`", each.message)
        reasons[key] += 1
        shown[key].append(f"{each.unit.name}")
    for key, count in reasons.most_common(most):
        code, message = key
        yield f"{count:5}  {code}: {message}    [{'; '.join(shown[key][:3])}]"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", choices=("linalg", "tpp", "tinytc"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--judge", default="mlir-opt-22")
    parser.add_argument("--only", default="", help="units whose name has this")
    parser.add_argument("--kind", default="", help="units whose kind has this")
    parser.add_argument("--run", action="store_true", help="run --verify on all that is read")
    parser.add_argument("--mutate", type=int, default=0, help="so many mutated units: none may end in a traceback")
    parser.add_argument("--table", action="store_true", help="a table for the pages of the languages")
    parser.add_argument("--most", type=int, default=60)
    parser.add_argument("--show", action="store_true", help="the text of each unit that is refused")
    given = parser.parse_args()
    units = {"linalg": linalg_units, "tpp": tpp_units, "tinytc": tinytc_units}[given.suite](given.folder, given.judge)
    units = [each for each in units if given.only in each.name and given.kind in each.kind]
    read = read_tinytc if given.suite == "tinytc" else read_mlir
    if given.mutate:
        chance = random.Random(given.mutate)
        units = [
            each._replace(text=mutated(each.text, chance))
            for each in chance.sample(units, min(given.mutate, len(units)))
        ]
        crashes = [each for unit in units if (each := outcome(unit, read)).code in ("CRASH", "SLOW", "NOPLACE")]
        for each in crashes:
            print(each.unit.name, each.message)
            if given.show:
                print(each.unit.text)
        print(f"{len(units)} mutated units, {len(crashes)} without a sentence and a place")
        return int(bool(crashes))
    outcomes = [outcome(unit, read) for unit in units]
    if given.run:
        outcomes = list(map(told, [each.unit for each in outcomes if each.is_read and each.unit.is_valid]))
    for line in reasons(outcomes) if given.table else table(outcomes, most=given.most, examples=True):
        print(line)
    if given.show:
        for each in outcomes:
            if each.is_read != each.unit.is_valid:
                print(f"// ---- {each.unit.name} {each.code} {each.message}\n{each.unit.text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
