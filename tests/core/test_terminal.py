"""Tables and signs of life: as wide as their texts in a file, as a terminal is where there is one."""

from io import StringIO

import pytest

from einsum_front.core.terminal import Table, bold, say, sign_of_life

TABLE = Table(
    ["step", ""], ["operations"], [["0", "A[i] := B[i] * C[i]", "7"], ["1", "D", "12345", "taken"], ["", "K*K\nL"]]
)


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(variable, raising=False)


def shown(line: str | Table, stream: StringIO) -> str:
    say(line, stream)
    return stream.getvalue()


def test_columns_of_a_file() -> None:
    assert shown(TABLE, StringIO()) == (
        "step                       operations\n"
        "0     A[i] := B[i] * C[i]           7\n"
        "1     D                         12345  taken\n"
        "      K*K\n"
        "      L\n"
    )


def test_texts_are_folded_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "36")
    monkeypatch.setenv("NO_COLOR", "1")
    assert shown(TABLE, Terminal()).splitlines()[1:3] == [
        "0     A[i] :=               7",
        "      B[i] * C[i]",
    ]


def test_letters_of_two_columns() -> None:
    table = Table(["名"], ["n"], [["波", "1"], ["ab", "2"], ["é", "3"]])
    assert shown(table, StringIO()) == "名  n\n波  1\nab  2\né   3\n"


def test_styles_are_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(bold("x"), StringIO()) == "x\n"
    assert shown(bold("x"), Terminal()) == "\x1b[1mx\x1b[0m\n"
    monkeypatch.setenv("NO_COLOR", "1")
    assert shown(bold("x"), Terminal()) == "x\n"


def test_a_sign_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, expected in ((Terminal(), "\r\x1b[2Kone\r\x1b[2Ktwo\r\x1b[2K"), (StringIO(), "")):
        monkeypatch.setattr("sys.stderr", stream)
        with sign_of_life("one") as sign:
            sign.show("two")
        assert stream.getvalue() == expected
