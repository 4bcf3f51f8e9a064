"""Hostile files from seeds: mutated examples of each language, long and deep texts, damaged arrays and caches."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from random import Random
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile

ROOT = Path(__file__).parents[2]
SUFFIXES = (".ein", ".yir", ".tl")
LARGEST_EXAMPLE = 3000
"""Characters: what takes long to compile without a mutation shows nothing."""

NUMBERS = ("0", "-1", "1e400", "3.5", str(2**31), str(2**63), str(2**64), "9" * 30, "9" * 5000, "0x1p99999", "1e-999")
NOISE = ("(", ")", "{", "}", "[", "]", "<", ">", "%", "@", ";!", '"', "\0", "\x7f", "\ud7ff", "é", "**", "-", ",", ":")


@dataclass(frozen=True, slots=True)
class Case:
    """The files of a folder, by name, and the words of a command that reads them there."""

    name: str
    files: dict[str, bytes]
    command: tuple[str, ...]


def case(number: int) -> Case:
    """The case of this number, always the same one."""
    random = Random(number)
    make = KINDS[number % len(KINDS)]
    return make(f"{number}-{make.__name__}", random)


# -- texts -------------------------------------------------------------------------------------------------------------


def examples() -> list[Path]:
    """Texts of all languages, right ones and wrong ones."""
    found = [p for folder in ("examples", "tests") for p in sorted((ROOT / folder).rglob("*")) if p.suffix in SUFFIXES]
    return [path for path in found if path.stat().st_size <= LARGEST_EXAMPLE]


def mutated(name: str, random: Random) -> Case:
    """An example with some mutations."""
    path = random.choice(EXAMPLES)
    text = path.read_text(encoding="utf-8")
    for _ in range(random.randint(1, 4)):
        text = random.choice(MUTATIONS)(text, random)
    file = f"mutated{path.suffix}"
    command = random.choice([("check", file), ("compile", file, "-o", "out.cl"), ("explain", file)])
    return Case(name, {file: text.encode("utf-8", "surrogatepass")}, command)


def _span(text: str, random: Random, longest: int = 40) -> tuple[int, int]:
    start = random.randint(0, len(text))
    return start, min(len(text), start + random.randint(1, longest))


def _removed(text: str, random: Random) -> str:
    start, stop = _span(text, random)
    return text[:start] + text[stop:]


def _repeated(text: str, random: Random) -> str:
    start, stop = _span(text, random)
    return text[:stop] + text[start:stop] * random.choice([1, 2, 50]) + text[stop:]


def _moved(text: str, random: Random) -> str:
    start, stop = _span(text, random)
    place = random.randint(0, start)
    return text[:place] + text[start:stop] + text[place:start] + text[stop:]


def _numbered(text: str, random: Random) -> str:
    places = list(re.finditer(r"\d+", text))
    if not places:
        return text
    place = random.choice(places)
    return text[: place.start()] + random.choice(NUMBERS) + text[place.end() :]


def _noisy(text: str, random: Random) -> str:
    place = random.randint(0, len(text))
    return text[:place] + random.choice(NOISE) * random.choice([1, 1, 3, 200]) + text[place:]


def _cut(text: str, random: Random) -> str:
    return text[: random.randint(0, len(text))]


MUTATIONS = (_removed, _repeated, _moved, _numbered, _noisy, _cut)


def long(name: str, random: Random) -> Case:
    """A text that nests or goes on far beyond any kernel."""
    suffix, make = random.choice(LONG)
    text = make(random.choice([10, 33, 51, 65, 130, 300, 3000]))
    file = f"long{suffix}"
    return Case(name, {file: text.encode()}, ("check", file))


def _kernel(value: str) -> str:
    return f"scalar s tensor A[4] tensor B[4]\nkernel k {{ B[i] = {value} }}"


def _chain(count: int, link: str, end: str) -> str:
    params = "".join(f"param P{k} = {link.format(f'P{k + 1}')}\n" for k in range(count))
    return f"{params}param P{count} = 2\n{end}\ntensor A[P0]\nkernel k {{ A[i] = 2 * A[i] }}"


def _tl(body: str) -> str:
    return f"func @f(%A: memref<f64x4>, %n: index) {{\n{body}\n}}\n"


def _yir(type_: str, body: str = "") -> str:
    return f"define @f(%A: memref<f64x{type_}>) {{\n{body}\n}}\n"


LONG: tuple[tuple[str, Callable[[int], str]], ...] = (
    (".ein", lambda n: _kernel("(" * n + "A[i]" + ")" * n)),
    (".ein", lambda n: _kernel("-" * n + "A[i]")),
    (".ein", lambda n: _kernel(" + ".join(["A[i]"] * n))),
    (".ein", lambda n: _kernel("A[i] * " + " * ".join(["s"] * n))),
    (".ein", lambda n: _kernel("A[i] * (" + " + ".join(["s"] * n) + ")")),
    (".ein", lambda n: _kernel("A[i] * " + "2**" * n + "1")),
    (".ein", lambda n: _kernel("".join(f"sum{{i{k} in 0:1}}(" for k in range(n)) + "A[i]" + ")" * n)),
    (".ein", lambda n: "tensor A[4]\nkernel k { " + "for i in 0:1 { " * n + "A[i] = 2" + "}" * n + "}"),
    (".ein", lambda n: _chain(n, "{}", "")),
    (".ein", lambda n: _chain(n, "{0} * {0}", "")),
    (".ein", lambda n: _chain(n, "{0} + n", "size n")),
    (".ein", lambda n: _chain(n, "{0} * n + 1", "size n")),
    (".ein", lambda n: f"size n\ntensor A[{'*'.join(['n'] * n)}, n]\nkernel k {{ A[i,j] = 0 }}"),
    (".ein", lambda n: f"tensor A[{','.join(['1'] * n)}]\nkernel k {{ A[] = 0 }}"),
    (".ein", lambda n: f"tensor A[{n * 100},{n * 100}] nonzeros [(0,0)]\nkernel k {{ A[i,j] = 2 * A[i,j] }}"),
    (".ein", lambda n: f"tensor A[{n},{n},{n},{n}] values<0>\nkernel k {{ A[i,j,k,l] = 2 }}"),
    (".ein", lambda n: f"temp T[{n},{n},{n}] tensor A[{n}]\nkernel k {{ T[i,j,k] = A[i]\n A[i] = T[i,j,k] }}"),
    (".tl", lambda n: _tl("for %i = 0,1 {\n" * n + "}\n" * n)),
    (".tl", lambda n: _tl("if 1 {\n" * n + "}\n" * n)),
    (".tl", lambda n: _tl("%a0 = arith.add %n, %n : index\n" + "".join(
        f"%a{k + 1} = arith.mul %a{k}, %n : index\n" for k in range(n)))),
    (".tl", lambda n: _tl("%a0 = subview %A[0:4] : memref<f64x4>\n" + "".join(
        f"%a{k + 1} = subview %a{k}[0:4] : memref<f64x4>\n" for k in range(n)))),
    (".tl", lambda n: f"func @f(%A: memref<f64{'x1' * n}>) {{\n}}\n"),
    (".tl", lambda n: f";! nonzeros %A 0:{10**18 - n}\nfunc @f(%A: memref<f64x4>) {{\n}}\n"),
    (".yir", lambda n: _yir(f"[{'+'.join(['n'] * n)}]")),
    (".yir", lambda n: _yir(f"[{'*'.join(['n'] * n)}]")),
    (".yir", lambda n: _yir(f"[{'(' * n}n{')' * n}]")),
    (".yir", lambda n: _yir(f"[{'-' * n}n]")),
    (".yir", lambda n: _yir(f"[((n + m + 1)**{n})**{n}]")),
    (".yir", lambda n: _yir("4", "for i64 %i = 0 to 1 {\n" * n + "}\n" * n)),
    (".yir", lambda n: f";! nonzeros %A 0:{10**17 + n}\n" + _yir("4")),
    (".yir", lambda n: ";! nonzeros %A 0:1\n" + _yir(f"{n}0x{n}", f"fill 0.0, 0.0, %A : memref<f64x{n}0x{n}>")),
)  # fmt: skip


def defined(name: str, random: Random) -> Case:
    """A definition on the command line, an index string or a shape."""
    number = random.choice([*NUMBERS, "(" * 5000, "P" * 5000, "", "1_0", "\u0663"])
    text = b"param P = 3\nsize n <= 64\ntensor A[P, n]\nkernel k { A[i,j] = 2 * A[i,j] }"
    letters = "".join(random.choice("ijk,->. ()") for _ in range(random.choice([5, 40, 4000])))
    command = random.choice([
        ("check", "a.ein", "-D", f"P={number}"), ("check", "a.ein", "-D", f"n={number}"),
        ("check", "--einsum", letters, "--shape", "3,3"), ("check", "--einsum", "ij,jk->ik", "--shape", number),
        ("check", "--einsum", ",".join(["i"] * random.choice([10, 100])) + "->i", "--shape", "3"),
    ])  # fmt: skip
    return Case(name, {"a.ein": text}, command)


# -- arrays ------------------------------------------------------------------------------------------------------------

SHAPES = ("(4, 4)", "(True, 4)", "(-4, 4)", "(10**9,)", f"({10**12},)", f"({10**20}, 3)", "(0, 4)", "()", "4", "(4.0,)",
          "(" + "1," * 100 + ")", "(" * 3000, "None", f"({'9' * 5000},)", "(4, 4)" * 400)  # fmt: skip
TYPES = ("'<f8'", "'>f4'", "'|b1'", "'|O'", "'<U9'", "[('a', '<f8')]", "'<f3'", "'<c16'", "'f8,' * 9", "1", "'V' * 9")


def _npy(random: Random) -> bytes:
    """A `.npy` file, mostly with something wrong in it."""
    described = f"{{'descr': {random.choice(TYPES[:3])}, 'fortran_order': False, 'shape': (4, 4), }}"
    match random.randrange(5):
        case 0:
            described = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {random.choice(SHAPES)}}}"
        case 1:
            described = f"{{'descr': {random.choice(TYPES)}, 'fortran_order': 1, 'shape': (4, 4)}}"
        case 2:
            described = random.choice(["-" * 9000 + "1", "[" * 100, "1" + "+1" * 4000, "{}", "x" * 20_000, ""])
        case _:
            pass
    header = described.encode() + b"\n"
    version = random.choice([1, 1, 1, 2, 3, 9])
    length = (len(header) % 2**16).to_bytes(2 if version == 1 else 4, "little")
    content = b"\x93NUMPY" + bytes([version, 0]) + length + header + bytes(random.choice([128, 128, 127, 0, 5000]))
    return _damaged(content, random) if random.random() < 0.3 else content


def _npz(random: Random, name: str) -> bytes:
    buffer = BytesIO()
    packing = random.choice([ZIP_STORED, ZIP_DEFLATED, ZIP_DEFLATED, ZIP_LZMA, ZIP_BZIP2])
    with ZipFile(buffer, "w", packing) as archive:
        if random.random() < 0.1:
            with archive.open(f"{name}.npy", "w") as stream:  # a bomb
                header = f"{{'descr': '|i1', 'fortran_order': False, 'shape': ({random.choice([4, 300 * 2**20])},)}}"
                stream.write(b"\x93NUMPY\x01\x00\x50\x00" + header.ljust(80).encode())
                for _ in range(300):
                    stream.write(bytes(2**20))
        else:
            archive.writestr(f"{name}.npy", _npy(random))
    return _damaged(buffer.getvalue(), random) if random.random() < 0.7 else buffer.getvalue()


def _damaged(content: bytes, random: Random) -> bytes:
    changed = bytearray(content)
    records = [match.start() for match in re.finditer(rb"PK..", content, re.DOTALL)]
    for _ in range(random.choice([1, 1, 3, 20])):
        place = random.randrange(len(changed))
        if records and random.random() < 0.5:
            place = min(len(changed) - 1, random.choice(records) + random.randrange(46))
        changed[place] = random.choice([0, 1, 0xFF, random.randrange(256)])
    return bytes(changed[: random.choice([len(changed), len(changed), random.randrange(len(changed))])])


def known_entries(name: str, random: Random) -> Case:
    """An array file for `nonzeros` or `values`."""
    file, content = random.choice([("a.npy", _npy(random)), ("a.npz", _npz(random, "A"))])
    fact = random.choice(["nonzeros", "values"])
    text = f'tensor A[4, 4] constant {fact} "{file}"\ntensor B[4, 4]\nkernel k {{ B[i,k] = A[i,j] * B[j,k] }}'
    return Case(name, {"a.ein": text.encode(), file: content}, ("check", "a.ein"))


def arguments(name: str, random: Random) -> Case:
    """An array file for `--data`."""
    text = "tensor Q[4]\nkernel k { Q[i] = 2 * Q[i] }"
    file, content = random.choice([("a.npy", _npy(random)), ("a.npz", _npz(random, "Q")), ("a.npz", _npz(random, "Q"))])
    return Case(name, {"a.ein": text.encode(), file: content}, ("run", "a.ein", "--data", file))


# -- caches ------------------------------------------------------------------------------------------------------------


def cached(name: str, random: Random) -> Case:
    """An entry of the tuning cache, which is in the folder `cache`."""
    entry: dict[str, object] = {
        "kernel": "k", "device": "d", "batches": [1, 100],
        "seconds": {"batch_simd": [1e-6, 1e-6], "work_group": [2e-6, 1e-6]},
    }  # fmt: skip
    values: list[object] = [
        None, True, -1, 0.0, 10**400, float("nan"), float("inf"), "x" * 9999, [], {}, [[1]], {"batch_simd": 1},
    ]  # fmt: skip
    values += [
        {"batch_simd": [float("nan"), 0.5]},
        {"nonsense": [1.0, 1.0]},
        {"batch_simd": [5e-324, 1e308]},
        [True, True],
    ]
    if random.random() < 0.7:
        entry[random.choice(list(entry))] = random.choice(values)
    text = json.dumps(entry)
    if random.random() < 0.5:
        text = random.choice([_cut, _noisy, _removed, _numbered])(text, random)
    deep = ["[" * 5000, '{"a":' * 5000, "[" * 200_000, "9" * 5000, '{"kernel": ' + "9" * 5000 + "}", ""]
    text = random.choice(deep) if random.random() < 0.2 else text
    file = f"cache/einsum-front/tuned/{'0' * 64}.json"
    return Case(name, {file: text.encode("utf-8", "surrogatepass")}, ("cache",))


EXAMPLES = examples()
KINDS = (mutated, long, known_entries, arguments, cached, mutated, defined, known_entries, arguments, mutated)
