"""What notebooks and shells show of values."""

import html.parser
import pickle

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.cell_magic import run_cell
from einsum_front.core.diagnostics import CompileError
from einsum_front.options import Level

TEXT = """
tensor K[4,4] constant
tensor I[4,3]
tensor A[3,3]
tensor Q[4,3]
kernel step { Q[k,p] += K[k,l] * I[l,q] * A[q,p] }
"""


class Balance(html.parser.HTMLParser):
    """Tags that are open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def assert_is_page(page: str) -> None:
    balance = Balance()
    balance.feed(page)
    assert balance.open == []
    assert "<script" not in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_levels_are_strings_with_pages() -> None:
    kernel = ef.compile(ef.parse(TEXT))["step"]
    for text in (kernel.graph, kernel.plan, kernel.yateto, kernel.tensor_language, kernel.schedule, kernel.opencl):
        assert text is not None
        assert_is_page(text._repr_html_())
        assert str(text) == f"{text}"
        assert type(pickle.loads(pickle.dumps(text))) is str


def test_a_plan_in_a_shell_and_in_a_notebook() -> None:
    plan = ef.compile(ef.parse(TEXT))["step"].plan
    assert repr(plan) == f"<plan of step: {len(str(plan).splitlines())} lines, 156 operations>"
    assert plan is not None
    page = plan._repr_html_()
    assert "<svg" in page
    assert "Q[k, p] := Q[k, p] + " in page


def test_pages_of_kernels_and_programs() -> None:
    program = ef.parse(TEXT)
    compiled = ef.compile(program)
    assert_is_page(program._repr_html_())
    assert_is_page(compiled._repr_html_())
    page = compiled["step"]._repr_html_()
    assert_is_page(page)
    assert "<summary>OpenCL C</summary>" in page


def test_names_of_a_text_are_escaped() -> None:
    program = ef.parse("# <script>alert(1)</script>\n" + TEXT)
    assert "<script" not in program._repr_html_()


def test_mistakes_have_no_traceback_in_a_notebook() -> None:
    with pytest.raises(CompileError) as error:
        ef.compile(ef.parse(TEXT.replace("A[q,p]", "A[q,r]")))
    assert error.value._render_traceback_()[0].startswith("error[E02")


class FakeShell:
    """As much of IPython as a cell needs."""

    def __init__(self) -> None:
        self.user_ns: dict[str, object] = {}

    def register_magic_function(self, func: object, magic_kind: str, magic_name: str) -> None:
        self.user_ns[f"%%{magic_name} {magic_kind}"] = func


def test_a_cell_gets_a_name_and_params() -> None:
    shell = FakeShell()
    made = run_cell(shell, "waves -D N=5 --real f32", "param N = 2\ntensor A[N]\nkernel f { A[i] = 2 * A[i] }")
    assert shell.user_ns == {"waves": made}
    assert made is not None
    assert "f32 5 batched" in str(made["f"].graph)


def test_lines_of_mistakes_are_those_of_the_cell(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_cell(FakeShell(), "", "tensor A[3]\nkernel f { A[i] = B[i] }") is None
    assert " --> <cell>:3:19\n" in capsys.readouterr().err


@pytest.mark.parametrize("line", ["a b", "-D N", "--real f16"])
def test_a_line_that_cannot_be_read(line: str) -> None:
    with pytest.raises(ValueError, match=r"^%%ein: "):
        run_cell(FakeShell(), line, TEXT)


def test_the_magic_is_loaded_by_the_package() -> None:
    shell = FakeShell()
    ef.load_ipython_extension(shell)
    assert list(shell.user_ns) == ["%%ein cell"]


def test_texts_of_programs_are_short_in_a_shell() -> None:
    program = ef.compile(ef.parse(TEXT))
    for text in (program.graph, program.plan, program.yateto, program.tensor_language, program.schedule):
        assert repr(text).endswith(f" of 1 kernel: {len(str(text).splitlines())} lines>")
        assert_is_page(text._repr_html_())
        assert type(pickle.loads(pickle.dumps(text))) is str
    assert program.plan == program.text(Level.PLAN)


def test_zero_patterns_are_pictures() -> None:
    mask = np.array([[True, False, True], [False, True, False]])
    left, right = ef.Tensor("A", (2, 3), nonzeros=mask), ef.Tensor("B", (3, 4))
    result = ef.Tensor("C", (2, 4))
    patterns = ef.compile(ef.program(ef.kernel("f", result["ij"] <= left["ik"] * right["kj"])))["f"].patterns
    assert patterns is not None
    assert list(patterns) == ["A"]
    assert np.array_equal(patterns["A"], mask)
    assert repr(patterns) == "<zero patterns of f: 1 value with zeros>"
    page = patterns._repr_html_()
    assert_is_page(page)
    assert page.count("h1v1h-1z") == 3
