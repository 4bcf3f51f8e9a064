"""What `run`, `explain`, `check` and `devices` print, and what they leave behind."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from einsum_front.cli import main
from einsum_front.compiled import CompiledKernel
from einsum_front.driver.verification import Comparison

TIME = r"\d+(\.\d+)? (s|ms|µs|ns)"


def printed(*command: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_a_run_takes_a_line_for_each_kernel(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed("run", "wave.ein", "--batch", "100", capsys=capsys).splitlines()
    assert [line.split(":")[0] for line in lines] == ["volume", "scale_2", "scale_3"]
    for line in lines:
        assert re.fullmatch(rf"\w+: 100 elements in {TIME}, {TIME} each, \d+\.\d\d GFLOP/s", line)


def test_a_comparison_takes_another(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--kernel", "volume", "--verify", "--repeat", "3"]
    first, second, third = printed("run", "wave.ein", *options, capsys=capsys).splitlines()
    assert re.fullmatch(rf"volume: 1 element \(.*\) in {TIME}, {TIME} each, .* GFLOP/s, median of 3 runs", first)
    assert "1 element (--batch N for more) in " in first
    assert re.fullmatch(r"  graph, yir, tl, kernel, device: agree, \d\.\de-\d\d of at most \d\.\de-\d\d", second)
    assert re.fullmatch(
        r"  device, padded arrays, C order, reversed arrays, device arrays: agree, .* of at most .*", third
    )


def test_arrays_of_another_type_are_refused_before_levels_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Interpreters would convert them, and say what that leads to."""
    (tmp_path / "k.ein").write_text(
        "tensor A[4,4] tensor y[4] kernel k { y[i] = max{j}(A[ij]) + relu(A[i,0])  A[ij] = A[ij] / y[i] }",
        encoding="utf-8",
    )
    np.savez(tmp_path / "data.npz", A=np.ones((3, 4, 4), np.int64), y=np.zeros((3, 4)))
    options = ["--data", str(tmp_path / "data.npz")]
    said = []
    for more in ([], ["--verify"]):
        assert main(["run", str(tmp_path / "k.ein"), *options, *more]) == 1
        said.append(capsys.readouterr().err)
    assert said[0] == said[1]
    assert "error[E0504]: argument `A` has element type int64, expected float64" in said[0]


def test_what_differs_in_another_layout_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = (
        Comparison("device", 1e-16, 1e-13),
        Comparison("device", 0.5, 1e-13, "C order"),
        Comparison("device", float("inf"), 1e-13, "padded arrays", ("Q", "I")),
    )
    monkeypatch.setattr(CompiledKernel, "verify", lambda _kernel, _seed, _against, _tell: found)
    assert main(["run", "wave.ein", "--kernel", "volume", "--verify"]) == 3
    assert capsys.readouterr().out.splitlines()[1:] == [
        "  device: agrees, 1.0e-16 of at most 1.0e-13",
        "  device, C order: DIFFERS, 5.0e-01 of at most 1.0e-13",
        "  device, padded arrays: DIFFERS, memory between or around the entries of `Q` and `I` was changed",
        "  all levels agree, but the device differs with C order",
    ]


def test_an_empty_batch_is_run_in_no_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed("run", "wave.ein", "--kernel", "volume", "--batch", "0", capsys=capsys) == "volume: 0 elements\n"


def test_the_first_level_that_differs_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = (Comparison("graph", 1e-16, 1e-13), Comparison("tl", 2.0, 1e-13), Comparison("device", float("inf"), 1e-13))
    monkeypatch.setattr(CompiledKernel, "verify", lambda _kernel, _seed, _against, _tell: found)
    assert main(["run", "wave.ein", "--kernel", "volume", "--verify"]) == 3
    assert capsys.readouterr().out.splitlines()[1:] == [
        "  graph: agrees, 1.0e-16 of at most 1.0e-13",
        "  tl: DIFFERS, 2.0e+00 of at most 1.0e-13",
        "  device: DIFFERS, inf of at most 1.0e-13",
        "  the first level that differs is tl",
    ]


def test_a_mistake_of_a_kernel_tree_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "work-item 0 of work-group 0 reads element 9 of `Q` (8 elements of float64), which is outside (E0711)"
    found = (Comparison("tl", 0.0, 1e-13), Comparison("kernel", float("inf"), 1e-13, mistake=said))
    monkeypatch.setattr(CompiledKernel, "verify", lambda _kernel, _seed, _against, _tell: found)
    assert main(["run", "wave.ein", "--kernel", "volume", "--verify"]) == 3
    assert capsys.readouterr().out.splitlines()[1:] == [
        "  tl: agrees, 0.0e+00 of at most 1.0e-13",
        f"  kernel: DIFFERS, {said}",
        "  the first level that differs is kernel",
    ]


def test_a_level_that_is_left_out_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("einsum_front.driver.verification.MOST_STATEMENTS", 10)
    why = "  kernel: left out, its interpreter would run more than 10 statements"
    told = printed("run", "wave.ein", "--kernel", "volume", "--verify", capsys=capsys).splitlines()
    assert told[1].startswith("  graph, yir, tl, device: agree, ")
    assert told[3:] == [why]
    levels = (Comparison("kernel", float("nan"), 0.0, left_out=why[20:]), Comparison("device", 1.0, 1e-13))
    monkeypatch.setattr(CompiledKernel, "verify", lambda _kernel, _seed, _against, _tell: levels)
    assert main(["run", "wave.ein", "--kernel", "volume", "--verify"]) == 3
    assert capsys.readouterr().out.splitlines()[1] == why


def test_a_comparison_fills_a_work_group(monkeypatch: pytest.MonkeyPatch) -> None:
    batches = []

    def counting(artifact: object, batch: int, *_: object) -> dict[str, object]:
        batches.append((artifact.elements_per_group, batch))  # type: ignore[attr-defined] # an artifact
        raise KeyboardInterrupt

    monkeypatch.setattr("einsum_front.driver.verification.random_arguments", counting)
    assert main(["run", "wave.ein", "--kernel", "volume", "--verify"]) == 130
    ((in_a_group, elements),) = batches
    assert elements > in_a_group


def test_results_are_those_of_numpy(folder: Path) -> None:
    random = np.random.default_rng(3)
    Q, I, A, K = (random.random(shape) for shape in [(5, 4, 3), (5, 4, 3), (5, 3, 3), (4, 4)])  # noqa: E741
    np.savez(folder / "data.npz", Q=Q, I=I, A=A, K=K)
    command = ["run", "wave.ein", "--kernel", "volume", "--data", "data.npz", "--save", "results.npz", "--verify"]
    assert main([*command, "--repeat", "2"]) == 0
    results = np.load(folder / "results.npz")
    assert list(results) == ["Q"]
    np.testing.assert_allclose(results["Q"], Q + 2 * K @ I @ A, rtol=1e-13)


def test_random_data_are_those_of_the_seed(folder: Path) -> None:
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        command = ["run", "wave.ein", "--kernel", "volume", "--batch", "3", "--seed", seed]
        assert main([*command, "--save", f"{name}.npz"]) == 0
    a, b, c = (np.load(folder / f"{name}.npz")["Q"] for name in "abc")
    assert np.array_equal(a, b)
    assert not np.array_equal(a, c)


@pytest.mark.parametrize(
    ("options", "count"),
    [
        (["--einsum", "bik,kj->bij", "--shape", "4,5,3", "--shape", "3,6"], "4 elements"),
        (["--einsum", "bik,kj->bij", "--shape", "4,5,3", "--shape", "3,6", "--batch", "4"], "4 elements"),
        (["--einsum", "bi->b", "--shape", "0,5"], "0 elements"),
        (["--einsum", "ik,kj->ij", "--shape", "5,3", "--shape", "3,6"], "1 element"),
        (["--einsum", "ik,kj->ij", "--shape", "5,3", "--shape", "3,6", "--batch", "7"], "7 elements"),
        (["--einsum", "i,->", "--shape", "5", "--shape", "", "--real", "f32"], "1 element"),
    ],
)
def test_the_batch_of_an_index_string(options: list[str], count: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = printed("run", *options, "--verify", capsys=capsys)
    assert re.match(rf"einsum: {count}( \(.*\))?( in .*)?\n  graph, yir, tl, kernel, device: agree, ", out)


def test_an_explanation_has_the_same_facts_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    told = printed("explain", "wave.ein", "--kernel", "volume", capsys=capsys)
    (data,) = json.loads(printed("explain", "wave.ein", "--kernel", "volume", "--json", capsys=capsys))["kernels"]
    assert {"name", "operations", "bytes", "temporary_bytes", "steps"} <= set(data)
    assert data["name"] == "volume"
    assert set(data["operations"]) == {"nonzero", "executed"}
    for number in (*data["operations"].values(), data["temporary_bytes"]):
        assert type(number) is int
        assert str(number) in told
    assert data["bytes"] == data["read_bytes"] + data["written_bytes"]
    assert all(step["map"] in told for step in data["steps"])


def test_a_text_without_a_plan_has_operations_only(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed("compile", "wave.ein", "--kernel", "volume", "--emit", "tl", "-o", "volume.tl", capsys=capsys)
    told = printed("explain", "volume.tl", capsys=capsys)
    said, _, schedule = told.partition("\n")
    assert re.fullmatch(r"volume: \d+ operations an element, zeros and copies included; the text has no plan", said)
    assert schedule.startswith("\nschedule volume: work_group\n")
    (data,) = json.loads(printed("explain", "volume.tl", "--json", capsys=capsys))["kernels"]
    assert data.pop("schedule")["issued_multiplications"] == 84
    assert data == {
        "name": "volume",
        "operations": {"nonzero": None, "executed": int(re.findall(r"\d+", said)[0])},
        "bytes": None,
        "temporary_bytes": None,
        "steps": [],
    }


def test_a_check_says_nothing_if_all_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed("check", "wave.ein", capsys=capsys) == ""
    assert printed("check", "--einsum", "ij->i", "--shape", "3,4", capsys=capsys) == ""


def test_devices_are_listed_as_in_error_messages(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed("devices", capsys=capsys).splitlines()
    assert re.fullmatch(r"device 0( \(auto[^)]*\))?: \S.* · .*", lines[0])
    assert sum("(auto" in line for line in lines) == 1
    assert re.fullmatch(
        r"  vectors of \d+ bits( in two steps)?(, with AVX-512VL where lanes are elements)?, "
        r"\d+ compute units?, [\d,]+ KiB of local memory, "
        r"[\d,]+ KiB of cache in lines of \d+ bytes, (with |without )?sub-groups.*, with(out)? f64",
        lines[1],
    )


def test_a_device_that_the_environment_chooses_is_marked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EINSUM_FRONT_DEVICE", "0")
    assert printed("devices", capsys=capsys).startswith("device 0 (auto, from EINSUM_FRONT_DEVICE): ")


SIZES = """
size n <= 64 ~ 12
size m
tensor X[n, 3]
tensor Y[m, 3] constant
tensor Z[n, m]
kernel f { Z[ij] = X[ik] * Y[jk] }
"""


def test_sizes_that_only_the_launch_knows_are_likely_or_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sizes.ein").write_text(SIZES)
    command = ("run", str(tmp_path / "sizes.ein"), "--batch", "2")
    assert "f: 2 elements, n = 12, m = 1000 in " in printed(*command, capsys=capsys)
    first, second, _ = printed(*command, "--args", "n=7,m=5", "--verify", capsys=capsys).splitlines()
    assert first.startswith("f: 2 elements, n = 7, m = 5 in ")
    assert second.startswith("  graph, yir, tl, kernel, device: agree, ")
    assert "f: 2 elements, m = 4 in " in printed(*command, "-D", "n=7", "--args", "m=4", capsys=capsys)


EXTENTS = """
size n
tensor X[n]
tensor Y[2*n+1]
tensor K[2*n+1,n] constant
kernel f { Y[i] = K[ij] * X[j] }
"""


@pytest.mark.parametrize(
    ("text", "given", "sizes"),
    [(SIZES, "X=7x3,m=4", "n = 7, m = 4"), (SIZES, "Z=5x6", "n = 5, m = 6"), (EXTENTS, "Y=11", "n = 5")],
)
def test_arrays_that_are_not_given_fit_those_that_are(
    text: str, given: str, sizes: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sizes.ein").write_text(text)
    said = printed("run", str(tmp_path / "sizes.ein"), "--args", given, "--batch", "2", capsys=capsys)
    assert said.startswith(f"f: 2 elements, {sizes} in ")


CONTRADICTIONS = [
    (SIZES, "n=3,X=4x3", "n=3 and X=4x3: `n` would be 3 and 4"),
    (SIZES, "Y=4x3,Z=5x6", "Y=4x3 and Z=5x6: `m` would be 4 and 6"),
    (EXTENTS, "K=11x6", "K=11x6: `n` would be 5 and 6"),
    (EXTENTS, "Y=10", "Y=10, and `2*n+1` is not 10 for any `n`"),
]


@pytest.mark.parametrize(("text", "given", "why"), CONTRADICTIONS)
def test_sizes_that_contradict_each_other_are_those_that_were_given(
    text: str, given: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sizes.ein").write_text(text)
    with pytest.raises(SystemExit):
        main(["run", str(tmp_path / "sizes.ein"), "--args", given])
    assert f"--args gives {why}\n" in capsys.readouterr().err


def test_sizes_of_given_arrays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sizes.ein").write_text(SIZES)
    arrays = {"X": np.ones((3, 5, 3)), "Y": np.ones((4, 3)), "Z": np.zeros((3, 5, 4))}
    np.savez(tmp_path / "arrays.npz", **arrays)  # type: ignore[arg-type] # numpy's stub takes any keyword for `allow_pickle`
    command = ["run", str(tmp_path / "sizes.ein"), "--data", str(tmp_path / "arrays.npz")]
    saved = str(tmp_path / "results.npz")
    assert "f: 3 elements, n = 5, m = 4 in " in printed(*command, "--save", saved, capsys=capsys)
    assert (np.load(saved)["Z"] == 3).all()


@pytest.mark.parametrize("given", ["n=0", "n=x"])
def test_a_size_that_is_no_number(given: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sizes.ein").write_text(SIZES)
    with pytest.raises(SystemExit):
        main(["run", str(tmp_path / "sizes.ein"), "--args", given])
    assert f"size `n` is a number from 1 on, not `{given[2:]}`" in capsys.readouterr().err


def test_results_need_a_folder_before_anything_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "wave.ein", "--kernel", "volume", "--save", "nowhere/r.npz"]) == 1
    out, err = capsys.readouterr()
    assert (out, err) == ("", "error[E0107]: cannot write `nowhere/r.npz`: no such file or directory\n")


def test_a_level_that_needs_too_much_memory_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def too_much(*_arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr("einsum_front.driver.verification.interpret_graph", too_much)
    assert main(["run", "wave.ein", "--kernel", "volume", "--verify"]) == 1
    said = "error[E0516]: this machine has no memory for the interpreter of `volume` at the level `graph`\n"
    assert capsys.readouterr().err == said
