"""Long functions in parts mean what they meant, and each part is short."""

from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import pytest

import einsum_front as ef
from einsum_front.cli import main
from einsum_front.core.diagnostics import Source
from einsum_front.core.names import Names
from einsum_front.driver import Session, ready, translate_program
from einsum_front.driver.c_functions import INSTRUCTION_SETS, c_target
from einsum_front.notation.parse import parse
from einsum_front.tl_backend import DEFAULT, Target, Tuning, schedule
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import statements
from einsum_front.tl_backend.kernel.split import split_long
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar
from einsum_front.tl_backend.kernel.verify import verify
from einsum_front.tl_backend.opencl.kernel import named
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules import choice
from einsum_front.tl_backend.schedules.tuning import ScheduleKind

CHAIN = "tensor A[5,5]\ntensor B[5,5]\ntensor C[5,5]\nkernel k {\n" + "".join(
    f"  {'ABC'[i % 3]}[i,j] = {'ABC'[(i + 1) % 3]}[i,k] * {'ABC'[(i + 2) % 3]}[k,j]\n" for i in range(9)
)
MANY = (
    "".join(f"tensor A{i}[3,4]\ntensor C{i}[3,4]\n" for i in range(33))
    + "tensor B[4,4] constant\nscalar s\nkernel k {\n"
    + "".join(f"  C{i}[i,j] += s * A{i}[i,k] * B[k,j]\n" for i in range(33))
)
PROGRAMS = {
    "chain": CHAIN + "}\n",
    "many": MANY + "}\n",
    "temporaries": "tensor A[6,6]\ntensor Y[6,6]\n"
    + "".join(f"temp T{i}[6,6]\n" for i in range(6))
    + "kernel k {\n  T0[i,j] = A[j,i]\n"
    + "".join(f"  T{i}[i,k] = A[i,j] * T{i - 1}[j,k] + T0[k,i]\n" for i in range(1, 6))
    + "  Y[i,j] = T5[i,j] + T2[i,j] + relu(T0[i,j])\n}\n",
    "run-time sizes": "size n ~ 7\nsize m ~ 4\ntensor A[n,m]\ntensor B[m,m]\ntensor C[n,m]\nkernel k {\n"
    + "  C[i,j] = A[i,k] * B[k,j]\n  A[i,j] += C[i,k] * B[j,k]\n" * 2
    + "}\n",
    "loops": "tensor A{4}[5,5]\ntensor C[5,5]\ntensor x[5]\nkernel k {\n"
    + "".join(
        f"  for e in 0:4 {{ C[i,j] += A{{e}}[i,k] * A{{{i}}}[k,j] }}\n  x[i] = max{{j}}(C[i,j])\n" for i in range(4)
    )
    + "}\n",
}
SMALL = partial(split_long, most=30, part=12)


@pytest.fixture(params=PROGRAMS)
def text(request: pytest.FixtureRequest) -> str:
    return PROGRAMS[request.param]


@pytest.mark.parametrize("device", ["auto", "c"])
def test_parts_mean_the_same(
    text: str, device: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """At every level, with temporaries and dependences across the cuts, and for arrays in other layouts."""
    monkeypatch.setattr(choice, "split_long", SMALL)
    path = tmp_path / "k.ein"
    path.write_text(text)
    assert main(["run", str(path), "--device", device, "--batch", "11", "--verify", "--no-cache"]) == 0
    assert "agree" in capsys.readouterr().out
    if device == "c":
        assert "_part" in str(ef.compile(ef.parse(path), device)["k"].opencl)


@cache
def translated(text: str, target: Target) -> Function:
    (stages,) = translate_program(Session(target), parse(Source("k.ein", text)))
    return stages.tensor_language


@pytest.mark.parametrize("kind", [ScheduleKind.WORK_GROUP, ScheduleKind.BATCH_SIMD])
@pytest.mark.parametrize("target", [DEFAULT, replace(DEFAULT, instructions="avx2"), c_target(INSTRUCTION_SETS[0])])
def test_parts_are_short_and_keep_to_the_rules(text: str, target: Target, kind: ScheduleKind) -> None:
    function = translated(text, target)
    try:
        plan = schedule(ready(function, target, Tuning(kind)), target, Tuning(kind)).plan
    except ef.CompileError:
        return  # it has run-time sizes
    file = plan.lower(frozenset()).file
    made = SMALL(file, Names(named(file)))
    assert verify(made) == ()
    assert len(made.functions) > len(file.functions) + 1
    assert made.functions[-1].name == file.functions[-1].name
    before = {function.name: function for function in file.functions}
    parts = [function for function in made.functions if function.name not in before]
    assert all(function.outlined is tree.Outlined.PART for function in parts)
    assert {function.instructions for function in parts} <= {function.instructions for function in file.functions}
    count = sum(1 for function in made.functions for each in statements(function.body) if not _is_call(each))
    assert count >= sum(1 for function in file.functions for each in statements(function.body) if not _is_call(each))


def _is_call(statement: tree.Statement) -> bool:
    return isinstance(statement, tree.Call | tree.Section)


X = tree.Name("x")
NUMBERS = Pointer(Scalar.F64, AddressSpace.GLOBAL)


def stored(place: int, value: tree.Expression) -> tree.Assign:
    """`x[place] = value`."""
    return tree.Assign(tree.Subscript(X, tree.Integer(place)), value)


def test_what_cannot_be_moved_stays_where_it_is() -> None:
    """A number that is read between two writes is read there; a variable of the caller is written by the caller."""
    t, n = tree.Name("t"), tree.Name("n")
    body: tree.Statements = (
        tree.Declare(Scalar.I32, "n", tree.Integer(0)),
        *(stored(place, tree.Floating(1.0, Scalar.F64)) for place in range(10)),
        tree.Declare(Scalar.F64, "t", tree.Subscript(X, tree.Integer(3))),
        *(stored(place, tree.Floating(2.0, Scalar.F64)) for place in range(10)),
        tree.Assign(n, tree.Integer(1), tree.BinaryOperator.ADD),
        *(stored(place, t) for place in range(10)),
        stored(11, t),
    )
    function = tree.Function("f", (tree.Parameter(NUMBERS, "x"),), body, (1, 1, 1))
    made = split_long(tree.File((function,)), Names(frozenset({"f", "x", "t", "n"})), most=8, part=4)
    *parts, kernel = made.functions
    assert parts
    assert verify(made) == ()
    number = next(i for i, each in enumerate(kernel.body) if isinstance(each, tree.Declare) and each.name == "t")
    assert any(isinstance(each, tree.Call) for each in kernel.body[:number])
    assert any(isinstance(each, tree.Call) for each in kernel.body[number:])
    of_n = [each for each in kernel.body if isinstance(each, tree.Assign) and each.target == n]
    assert len(of_n) == 1
    assert not any(isinstance(each, tree.Assign) and each.target == n for part in parts for each in part.body)


def test_short_functions_stay_as_they_are() -> None:
    function = tree.Function("f", (tree.Parameter(NUMBERS, "x"),), (stored(0, tree.Floating(1.0, Scalar.F64)),))
    file = tree.File((function,))
    assert split_long(file, Names(frozenset())) is file
