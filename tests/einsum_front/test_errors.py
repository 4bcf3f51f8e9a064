"""What a user of the notation is told.

A file of `tests/errors/ein` is a text; the comments from the first `# error[` on are what the checker says, whole.
`<functions>` stands for the names of all functions there.
"""

import re
from pathlib import Path

import numpy as np
import pytest

from einsum_front.core.diagnostics import CompileError, Source, render_all
from einsum_front.core.diagnostics.codes import TITLES
from einsum_front.notation.check import check
from einsum_front.notation.check.functions import COMPONENTS, FUNCTIONS
from einsum_front.notation.parse import parse, parse_file

FILES = sorted((Path(__file__).parents[1] / "errors" / "ein").glob("*.ein"))
SHOWN_BELOW = {"E0105", "E0106", "E0218", "E0224"}
SHOWN_ELSEWHERE = {
    "E0107",
    "E0111",
    "E0112",
    "E0113",
    "E0114",
    "E0116",
    "E0160",
    "E0161",
    "E0162",
    "E0165",
    "E0166",
    "E0167",
    "E0168",
    "E0169",
    "E0180",
    "E0181",
    "E0221",
    "E0227",
    "E0229",
    "E0230",
    "E0233",
    "E0234",
}


def words_of(text: str, directory: Path = Path(), **defines: str | int) -> str:
    with pytest.raises(CompileError) as error:
        check(parse(Source("t.ein", text)), defines, directory)
    return render_all(error.value.diagnostics)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_says_what_is_wrong(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    text, mark, words = path.read_text(encoding="utf-8").partition("\n# error[")
    expected = re.sub("^# ?", "", mark.strip("\n") + words, flags=re.MULTILINE)
    with pytest.raises(CompileError) as error:
        check(parse(Source(path.name, text)))
    functions = ", ".join(f"`{name}`" for name in (*FUNCTIONS, *COMPONENTS))
    assert render_all(error.value.diagnostics) == expected.rstrip("\n").replace("<functions>", functions)


def test_every_code_of_the_notation_is_shown() -> None:
    shown = {code for path in FILES for code in re.findall(r"# error\[(E\d+)\]", path.read_text(encoding="utf-8"))}
    known = {code for code in TITLES if (code < "E0300" or code == "E0303") and not code.startswith(("E015", "E017"))}
    assert shown | SHOWN_BELOW | SHOWN_ELSEWHERE == known


# -- files that cannot be read -----------------------------------------------------------------------------------------


def words_of_file(path: Path) -> str:
    with pytest.raises(CompileError) as error:
        parse_file(path)
    return render_all(error.value.diagnostics)


def test_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "no.ein"
    assert words_of_file(path) == f"error[E0105]: cannot read `{path}`: no such file or directory"


def test_directory(tmp_path: Path) -> None:
    assert words_of_file(tmp_path) == f"error[E0105]: cannot read `{tmp_path}`: is a directory"


def test_file_that_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "binary.ein"
    path.write_bytes(b"tensor \xff")
    assert words_of_file(path) == f"error[E0106]: `{path}` is not text in UTF-8: byte 0xff in line 1"


def test_empty_text() -> None:
    assert words_of("") == (
        "error[E0101]: expected a declaration or a kernel, found nothing\n --> t.ein:1:1\n  |\n1 | \n  | ^ no program"
    )


# -- definitions on the command line -----------------------------------------------------------------------------------


def test_definition_of_no_param() -> None:
    assert words_of("param O = 3\nparam B = O", P=3) == (
        "error[E0224]: `-D P=3` overrides no param\n  = note: the params of this text are `O`, `B`"
    )
    assert words_of("scalar dt", dt=3) == (
        "error[E0224]: `-D dt=3` overrides no param\n  = note: this text has no `param`"
    )


def test_definition_out_of_the_limits_of_a_size() -> None:
    assert words_of("size n >= 2 <= 64\ntensor A[n]\nkernel f { A[i] = 0 }", n=65) == (
        "error[E0224]: `-D n=65` gives a size that is at most 64\n"
        " --> t.ein:1:6\n"
        "  |\n"
        "1 | size n >= 2 <= 64\n"
        "  |      ^ declared here"
    )
    assert "gives a size that is at least 2" in words_of("size n >= 2\ntensor A[n]\nkernel f { A[i] = 0 }", n=1)
    assert "= note: its sizes are `n`" in words_of("size n\ntensor A[n]\nkernel f { A[i] = 0 }", m=1)


@pytest.mark.parametrize("value", ["x", "1/2", "2.0", "", 2.5, float("nan"), float("inf"), None])
def test_definition_that_is_no_integer(value: str | int) -> None:
    assert words_of("param O = 3", O=value) == f"error[E0224]: `-D O={value}` gives `O` no integer"


# -- what is said about entries ----------------------------------------------------------------------------------------


def test_pattern_file_is_missing(tmp_path: Path) -> None:
    assert words_of('tensor A[3] nonzeros "a.npy"', tmp_path) == (
        "error[E0218]: cannot read `a.npy`: no such file or directory\n"
        " --> t.ein:1:13\n"
        "  |\n"
        '1 | tensor A[3] nonzeros "a.npy"\n'
        f"  |             ^^^^^^^^^^^^^^^^ looked for `{tmp_path / 'a.npy'}`"
    )


def test_pattern_file_of_another_kind(tmp_path: Path) -> None:
    (tmp_path / "a.npy").write_text("0 1 1")
    assert "  = note: other files, text and XML too, become one by Python: `numpy.savez(" in words_of(
        'tensor A[2] nonzeros "a.npy" kernel k { A[i] = 0 }', directory=tmp_path
    )
    assert "cannot read `a.npy`: it is neither a .npy nor a .npz file of numbers" in words_of(
        'tensor A[3] nonzeros "a.npy"', tmp_path
    )
    np.save(tmp_path / "b.npy", np.array(["x", "y", "z"]))
    assert words_of('tensor A[3] nonzeros "b.npy"', tmp_path).startswith(
        "error[E0218]: cannot read `b.npy`: it holds no numbers: its type is `<U1`\n"
    )


def test_pattern_of_another_shape(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.eye(3))
    assert words_of('tensor A[3, 4] nonzeros "a.npy"', tmp_path).startswith(
        "error[E0218]: `a.npy` has shape (3, 3) for `A`, which is declared with shape (3, 4)\n --> t.ein:1:16\n"
    )


def test_entry_for_a_member_is_missing(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", A_0=np.eye(3), A_2=np.eye(3))
    assert words_of('tensor A{3}[3, 3] nonzeros "a.npz"', tmp_path) == (
        "error[E0218]: `a.npz` has no entry `A_1`\n"
        " --> t.ein:1:19\n"
        "  |\n"
        '1 | tensor A{3}[3, 3] nonzeros "a.npz"\n'
        "  |                   ^^^^^^^^^^^^^^^^\n"
        "  |\n"
        "  = note: its entries are `A_0`, `A_2`"
    )


def test_values_that_are_not_finite(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([1, np.inf]))
    assert words_of('tensor A[2] values "a.npy"', tmp_path).startswith(
        "error[E0218]: the values of `A` are not all finite in f64\n"
    )
    np.save(tmp_path / "b.npy", np.array([1, 1e39]))
    assert words_of('real f32\ntensor A[2] values "b.npy"', tmp_path).startswith(
        "error[E0218]: the values of `A` are not all finite in f32\n"
    )


def test_name_in_a_path_that_is_no_param() -> None:
    assert words_of('tensor A[2] nonzeros "order{O}.npy"').startswith("error[E0218]: `{O}` in this path is no param\n")


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "marked.ein"
    path.write_bytes(b"\xef\xbb\xbfparam O = 3\r\n")
    assert parse_file(path) == parse(Source("same", "param O = 3"))
