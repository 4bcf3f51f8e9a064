"""The data of the inspector's page: every line leads to the notation and back."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from einsum_front.cli import main
from einsum_front.core.diagnostics import Source
from einsum_front.core.texts import read_source
from einsum_front.driver import Observer, Session, Stages, translate_program, translate_text
from einsum_front.driver.offline import offline_target
from einsum_front.driver.stages import Decision
from einsum_front.driver.targets import DEFAULT, Target
from einsum_front.inspector import collect, model, page
from einsum_front.inspector.tokens import Names, roles_of_line, tokens_of_line
from einsum_front.notation import syntax
from einsum_front.notation.parse import parse
from einsum_front.options import Level, Options
from einsum_front.tl_backend.schedules.tuning import read_tuning
from examples.ader_dg import matrices

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = [
    *(EXAMPLES / name for name in ("minimal.ein", "matmul.ein", "points.ein", "slices.ein", "interpolation.ein")),
    *(EXAMPLES / "ader_dg" / name for name in ("volume.ein", "derivative.ein", "flux_solver.ein")),
    EXAMPLES / "broadcast.ein",
]
LEAST_SHARE = 0.95
LEVELS = ["graph", "plan", "yir", "tl", "schedule", "cl"]


def inspect(file: Path, kernel: str | None = None, target: Target = DEFAULT) -> dict[str, Any]:
    if file.parent.name == "ader_dg":
        matrices.write(4)
    source = read_source(file)
    program: syntax.Program | None = None
    level = {".ein": Level.EIN, ".yir": Level.YIR, ".tl": Level.TL}[file.suffix]
    if level is Level.EIN:
        program = parse(source)

    def translate(observe: Observer) -> tuple[Stages, ...]:
        session = Session(target, Options(kernel=kernel), observe)
        if program is not None:
            return translate_program(session, program, file.parent)
        return translate_text(session, source, level)

    return json.loads(json.dumps(model(file.name, collect(translate), source, level, program)))  # type: ignore[no-any-return] # json says nothing of types


@pytest.fixture(scope="module", params=FILES, ids=lambda path: path.stem)
def shown(request: pytest.FixtureRequest) -> dict[str, Any]:
    return inspect(request.param)


def is_compilers_own(level: str, line: str) -> bool:
    """What OpenCL C needs above kernels, and the reason for the schedule."""
    return level == "cl" and line.startswith(("#", "typedef", "//"))


def lines(shown: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    for kernel in shown["kernels"]:
        for level in kernel["levels"]:
            yield from ((level["id"], line, kernel) for line in level["lines"])


@pytest.mark.parametrize("target", ["nvidia-sm90", "x86-avx512", "aarch64-neon"])
def test_lines_for_other_machines_have_an_origin(target: str) -> None:
    """Copies into local memory, helpers and tables as well."""
    shown = inspect(EXAMPLES / "ader_dg/dynamic_rupture.ein", "computeImposedStateM", offline_target(target))
    without = [line["t"] for level, line, _ in lines(shown) if line["t"].strip() and not line.get("s")]
    assert [text for text in without if not is_compilers_own("cl", text)] == []


def test_lines_of_every_level_have_an_origin(shown: dict[str, Any]) -> None:
    """Each is reachable from a character of the notation, or belongs to the compiler itself."""
    counts = {level: [0, 0] for level in LEVELS}
    assert shown["kernels"]
    for level, line, _ in lines(shown):
        if line["t"].strip():
            counts[level][0] += bool(line.get("s")) or is_compilers_own(level, line["t"])
            counts[level][1] += 1
    assert all(found >= LEAST_SHARE * total for found, total in counts.values()), counts


def test_links_lead_to_lines_that_are_there(shown: dict[str, Any]) -> None:
    for level, line, kernel in lines(shown):
        number = [each["id"] for each in kernel["levels"]].index(level)
        for above, first, last in line.get("o", []):
            assert above < number
            assert 0 <= first <= last < len(kernel["levels"][above]["lines"])
        for start, end, entity in line.get("k", []):
            assert 0 <= start < end <= len(line["t"])
            assert entity[:2] in ("t:", "i:")
        for span in line.get("s", []):
            root, first, column, last, end = kernel["spans"][span]
            texts = shown["roots"][root]["lines"]
            assert (first, column) < (last, end)
            assert last < len(texts)
            assert end <= len(texts[last]["t"])


def test_every_statement_is_found_at_every_level(shown: dict[str, Any]) -> None:
    for kernel in shown["kernels"]:
        for level in ("graph", "yir", "tl", "cl"):
            number = [each["id"] for each in kernel["levels"]].index(level)
            assert any(line.get("s") for line in kernel["levels"][number]["lines"])


def test_each_step_leads_to_opencl_and_back() -> None:
    """More than the notation tells: two steps come from the same characters."""
    (kernel,) = inspect(EXAMPLES / "minimal.ein")["kernels"]
    levels = {each["id"]: (number, each["lines"]) for number, each in enumerate(kernel["levels"])}
    plan, steps = levels["plan"]
    first, second = (n for n, line in enumerate(steps) if line["t"].strip()[:2] in ("0:", "1:"))

    def below(step: int) -> dict[int, str]:
        found = enumerate(levels["cl"][1])
        return {n: line["t"].strip() for n, line in found if [plan, step, step] in line.get("o", [])}

    assert "double b0 = w_item[k];" in below(first).values()
    assert "double b0 = A_item[l + 8 * j];" in below(second).values()
    assert not below(first).keys() & below(second).keys()


def test_an_edited_text_is_shown_with_its_notation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.ein").write_text((EXAMPLES / "minimal.ein").read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["compile", "a.ein", "--dump-to", "levels"]) == 0
    text = Path("levels/minimal.tl").read_text(encoding="utf-8")
    Path("levels/minimal.tl").write_text(text.replace("2.0", "3.0"), encoding="utf-8")
    shown = inspect(Path("levels/minimal.tl"))
    assert [root["level"] for root in shown["roots"]] == ["ein", "tl"]
    (kernel,) = shown["kernels"]
    assert [level["id"] for level in kernel["levels"]] == ["tl", "schedule", "cl"]
    gemm = next(line for line in kernel["levels"][0]["lines"] if "gemm" in line["t"])
    assert {kernel["spans"][span][0] for span in gemm["s"]} == {0, 1}


def test_mistakes_are_shown_in_their_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.ein").write_text("tensor A[3]\ntensor B[4]\nkernel k { A[i] = B[i] }\n", encoding="utf-8")
    assert main(["inspect", "a.ein"]) == 1
    data = Path("a.html").read_text(encoding="utf-8").split('id="data">')[1].split("</script>")[0]
    shown = json.loads(data)
    (error,) = shown["errors"]
    assert error["code"] == "E0203"
    assert error["labels"][0][0] == 2
    assert not shown["kernels"]


def test_the_page_is_one_small_file_that_no_text_can_break_out_of(tmp_path: Path) -> None:
    file = tmp_path / "x.ein"
    file.write_text("# </script><!-- <b>@@title@@\ntensor A[3]\nkernel k { A[i] = 2*A[i] }\n", encoding="utf-8")
    made = page(inspect(file))
    assert "</script><!--" not in made
    assert made.count("<script") == made.count("</script>") == 3
    assert "@@title@@" in made
    assert "http://" not in made.replace("http://www.w3.org/2000/svg", "")
    for example in ("minimal.ein", "ader_dg/volume.ein"):
        assert len(page(inspect(EXAMPLES / example)).encode()) < 2_000_000


NAMES = Names({"Q": "Q", "Q_item": "Q"}, frozenset({"l"}), frozenset("klp"))


@pytest.mark.parametrize(
    ("level", "line", "expected"),
    [
        (Level.GRAPH, "%3 = contract {kl, lp to kp} %1 : k=20", ["i:k", "i:l", "i:l", "i:p", "i:k", "i:p", "i:k"]),
        (Level.GRAPH, "%3 = contract {row l, l to row} %1", ["i:row", "i:l", "i:l", "i:r", "i:o", "i:w"]),
        (Level.PLAN, "0: log {k to l} Q[k+1, l] := 2", ["i:k", "i:l", "t:Q", "i:k", "i:l"]),
        (Level.TL, "%x = subview %Q_item[:, %l] : memref<f64x4>  ;! from Q.ein:1:1-2", ["t:Q", "i:l"]),
        (Level.CL, "for (long l = 0; l < 8; ++l) { Q_item[l]", ["i:l", "i:l", "i:l", "t:Q", "i:l"]),
        (Level.CL, "for (int k_p = 0; k_p < 180; ++k_p) {", ["i:k", "i:p", "i:k", "i:p", "i:k", "i:p"]),
        (Level.CL, "for (int turn = 0; turn < 9; ++turn) {  // p", ["i:p"]),
        (Level.CL, "int k_lines = l0;", []),
    ],
)
def test_words_of_a_line(level: Level, line: str, expected: list[str]) -> None:
    assert [token.entity for token in tokens_of_line(level, line, NAMES)] == expected


PRODUCT = "tensor A[24,18]\ntensor B[18,20]\ntensor C[24,20]\nkernel product { C[q,p] = A[q,w] * B[w,p] }\n"


@pytest.mark.parametrize("schedule", ["work_group", "batch_simd", "packed"])
def test_an_index_leads_to_its_loops(schedule: str) -> None:
    """A loop of OpenCL C is called as the index that it runs over, or says it; it is never called as another one."""
    source = Source("product.ein", PRODUCT)

    def translate(observe: Observer) -> tuple[Stages, ...]:
        decided = Decision(read_tuning(schedule))
        return translate_program(Session(DEFAULT, Options(), observe, lambda *_: decided), parse(source))

    shown = model("product", collect(translate), source, Level.EIN, parse(source))
    (lines,) = (level["lines"] for level in shown["kernels"][0]["levels"] if level["id"] == "cl")
    loops = [line for line in lines if line["t"].lstrip().startswith("for (")]
    lit = {token[2] for line in loops for token in line.get("k", ())}
    assert "i:w" in lit
    assert all(len(line["t"].split("//")) == 2 or "element" in line["t"] or line.get("k") for line in loops)
    assert not any(f" {other} = " in line["t"] for line in loops for other in "ijk")


def test_roles_of_indices_in_a_product() -> None:
    assert roles_of_line("  log {ik[l], kj to i[l]j} 1.0, %A") == {"l": "loop", "i": "m", "k": "k", "j": "n"}
    assert roles_of_line("  sum {ij to i} 1.0, %A") == {}


def test_a_text_that_is_no_file_has_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["inspect", "--einsum", "ik,kj->ij", "--shape", "4,5", "--shape", "5,6", "-o", "x.html"]) == 0
    assert "ik,kj-\\u003eij" in Path("x.html").read_text(encoding="utf-8") or "ik,kj->ij" in Path("x.html").read_text(
        "utf-8"
    )


def test_sources_are_shown_as_they_are() -> None:
    source = Source("x.ein", "tensor A[3]\nkernel k { A[i] = 2*A[i] }\n")

    def translate(observe: Observer) -> tuple[Stages, ...]:
        return translate_program(Session(DEFAULT, observe=observe), parse(source))

    shown = model("x", collect(translate), source, Level.EIN, parse(source))
    assert [line["t"] for line in shown["roots"][0]["lines"]] == source.text.splitlines()
    (kernel,) = shown["kernels"]
    assert [step["name"] for step in kernel["passes"]][:1] == ["select_entries"]


def test_a_measured_kernel_has_a_floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers are positive, and the floor is what the larger of both bounds says; times are no matter of a test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("einsum_front.inspector.measure.TOTAL_BYTES", 1 << 18)
    assert main(["inspect", str(EXAMPLES / "minimal.ein"), "--measure", "--no-cache"]) == 0
    data = Path("minimal.html").read_text(encoding="utf-8").split('id="data">')[1].split("</script>")[0]
    measured = json.loads(data)["kernels"][0]["measured"]
    assert measured["bytes"] == 8 * (64 * 2 + 64 + 512 + 8)
    assert measured["operations"] == 2048
    least = max(measured["bytes"] / measured["bandwidth"], measured["operations"] / measured["peak"])
    assert measured["floor"] == pytest.approx(least)
    assert measured["share"] == pytest.approx(least / measured["seconds"])
