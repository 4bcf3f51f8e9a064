"""Programs of primitives on memory, at random: each step said in NumPy, the interpreter, the graph, the kernels.

`TPP_PROGRAMS` is their number: `make tpp` takes 10,000.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front.core.diagnostics import Source
from einsum_front.core.numbers import EPSILONS, bf16
from einsum_front.ir.contraction.interpret import interpret as interpret_graph
from einsum_front.mlir.interpret import interpret
from einsum_front.mlir.parse import parse
from einsum_front.mlir.to_graph import NO_BATCH, graphs
from einsum_front.mlir.verify import check
from tests.mlir.tpp.operations import BINARY, UNARY

PROGRAMS = int(os.environ.get("TPP_PROGRAMS", "300"))
Array = NDArray[np.floating]
TAME_UNARY = ("copy", "negate", "relu", "tanh", "sigmoid", "gelu", "leaky_relu", "elu", "square")
TAME_BINARY = ("add", "sub", "mul")
SIZES = (2, 3)


@dataclass
class Drawn:
    """A program: its lines, its memory with shapes (arguments first), and what its lines do to arrays."""

    random: Random
    element: str = "f64"
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    lines: list[str] = field(default_factory=list)
    steps: list[Callable[[dict[str, Array]], None]] = field(default_factory=list)

    def of_shape(self, *shape: int) -> list[str]:
        return [name for name, each in self.shapes.items() if each == shape]

    def type(self, name: str) -> str:
        return f"memref<{''.join(f'{size}x' for size in self.shapes[name])}{self.element}>"

    def line(self, name: str, ins: list[str], out: str, *, is_update: bool = False) -> None:
        reads = [*ins, out] if is_update and name != "muladd" else ins
        operands = f" ins({', '.join(f'%{each}' for each in reads)})" if reads else ""
        types = ", ".join(self.type(each) for each in (*reads, out))
        self.lines.append(f"tpp.{name}{operands} outs(%{out}) : ({types})")

    @property
    def text(self) -> str:
        listed = ", ".join(f"%{name}: {self.type(name)}" for name in self.arguments)
        rest = [name for name in self.shapes if name not in self.arguments]
        lines = [f"%{name} = memref.alloc() : {self.type(name)}" for name in rest] + self.lines
        return "\n".join([f"func.func @f({listed}) {{", *(f"  {line}" for line in lines), "  return", "}", ""])


def drawn(seed: int, element: str = "f64") -> Drawn:
    """A program of up to eight lines; temporaries are written first."""
    random = Random(seed)
    program = Drawn(random, element)
    for number in range(random.randint(2, 4)):
        program.shapes[f"a{number}"] = (random.choice(SIZES), random.choice(SIZES))
    if random.random() < 0.5:
        program.shapes["row"] = (random.choice(SIZES),)
    program.arguments = tuple(program.shapes)
    for number in range(random.randint(0, 2)):
        name = f"t{number}"
        program.shapes[name] = (random.choice(SIZES), random.choice(SIZES))
        program.line("zero", [], name)
        program.steps.append(partial(_clear, name))
    written = False
    while len(program.lines) < 3 or not written or (len(program.lines) < 8 and random.random() < 0.8):
        out = random.choice([name for name in program.shapes if name != "row"])
        if (choices := list(_choices(program, out))) and random.choice(choices)():
            written |= out in program.arguments
    return program


def _choices(program: Drawn, out: str) -> Iterator[Callable[[], bool]]:
    random, shape = program.random, program.shapes[out]
    same = program.of_shape(*shape)

    def add(name: str, ins: list[str], step: Callable[..., Array], *, is_update: bool = False) -> bool:
        program.line(name, ins, out, is_update=is_update)

        def run(arrays: dict[str, Array]) -> None:
            old = [arrays[out]] if is_update else []
            arrays[out][...] = np.array(step(*(arrays[each] for each in ins), *old))

        program.steps.append(run)
        return True

    unary, binary = random.choice(TAME_UNARY), random.choice(TAME_BINARY)
    yield lambda: add(unary, [random.choice(same)], UNARY[unary])
    yield lambda: add(binary, [random.choice(same), random.choice(same)], BINARY[binary])
    yield lambda: add("muladd", [random.choice(same), random.choice(same)], lambda a, b, c: a * b + c, is_update=True)
    for other in program.of_shape(*shape[::-1]):
        if other != out:
            yield partial(add, "transpose", [other], lambda x: x.T)
    for other in program.of_shape(shape[1]):
        yield partial(add, "broadcast", [other], lambda x: np.broadcast_to(x, shape))
    for depth in SIZES:
        for left in program.of_shape(shape[0], depth):
            for right in program.of_shape(depth, shape[1]):
                if out not in (left, right):
                    yield partial(add, "matmul", [left, right], lambda a, b: a @ b)
                    yield partial(add, "matmul", [left, right], lambda a, b, c: a @ b + c, is_update=True)


def _clear(name: str, arrays: dict[str, Array]) -> None:
    arrays[name][...] = 0


def run_directly(program: Drawn, data: dict[str, Array]) -> dict[str, Array]:
    arrays = {name: np.array(data.get(name, np.zeros(shape))) for name, shape in program.shapes.items()}
    for step in program.steps:
        step(arrays)
    return {name: arrays[name] for name in program.arguments}


def values(program: Drawn, seed: int, *count: int) -> dict[str, Array]:
    numbers = np.random.default_rng(seed)
    return {name: numbers.uniform(-0.7, 0.7, (*count, *program.shapes[name])) for name in program.arguments}


def check_program(seed: int) -> None:
    program = drawn(seed)
    module = parse(Source(f"{seed}.tpp", program.text))
    check(module)
    data = values(program, seed)
    wanted = run_directly(program, data)
    found = {name: each.copy() for name, each in data.items()}
    interpret(module, "f", [found[name] for name in program.arguments])
    compare(found, wanted, program.text)
    (graph,) = graphs(module, batch=NO_BATCH)
    held = {each.name for each in graph.arguments}
    batched = {name: each[None].copy() for name, each in data.items() if name in held}
    interpret_graph(graph, dict(batched))
    compare({name: each[0] for name, each in batched.items()}, wanted, program.text)


def compare(found: dict[str, Array], wanted: dict[str, Array], text: str, tolerance: float = 1e-11) -> None:
    for name, each in found.items():
        scale = max(1.0, float(abs(wanted[name]).max()))
        assert float(abs(each - wanted[name]).max()) <= tolerance * scale, f"{name} of\n{text}"


@pytest.mark.parametrize("seed", range(0, PROGRAMS, 20))
def test_programs(seed: int) -> None:
    for number in range(seed, seed + 20):
        check_program(number)


@pytest.mark.parametrize("element", ["f64", "bf16"])
@pytest.mark.parametrize("seed", range(PROGRAMS // 100))
def test_kernels(seed: int, element: str, tmp_path: Path) -> None:
    """Numbers of bf16 are rounded once, at the end."""
    program = drawn(seed, element)
    path = tmp_path / "f.tpp"
    path.write_text(program.text, encoding="utf-8")
    kernel = ef.compile(ef.parse(path))["f"]
    numbers = bf16() if element == "bf16" else np.dtype(np.float64)
    data = {name: each.astype(numbers) for name, each in values(program, seed, 3).items()}
    exact = {name: each.astype(np.float64) for name, each in data.items()}
    wanted = [run_directly(program, {name: each[n] for name, each in exact.items()}) for n in range(3)]
    kernel(**data)
    tolerance = 1e-11 if element == "f64" else 1.01 * EPSILONS["bf16"] / 2
    for number, one in enumerate(wanted):
        found = {name: each[number].astype(np.float64) for name, each in data.items()}
        compare(found, one, program.text, tolerance)
