"""The functions of the neighbours' tests, each with what it needs of its text."""

import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple


class Unit(NamedTuple):
    """A function: whether the neighbour takes it, and of which kind it is."""

    suite: str
    name: str
    text: str
    kind: str
    is_valid: bool

    @property
    def is_mixed(self) -> bool:
        """True if tensors have other numbers than f32 or f64, or both; those of attributes do not count."""
        found = set(ENTRIES.findall(OF_ATTRIBUTES.sub("", self.text)))
        return len(found) > 1 or not found <= {"f32", "f64"}


ENTRIES = re.compile(r"(?:tensor|memref)<(?:[0-9?]+x)*((?:i|f|bf)[0-9]+|index|complex)\b")
OF_ATTRIBUTES = re.compile(r"(?:dense<[^>]*>|\[[^\]]*\])\s*:\s*(?:tensor|vector)<[0-9]+xi(?:64|32)>")
CONVOLUTION = re.compile(r"linalg\.(?:conv|depthwise_conv|pooling)_\w+")
CONTRACTION = re.compile(r"linalg\.(?:\w*matmul\w*|\w*matvec|\w*vecmat|dot|contract|mmt4d|batch_mmt4d|quantized_\w+)\b")
GENERIC = re.compile(r"linalg\.generic\b")
ELEMENTWISE = re.compile(r"\blinalg\.(?!yield|index)\w+")


def kind_of(text: str) -> str:
    """The kind of a function of linalg, by the most particular operation that it has."""
    if CONVOLUTION.search(text):
        return "convolutions and poolings"
    if CONTRACTION.search(text):
        return "contractions"
    if GENERIC.search(text):
        return "other generics"
    return "named elementwise and reductions"


def chunks(path: Path, comment: str = "//") -> Iterator[tuple[int, str]]:
    """The parts of a file between `// -----`, without comments that are whole lines."""
    text = path.read_text(encoding="utf-8")
    yield from enumerate(re.split(rf"^{comment} -----.*$", text, flags=re.MULTILINE))


def without_comments(text: str, comment: str = "//") -> str:
    return re.sub(rf"^[ \t]*{comment}.*\n?", "", text, flags=re.MULTILINE)


def functions(text: str, word: str = r"func\.func") -> Iterator[tuple[str, str]]:
    """Name and text of each function that has a body; brackets in strings and comments do not count."""
    plain = re.sub(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*', lambda found: " " * len(found[0]), text)
    starts = list(re.finditer(rf"\b{word}\b[^@]*@([\w$.-]+)", plain))
    ends = [*(each.start() for each in starts), len(plain)][1:]
    for found, last in zip(starts, ends, strict=True):  # what is declared only has no end before the next one
        depth = brackets = 0
        for place in range(found.end(), last):
            character = plain[place]
            brackets += (character in "(<[") - (character in ")]" or (character == ">" and plain[place - 1] != "-"))
            depth += (character == "{") - (character == "}")
            is_end = character == "}" and depth == 0 and brackets == 0
            if is_end and not re.search(r"attributes\s*$", plain[found.end() : _opening(plain, place)]):
                yield found[1], text[found.start() : place + 1]
                break


def _opening(plain: str, closing: int) -> int:
    depth = 0
    for place in range(closing, -1, -1):
        depth += (plain[place] == "}") - (plain[place] == "{")
        if depth == 0:
            return place
    return 0


ALIAS = re.compile(r"^[ \t]*([#!][\w$]+)[ \t]*=[ \t]*", re.MULTILINE)


def aliases(text: str) -> str:
    """The definitions of aliases, each up to where its brackets are closed."""
    found = []
    for each in ALIAS.finditer(text):
        depth, place = 0, each.end()
        while place < len(text):
            character = text[place]
            if character in "([{<":
                depth += 1
            elif character in ")]}" or (character == ">" and text[place - 1] != "-"):
                depth -= 1
            if character == "\n" and depth <= 0:
                break
            place += 1
        found.append(text[each.start() : place])
    return "\n".join(found)


DECLARATION = re.compile(r"^[ \t]*func\.func private @[^{\n]*$", re.MULTILINE)
GLOBAL = re.compile(r"^[ \t]*memref\.global .*(?:=\s*\n[\s\S]*?>[ \t]*)?$", re.MULTILINE)


def mlir_units(folder: Path, suite: str, wanted: re.Pattern[str]) -> Iterator[tuple[Unit, bool]]:
    """Each function with an operation that is wanted; whether its text is said to be wrong."""
    for path in sorted(folder.rglob("*.mlir")):
        for number, chunk in chunks(path):
            is_wrong = "expected-error" in chunk
            text = without_comments(chunk)
            head = "\n".join(part for part in (aliases(text), *GLOBAL.findall(text)) if part)
            bodies = list(functions(text))
            names = Counter(name for name, _ in bodies)
            for name, function in bodies:
                if not wanted.search(function):
                    continue
                called = set(re.findall(r"call @([\w$.-]+)", function))
                declared = [each for each in DECLARATION.findall(text) if any(f"@{c}(" in each for c in called)]
                others = [body for other, body in bodies if other in called and other != name]
                whole = "\n".join([head, *declared, *others, function]) + "\n"
                place = f"{path.relative_to(folder)}#{number}@{name}"
                yield Unit(suite, place, whole, kind_of(function), True), is_wrong and names[name] == 1


NOTHING = "cannot be run"
"""Functions of which the judge leaves nothing but `return`, those with operations of LLVM's tests, and those that call
what another program has."""
OF_TESTS = re.compile(r"\btest\.\w+")


def judged(units: list[tuple[Unit, bool]], judge: str, cache: Path) -> list[Unit]:
    """What the judge takes is valid; what it refuses is invalid if the suite says so too, else left out.

    A function that returns nothing and writes nothing is left without operations by `--canonicalize`.
    """
    known: dict[str, str] = json.loads(cache.read_text()) if cache.exists() else {}
    found = []
    for unit, is_wrong in units:
        key = sha256(unit.text.encode()).hexdigest()
        if key not in known:
            command = [judge, "--canonicalize", "--verify-each", "-"]
            done = subprocess.run(command, input=unit.text, capture_output=True, text=True, check=False)
            left = [line.strip() for line in done.stdout.splitlines()]
            is_empty = all(re.match(r"module|func\.func .*\{$|return$|[}#]|memref\.global|$", line) for line in left)
            known[key] = "invalid" if done.returncode else "nothing" if is_empty else "valid"
        if known[key] != "invalid":
            is_nothing = known[key] == "nothing" or OF_TESTS.search(unit.text) or DECLARATION.search(unit.text)
            found.append(unit._replace(kind=NOTHING) if is_nothing else unit)
        elif is_wrong:
            found.append(unit._replace(kind="invalid", is_valid=False))
    cache.write_text(json.dumps(known))
    return found


def linalg_units(folder: Path, judge: str) -> list[Unit]:
    units = list(mlir_units(folder, "linalg", ELEMENTWISE))
    return judged(units, judge, folder.parent / "judged_empty.json")


def tpp_units(folder: Path, _judge: str) -> list[Unit]:
    found = []
    for unit, is_wrong in mlir_units(folder, "tpp", re.compile(r"\btpp\.\w+")):
        found.append(unit._replace(kind="invalid" if is_wrong else "valid", is_valid=not is_wrong))
    return found


def tinytc_units(folder: Path, _judge: str) -> list[Unit]:
    found = []
    for path in sorted(folder.rglob("*.ir")):
        text = path.read_text(encoding="utf-8")
        is_wrong = bool(re.search(r"; RUN: not ", text))
        if is_wrong:
            found.append(Unit("tinytc", str(path.relative_to(folder)), text, "invalid", False))
            continue
        plain = re.sub(r"^[ \t]*;.*\n?", "", text, flags=re.MULTILINE)
        bodies = list(functions(plain.replace('"', "'"), "func")) or [("all", plain)]
        for name, body in bodies:
            called = set(re.findall(r"call @([\w$.-]+)", body))
            others = [other for other_name, other in bodies if other_name in called]
            place = f"{path.relative_to(folder)}@{name}"
            found.append(Unit("tinytc", place, "\n".join([*others, body]) + "\n", "valid", True))
    return found
