"""The check of wildcards finds what it is for."""

import pytest

from tests.architecture.wildcards import main, refused

HEAD = "match x:\n    case {}:\n        return 1\n    case _:{}\n        {}\n"


def found(case: str, reason: str, body: str) -> list[int]:
    return [line for line, _ in refused(HEAD.format(case, reason, body), asks_nodes=False)]


@pytest.mark.parametrize(
    ("case", "reason", "body", "is_refused"),
    [
        ("Function.RELU", "", "return gelu(x)", True),
        ("tl.For()", "", "pass", True),
        ("tl.For(body=body)", "  # open: others have no body", "pass", True),
        ("Level.TL | Level.CL", "  # open: all the rest", "return None", True),
        ("'add'", "", "return None", True),
        ("'add'", "  # open:", "return None", True),
        ("'add'", "  # open: other words", "return None", False),
        ("tl.For(start=Constant(value=1))", "  # open: starts that are not known", "return None", False),
        ("(a, 1)", "  # open: nothing to fold", "return None", False),
        ("Function.ADD", "  # open: rows of the table", "return None", False),
        ("tl.For()", "", "raise CompilerBug(x)", False),
        ("tl.For()", "", "assert_never(x)", False),
        ("tl.For()", "", "y = 1\n        raise CompilerBug(x)", False),
    ],
)
def test_a_wildcard_raises_or_has_a_reason(case: str, reason: str, body: str, is_refused: bool) -> None:
    assert found(case, reason, body) == ([4] if is_refused else [])


def test_a_name_is_a_wildcard_too() -> None:
    assert list(
        refused("match x:\n    case A():\n        pass\n    case other:\n        y = other\n", asks_nodes=False)
    )


CHAIN = "def f(x):\n" + "    if isinstance(x, {}):\n        return {}\n" * 3 + "    {}\n"


@pytest.mark.parametrize(
    ("last", "is_refused"),
    [("return 4", True), ("raise CompilerBug(x)", False), ("return 4  # open: other numbers", False)],
)
def test_three_questions_are_a_match(last: str, is_refused: bool) -> None:
    text = CHAIN.format("A", 1, "B", 2, "C", 3, last)
    assert bool(list(refused(text, asks_nodes=True))) is is_refused
    other = text.replace("isinstance(x, C)", "isinstance(y, C)")
    assert not list(refused(other, asks_nodes=True))
    joined = "if isinstance(x, A):\n    a\nelif isinstance(x, B):\n    b\nelif isinstance(x, C):\n    c\nelse:\n    "
    assert bool(list(refused(f"{joined}{last.replace('return', 'd =')}\n", asks_nodes=True))) is is_refused


@pytest.mark.parametrize("call", ["hasattr(node, 'target')", "getattr(node, 'target', ())"])
def test_nodes_are_not_asked_for_what_they_may_lack(call: str) -> None:
    assert list(refused(call, asks_nodes=True))
    assert not list(refused(call, asks_nodes=False))


def test_the_product_keeps_the_rule(capfd: pytest.CaptureFixture[str]) -> None:
    assert main() == 0, capfd.readouterr().err
