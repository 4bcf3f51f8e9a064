"""What `explain` prints, word for word, and what programs read of it."""

import json
import sys
from pathlib import Path

import pytest

import einsum_front as ef
from einsum_front.cli import main
from einsum_front.core.diagnostics import CompileError
from einsum_front.driver.targets import DEFAULT, target_of
from einsum_front.runtime import find_device

TEXT = """\
tensor K[4, 4] constant nonzeros [(1,0), (2,0), (2,1), (3,2)]
tensor I[4, 3]
tensor A[3, 3]
tensor Q[4, 3]
scalar dt
kernel step {
    Q[k,p] += dt * K[k,l] * I[l,q] * A[q,p]
    I[k,p] = Q[k,p]
}
"""

TABLES = """\
step: 78 operations on nonzeros, 108 on boxes
456 bytes read, 240 bytes written, 72 bytes of temporaries at a time

step                                                      map             operations  on boxes  bytes
      Q[k,p] += dt * K[k,l] * I[l,q] * A[q,p]
0     tmp0[k, q] := K[k+1, l] * I[l, q]                   {kl, lq to kq}          15        45    216
1     Q[k+1, p] := Q[k+1, p] + dt * tmp0[k, q] * A[q, p]  {kq, qp to kp}          63        63    288
      I[k,p] = Q[k,p]
2     I[k, p] := Q[k, p]                                  {kp to kp}               0         0    192

temporary  shape  in memory  modes there  alive in steps  bytes
tmp0       3x3    3x3        0 1          0 to 1             72

order                            operations  on boxes  matrix products  temporary entries
(K I) A    taken                         60        90                2                  9
  K (I A)  as good; found later          60        90                2                  9
  (K A) I  39 more operations            99       234                2                 81

schedule step: batch_simd
  why: 51 multiplications and 51 entries to transpose, otherwise 66 multiplications
  machine: AMD Zen 4
  cost, in multiplications of an element
    batch_simd: 173.4, 51 multiplications and 51 entries to transpose
    work_group: 367.6, 66 multiplications
    packed: impossible, there are temporaries
  launch: work-groups of 1 x 1 work-items, 64 elements in each
  issued: 51 multiplications for an element
  plan
    for each block of 4 elements, one in each SIMD lane
      load %I: 9 of 12 entries, transposed in registers
      load %A: 9 of 9 entries, transposed in registers
      load %Q: 12 of 12 entries, transposed in registers
      gemm.n.n 1.0, %view, %view1, 0.0, %tmp0
        loop of 3 iterations, 4 terms unrolled
      gemm.n.n %dt, %tmp0, %A_item, 1.0, %view2
        loop of 3 iterations, 9 terms unrolled
      axpby.n 1.0, %Q_item_fused, 0.0, %I_item_fused
        loop of 12 iterations, 1 term unrolled
      store %I: 12 entries, transposed in registers
      store %Q: 9 entries, transposed in registers
    prefetched 2 blocks ahead in the long loops: arguments with a known batch stride
"""


def explained(text: str, *options: str, capsys: pytest.CaptureFixture[str], suffix: str = "ein") -> str:
    Path(f"input.{suffix}").write_text(text, encoding="utf-8")
    assert main(["explain", f"input.{suffix}", *options]) == 0
    return "\n".join(line.rstrip() for line in capsys.readouterr().out.splitlines()) + "\n"


def test_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert explained(TEXT, capsys=capsys) == TABLES


def test_json_has_the_keys_that_programs_read(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(explained(TEXT, "--json", capsys=capsys))
    (kernel,) = data["kernels"]
    assert kernel["name"] == "step"
    assert kernel["temporary_bytes"] == 72
    assert kernel["bytes"] == sum(step["bytes"] for step in kernel["steps"])
    assert {key: sum(step["operations"][key] for step in kernel["steps"]) for key in kernel["operations"]} == (
        kernel["operations"]
    )
    assert kernel["schedule"]["name"] == "batch_simd"
    assert kernel["schedule"]["issued_multiplications"] == 51
    assert kernel["schedule"]["plan"][0] == "for each block of 4 elements, one in each SIMD lane"
    assert [step["map"] for step in kernel["steps"]] == ["{kl, lq to kq}", "{kq, qp to kp}", "{kp to kp}"]


def test_a_text_below_the_plan_has_operations_only(capsys: pytest.CaptureFixture[str]) -> None:
    main(["compile", "--einsum", "ij,jk->ik", "--shape", "2,3", "--shape", "3,4", "--emit", "yir"])
    text = capsys.readouterr().out
    said = explained(text, capsys=capsys, suffix="yir")
    head, _, schedule = said.partition("\n\n")
    assert head == "einsum: 48 operations an element, zeros and copies included; the text has no plan"
    assert schedule.startswith("schedule einsum: work_group\n  why: ")
    (kernel,) = json.loads(explained(text, "--json", capsys=capsys, suffix="yir"))["kernels"]
    assert kernel["bytes"] is kernel["temporary_bytes"] is None
    assert kernel["operations"] == {"nonzero": None, "executed": 48}


@pytest.mark.parametrize("command", [("compile", "--emit", "yir"), ("explain",), ("run",)])
def test_temporaries_have_a_limit(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    Path("input.ein").write_text(TEXT, encoding="utf-8")
    assert main([*command, "input.ein", "--max-temp", "71"]) == 1
    message = "kernel `step` does not fit 71 bytes of temporaries: `tmp0` (f64 3x3 temp, 72 bytes) is too much"
    assert capsys.readouterr().err.startswith(f"error[E0302]: {message}\n")
    assert main([*command, "input.ein", "--max-temp", "72"]) == 0


def test_a_text_below_the_plan_takes_no_limit(capsys: pytest.CaptureFixture[str]) -> None:
    Path("input.tl").touch()
    with pytest.raises(SystemExit):
        main(["compile", "input.tl", "--max-temp", "72"])
    message = "error: --max-temp is for the plan: a text at the level `tl` is planned already\n"
    assert message in capsys.readouterr().err


def test_the_python_interface_has_the_limit_too() -> None:
    with pytest.raises(CompileError, match="E0302"):
        ef.compile(ef.parse(TEXT), max_temp=71)
    assert ef.compile(ef.parse(TEXT), max_temp=72)["step"].operations == 78


def test_a_drawing_goes_to_a_file_beside_the_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert explained(TEXT, "--draw", "out.svg", capsys=capsys) == f"{TABLES}\nthe drawing is in out.svg\n"
    assert explained(TEXT, "--draw", "out.dot", capsys=capsys) == f"{TABLES}\nthe drawing is in out.dot\n"
    assert Path("out.svg").read_text(encoding="utf-8").startswith('<svg xmlns="http://www.w3.org/2000/svg" ')
    assert 'label="1  Q[k,p] += dt * K[k,l] * I[l,q] * A[q,p]"' in Path("out.dot").read_text(encoding="utf-8")


def test_a_drawing_as_png_needs_a_library(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    Path("input.ein").write_text(TEXT, encoding="utf-8")
    assert main(["explain", "input.ein", "--draw", "out.png"]) == 1
    assert capsys.readouterr().err == (
        "error[E0116]: a drawing as PNG needs resvg_py, which is not installed\n"
        "  = note: `pip install resvg_py` brings it\n"
        "  = note: `.svg` and `.dot` do without\n"
    )


def test_a_drawing_as_png() -> None:
    pytest.importorskip("resvg_py", reason="resvg_py makes PNG files")
    Path("input.ein").write_text(TEXT, encoding="utf-8")
    assert main(["explain", "input.ein", "--draw", "out.png"]) == 0
    assert Path("out.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("file", "out", "message"),
    [
        ("wave.ein", "out.pdf", "--draw writes .svg, .png or .dot, not `out.pdf`"),
        ("input.tl", "out.svg", "--draw is for texts above the plan: one below it has no contraction graph"),
    ],
)
def test_what_cannot_be_drawn(file: str, out: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("input.tl").touch()
    with pytest.raises(SystemExit):
        main(["explain", file, "--draw", out])
    assert f"error: {message}\n" in capsys.readouterr().err
    assert not Path(out).exists()


def test_sizes_that_only_the_launch_knows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also of a kernel whose temporary has no bound."""
    text = "size n\nsize m >= 2\ntensor A[n, 9]\ntensor B[9, 9]\ntensor C[9, m]\ntensor D[n, m]\n"
    (tmp_path / "sizes.ein").write_text(text + "kernel f { D[i,j] = A[i,k] * B[k,l] * C[l,j] }\n")
    assert main(["explain", str(tmp_path / "sizes.ein")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        "f: 17*m*n + 153*n operations on nonzeros, 17*m*n + 153*n on boxes",
        "72*m + 144*n + 648 bytes read, 8*m*n + 72*n bytes written, 72*n bytes of temporaries at a time",
        "n: from 1 on, hint 1000",
        "m: from 2 on, hint 1000",
    ]
    assert any("(A C) B  225*m*n - 153*n more operations, whatever the sizes are" in line for line in lines)
    assert any("72*n + 63 bytes of global memory" in line for line in lines)


def test_the_batch_of_an_index_string_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    words = "\n\nthe first index of the result is the batch, of size 7: the numbers are those of one element\n"
    assert main(["explain", "--einsum", "bik,kj->bij", "--shape", "7,2,3", "--shape", "3,4"]) == 0
    assert capsys.readouterr().out.endswith(words)
    assert main(["explain", "--einsum", "ik,kj->ij", "--shape", "2,3", "--shape", "3,4"]) == 0
    assert "the batch" not in capsys.readouterr().out


def test_the_best_orders_with_ties_together(capsys: pytest.CaptureFixture[str]) -> None:
    out = explained(TEXT, "--orders", "10", capsys=capsys)
    assert (
        """\
orders of K * I * A, the best 3
rank  order    operations on nonzeros  operations on boxes  matrix products  temporary entries
1     K (I A)                      60                   90                2                  9  taken: (K I) A
      (K I) A
3     (K A) I                      99                  234                2                 81  39 more operations
"""
        in out
    )


def test_why_an_order_was_not_taken(capsys: pytest.CaptureFixture[str]) -> None:
    assert explained(TEXT, "--why-not", "(K A) I", capsys=capsys).startswith("step: why (K I) A and not (K A) I\n")
    assert explained(TEXT, "--why-not", "(A (K I))", capsys=capsys) == "step: A (K I) is the order that was taken\n"
    tie = explained(TEXT, "--why-not", "K (I A)", capsys=capsys).splitlines()
    assert tie[-1] == "  reason: none by these costs: both are as good, and the other one was found first"


def test_an_order_of_other_factors(capsys: pytest.CaptureFixture[str]) -> None:
    Path("input.ein").write_text(TEXT, encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["explain", "input.ein", "--why-not", "K J"])
    assert "error: --why-not `K J` is no order of K I A: there is no factor `J`\n" in capsys.readouterr().err


def test_linalg_is_drawn_as_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A text above the plan has a contraction graph, whatever its language."""
    linalg = Path(__file__).parents[2] / "examples" / "linalg" / "layer.mlir"
    assert main(["explain", str(linalg), "--draw", str(tmp_path / "layer.svg")]) == 0
    assert capsys.readouterr().out.endswith(f"the drawing is in {tmp_path / 'layer.svg'}\n")
    assert (tmp_path / "layer.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("emit", [("explain",), ("compile", "--emit", "schedule")])
def test_the_schedule_is_that_of_the_device_that_is_named(
    emit: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a device it is that of the one that comes with the package, on any machine."""
    string = ("--einsum", "bik,kj->bij", "--shape", "4,5,3", "--shape", "3,6")
    here = target_of(find_device().facts).machine.name
    for device, machine in (((), DEFAULT.machine.name), (("--device", "auto"), here)):
        assert main([*emit, *string, *device]) == 0
        assert f"\n  machine: {machine}\n" in capsys.readouterr().out
    assert main([*emit, *string, "--device", "nope"]) == 3
    assert "E0602" in capsys.readouterr().err
