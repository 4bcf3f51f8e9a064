"""Programs of products from both sides, sums and copies mean as kernel trees what the interpreter says, bit by bit.

Each has tensors of r x c entries for every element, two matrices for all elements (r x r and c x c) and one of c x c
for every element; zeros and values of matrices may be known.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.schedules.choice import is_possible
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.types import ScalarType
from tests.profiles import share
from tests.tl_backend.kernel.harness import compare
from tests.tl_backend.opencl.harness import function_of, integers

pytestmark = pytest.mark.generated

GPU = replace(DEFAULT, is_cpu=False, vector_bytes=8, has_prefetch=False, has_conditional_barriers=True)
TENSORS = ("a", "b", "d")
TEMPORARIES = ("t", "u")


@dataclass(frozen=True)
class Instruction:
    """`target := product of source with a matrix + beta target`."""

    kind: str
    target: str
    source: str
    beta: str

    def text(self, r: int, c: int) -> str:
        """As in a program."""
        whole, scalar = f"memref<f64x{r}x{c}>", "f64"
        operands = {
            "left": (f"gemm.n.n 1.0, %K, %{self.source}", f"memref<f64x{r}x{r}>, {whole}"),
            "right": (f"gemm.n.n 2.0, %{self.source}, %s", f"{whole}, memref<f64x{c}x{c}>"),
            "constant": (f"gemm.n.t 1.0, %{self.source}, %L", f"{whole}, memref<f64x{c}x{c}>"),
            "copy": (f"axpby.n -1.0, %{self.source}", whole),
        }[self.kind]
        return f"  {operands[0]}, {self.beta}, %{self.target} : {scalar}, {operands[1]}, {scalar}, {whole}"


def text_of(r: int, c: int, instructions: list[Instruction], facts: list[str], short: frozenset[str]) -> str:
    """A program; temporaries are zero at first. The tensors in `short` are stored in f32."""
    shapes = dict.fromkeys(TENSORS, f"x{r}x{c}") | {"s": f"x{c}x{c}"}
    memory = {name: f"{'f32' if name in short else 'f64'}{shape}" for name, shape in shapes.items()}
    arguments = [f"%{name.upper()}: memref<{type_}x?>" for name, type_ in memory.items()]
    arguments += [f"%K: memref<f64x{r}x{r}>", f"%L: memref<f64x{c}x{c}>"]
    lines = ["  %id = group_id"]
    for name, type_ in memory.items():
        view = f"{name}_own" if name in short else name
        lines += [f"  %{view} = subview %{name.upper()}[:, :, %id] : memref<{type_}x?>"]
        if name in short:
            lines += [f"  %{name} = alloca -> memref<f64{shapes[name]}>", _converted(view, type_, name, shapes[name])]
    for name in TEMPORARIES:
        lines += [f"  %{name} = alloca -> memref<f64x{r}x{c}>"]
        lines += [Instruction("copy", name, "a", "0.0").text(r, c)]
    lines += [each.text(r, c) for each in instructions]
    for name in sorted(short & {each.target for each in instructions}):
        target = f"memref<{memory[name]}>"
        lines += [f"  axpby.n 1.0, %{name}, 0.0, %{name}_own : f32, memref<f64{shapes[name]}>, f32, {target}"]
    return "\n".join([*facts, f"func @f({', '.join(arguments)}) {{", *lines, "}"])


def _converted(view: str, type_: str, name: str, shape: str) -> str:
    return f"  axpby.n 1.0, %{view}, 0.0, %{name} : f64, memref<{type_}>, f64, memref<f64{shape}>"


@st.composite
def programs(draw: Any) -> tuple[str, dict[str, Any], int]:
    """A program, its arguments and how many elements they have."""
    r, c, groups = draw(st.integers(1, 5)), draw(st.integers(1, 5)), draw(st.integers(1, 5))
    instructions = draw(
        st.lists(
            st.builds(
                Instruction,
                kind=st.sampled_from(["left", "right", "constant", "copy"]),
                target=st.sampled_from([*TENSORS, *TEMPORARIES]),
                source=st.sampled_from([*TENSORS, *TEMPORARIES]),
                beta=st.sampled_from(["0.0", "1.0", "1.0", "3.0"]),
            ).filter(lambda each: each.source != each.target),
            min_size=1,
            max_size=5,
        )
    )
    left = integers(ScalarType.F64, r, r, seed=draw(st.integers(0, 9)), limit=2)
    short = frozenset(draw(st.sets(st.sampled_from([*TENSORS, "s"]))))
    types = {name: ScalarType.F32 if name in short else ScalarType.F64 for name in (*TENSORS, "s")}
    side = integers(types["s"], c, c, groups, seed=draw(st.integers(0, 9)), limit=3)
    mask = np.array(draw(st.lists(st.booleans(), min_size=c * c, max_size=c * c))).reshape(c, c)
    is_sparse, is_known = draw(st.booleans()), draw(st.booleans())
    facts = [f";! batched %{name}" for name in (*(each.upper() for each in TENSORS), "S")]
    if is_sparse:
        side *= mask[:, :, None]
        facts.append(f";! nonzeros %S {' '.join(map(str, np.flatnonzero(mask.ravel(order='F'))))}".rstrip())
    if is_known:
        numbers = " ".join(f"{n}:{float(x)}" for n, x in enumerate(left.ravel(order="F")) if x)
        facts.append(f";! values %K {numbers}".rstrip())
    arguments = {name.upper(): integers(types[name], r, c, groups, seed=n) for n, name in enumerate(TENSORS)}
    constant = integers(ScalarType.F64, c, c, seed=7, limit=2)
    return text_of(r, c, instructions, facts, short), {**arguments, "S": side, "K": left, "L": constant}, groups


@share(0.6, of_long=1)
@given(
    programs(),
    st.sampled_from([None, 1, 2, 3]),
    st.sampled_from([None, 1, 2, 3]),
    st.booleans(),
    st.sampled_from([None, 2, 3]),
)
def test_a_generated_program_means_the_same_in_lines(
    program: tuple[str, dict[str, Any], int],
    elements: int | None,
    lines: int | None,
    literals: bool,
    stages: int | None,
) -> None:
    text, arguments, groups = program
    function = function_of(text, (1, 1))
    tuning = Tuning(ScheduleKind.COLUMNS, elements=elements, literals=literals, lines=lines, stages=stages)
    assume(is_possible(function, GPU, tuning))
    compare(function, arguments, groups, tuning=tuning, target=GPU)
