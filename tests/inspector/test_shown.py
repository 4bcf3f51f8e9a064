"""Pages of kernels in Python, and of edited OpenCL C and scripts on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

import einsum_front as ef
from einsum_front import ir
from einsum_front.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXT = """tensor K[4,4] constant
tensor Q[4,3]
tensor P[4,3]
kernel first { P[k,p] = 2.5 * K[k,l] * Q[l,p] }
kernel second { Q[k,p] = P[k,p] }
"""


def shown(html: str) -> dict[str, Any]:
    data = html.split('id="data">')[1]
    return json.loads(data[: data.index("</script>")])  # type: ignore[no-any-return] # json says nothing of types


def levels(data: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    (kernel,) = data["kernels"]
    return {each["id"]: each["lines"] for each in kernel["levels"]}


def test_a_kernel_shows_its_page(tmp_path: Path) -> None:
    program = ef.compile(ef.parse(TEXT))
    page = program["first"].inspect()
    data = shown(page.html)
    assert [each["name"] for each in data["kernels"]] == ["first"]
    assert [line["t"] for line in data["roots"][0]["lines"]] == TEXT.splitlines()
    assert any(line.get("k") for line in data["roots"][0]["lines"])
    assert data["kernels"][0]["passes"]
    assert [each["name"] for each in shown(program.inspect().html)["kernels"]] == ["first", "second"]
    assert page.save(tmp_path / "page.html").read_text(encoding="utf-8") == page.html
    assert repr(page).startswith("<page of first: ")
    assert page._repr_html_().count("<iframe") == 1
    assert "</script>" not in page._repr_html_()


def test_the_page_of_a_measured_kernel_has_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("einsum_front.inspector.measure.TOTAL_BYTES", 1 << 18)
    page = ef.compile(ef.parse(TEXT), kernel="second")["second"].inspect(measure=True)
    assert shown(page.html)["kernels"][0]["measured"]["seconds"] > 0


def test_formulas_of_python_have_their_text() -> None:
    first, second = ef.Tensor("A", (3, 4)), ef.Tensor("B", (3, 4))
    program = ef.program(ef.kernel("twice", first["ij"] <= 2 * second["ij"]))
    data = shown(ef.compile(program)["twice"].inspect().html)
    assert any("kernel twice" in line["t"] for line in data["roots"][0]["lines"])
    assert any(line.get("s") for line in levels(data)["cl"])


def test_a_graph_of_a_front_end_has_no_text() -> None:
    builder = ir.GraphBuilder("half", ir.ElementType.F64)
    for name in "AB":
        builder.tensor(name, (4,))
    builder.assign("A", "i", builder.read("B", "i"))
    data = shown(ef.compile(builder.graph())["half"].inspect().html)
    assert data["roots"] == []
    assert levels(data)["cl"]


@pytest.fixture
def dumped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The OpenCL C of a kernel in whose third last line a number was changed."""
    monkeypatch.chdir(tmp_path)
    Path("two.ein").write_text(TEXT, encoding="utf-8")
    assert main(["compile", "two.ein", "--dump-to", "levels", "--kernel", "first"]) == 0
    file = Path("levels/first.cl")
    file.write_text(file.read_text(encoding="utf-8").replace("2.5 *", "3.5 *"), encoding="utf-8")
    return file


def test_edited_opencl_stands_in_its_place(dumped: Path) -> None:
    assert main(["inspect", str(dumped), "-o", "page.html"]) == 0
    data = shown(Path("page.html").read_text(encoding="utf-8"))
    edited = [line for line in levels(data)["cl"] if "3.5 *" in line["t"]]
    assert edited
    assert all(line["s"] and line["o"] for line in edited)
    assert [each["name"] for each in data["kernels"][0]["passes"]][-2:] == ["generated", "edited"]
    assert any(line.startswith("+") and "3.5 *" in line for line in data["kernels"][0]["passes"][-1]["lines"])


def test_edited_opencl_in_python(dumped: Path) -> None:
    kernel = ef.compile(ef.parse("two.ein"))["first"]
    page = kernel.with_opencl(kernel.opencl.replace("2.5 *", "3.5 *")).inspect()
    assert any("3.5 *" in line["t"] for line in levels(shown(page.html))["cl"])


def test_a_head_that_does_not_fit_is_shown_as_a_mistake(dumped: Path) -> None:
    dumped.write_text(dumped.read_text(encoding="utf-8").replace("void first(", "void other("), encoding="utf-8")
    assert main(["inspect", str(dumped), "-o", "page.html"]) == 1
    assert [each["code"] for each in shown(Path("page.html").read_text(encoding="utf-8"))["errors"]] == ["E0498"]


def test_the_kernels_of_a_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    script = str(EXAMPLES / "yateto" / "seismic.py")
    assert main(["yateto", "--inspect", "page.html", "--kernel", "output::sum", script]) == 0
    data = shown(Path("page.html").read_text(encoding="utf-8"))
    assert [each["name"] for each in data["kernels"]] == ["output_sum"]
    assert any(line.get("s") for line in levels(data)["cl"])


def test_options_behind_a_script_are_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["yateto", str(EXAMPLES / "yateto" / "seismic.py"), "--inspect", "page.html"]) == 1
    assert "options of ours stand in front of SCRIPT" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("linalg/volume.mlir", "linalg"),
        ("tpp/perceptron.tpp", "tensor processing primitives"),
        ("minimal.ein", "notation"),
    ],
)
def test_texts_that_people_write_have_names(
    file: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["inspect", str(EXAMPLES / file), "-o", "page.html"]) == 0
    data = shown(Path("page.html").read_text(encoding="utf-8"))
    (root,) = data["roots"]
    assert data["names"][root["level"]] == name
    assert root["level"] in data["sources"]
    assert any(line.get("k") for line in root["lines"])
