"""Diagnostics as text, character by character."""

from textwrap import dedent

from einsum_front.core.diagnostics import CompileError, Diagnostic, Label, Source, Span, render, render_all

WAVE = Source(
    "wave.ein",
    dedent("""\
    tensor F[35, 9]
    tensor K[56, 56]
    tensor Q[56, 9]
    F[k,p] = K[k,l] * Q[l,p]
    """),
)


def span(source: Source, text: str, occurrence: int = 0) -> Span:
    """The place of a text in a source."""
    start = -1
    for _ in range(occurrence + 1):
        start = source.text.index(text, start + 1)
    return Span(source, start, start + len(text))


def expect(diagnostic: Diagnostic, text: str) -> None:
    assert render(diagnostic) == dedent(text).strip("\n")


def test_all_parts() -> None:
    labels = (
        Label(Span(WAVE, 60, 61), "56: mode 0 of `K`"),
        Label(Span(WAVE, 51, 52), "35: mode 0 of `F`"),
        Label(Span(WAVE, 7, 9), "`F` declared here"),
    )
    diagnostic = Diagnostic(
        "E0203",
        "index `k` has size 56 in `K` but 35 in `F`",
        labels,
        ("index `l` does not fit either: 35 in `K`, 56 in `Q`",),
        ("both fit if the modes of `K` are swapped: `F[k,p] = K[l,k] * Q[l,p]`",),
    )
    expect(
        diagnostic,
        """
        error[E0203]: index `k` has size 56 in `K` but 35 in `F`
         --> wave.ein:4:12
          |
        1 | tensor F[35, 9]
          |        -- `F` declared here
         ...
        4 | F[k,p] = K[k,l] * Q[l,p]
          |   -        ^ 56: mode 0 of `K`
          |   |
          |   35: mode 0 of `F`
          |
          = note: index `l` does not fit either: 35 in `K`, 56 in `Q`
          = help: both fit if the modes of `K` are swapped: `F[k,p] = K[l,k] * Q[l,p]`
        """,
    )


def test_an_error_without_a_place() -> None:
    diagnostic = Diagnostic("E0501", "argument `Q` is missing", (), ("it is declared in wave.ein",))
    expect(
        diagnostic,
        """
        error[E0501]: argument `Q` is missing
          = note: it is declared in wave.ein
        """,
    )


def test_only_a_place() -> None:
    expect(
        Diagnostic("E0401", "expected `func`, found `tensor`", (Label(span(WAVE, "tensor")),)),
        """
        error[E0401]: expected `func`, found `tensor`
         --> wave.ein:1:1
          |
        1 | tensor F[35, 9]
          | ^^^^^^
        """,
    )


def test_the_gutter_is_as_wide_as_the_largest_line_number() -> None:
    source = Source("long.tl", "a\n" * 99 + "b\n")
    labels = (Label(span(source, "b"), "here"), Label(Span(source, 16, 17), "there"))
    expect(
        Diagnostic("E0401", "b", labels),
        """
        error[E0401]: b
           --> long.tl:100:1
            |
          9 | a
            | - there
           ...
        100 | b
            | ^ here
        """,
    )


def test_a_place_of_several_lines_is_underlined_to_the_end_of_its_first() -> None:
    source = Source("t.tl", "for %i = 0, 4 {\n  barrier\n}\n")
    expect(
        Diagnostic("E0415", "a loop", (Label(Span(source, 0, 27), "all of this"),)),
        """
        error[E0415]: a loop
         --> t.tl:1:1
          |
        1 | for %i = 0, 4 {
          | ^^^^^^^^^^^^^^^ all of this
        """,
    )


def test_the_end_of_the_text_is_a_place() -> None:
    source = Source("t.tl", "func")
    expect(
        Diagnostic("E0401", "more expected", (Label(Span(source, 4, 4)),)),
        """
        error[E0401]: more expected
         --> t.tl:1:5
          |
        1 | func
          |     ^
        """,
    )


def test_three_labels_on_a_line() -> None:
    source = Source("t.tl", "a b c")
    labels = (Label(Span(source, 2, 3), "two"), Label(Span(source, 0, 1), "one"), Label(Span(source, 4, 5), "three"))
    expect(
        Diagnostic("E0401", "letters", labels),
        """
        error[E0401]: letters
         --> t.tl:1:3
          |
        1 | a b c
          | - ^ - three
          | | |
          | | two
          | one
        """,
    )


def test_labels_in_two_files() -> None:
    other = Source("other.ein", "tensor Q[56, 9]\n")
    labels = (Label(span(WAVE, "Q["), "defined again"), Label(span(other, "Q["), "first defined here"))
    expect(
        Diagnostic("E0201", "`Q` is defined twice", labels),
        """
        error[E0201]: `Q` is defined twice
         --> wave.ein:3:8
          |
        3 | tensor Q[56, 9]
          |        ^^ defined again
         ::: other.ein
          |
        1 | tensor Q[56, 9]
          |        -- first defined here
        """,
    )


def test_a_tab_is_one_column() -> None:
    source = Source("t.tl", "\tfunc")
    expect(
        Diagnostic("E0401", "a word", (Label(Span(source, 1, 5)),)),
        """
        error[E0401]: a word
         --> t.tl:1:2
          |
        1 |  func
          |  ^^^^
        """,
    )


def test_a_long_line_is_shown_around_its_places() -> None:
    text = " ".join(f"{number:03}" for number in range(1000))
    source = Source("long.ein", text)
    labels = (Label(span(source, "500"), "this one"), Label(span(source, "503"), "with this one"))
    lines = render(Diagnostic("E0401", "two numbers", labels)).splitlines()
    shown, carets = lines[3].removeprefix("1 | "), lines[4].removeprefix("  | ")
    assert lines[1] == " --> long.ein:1:2001"
    assert shown.startswith("…485 486 ")
    assert shown.endswith(" 534 …")
    assert shown[carets.index("^") :].startswith("500")
    assert shown[carets.index("-") :].startswith("503")
    assert carets.endswith("--- with this one")


def test_a_long_place_is_underlined_as_far_as_it_is_shown() -> None:
    source = Source("long.ein", "x" * 1000)
    lines = render(Diagnostic("E0401", "a word", (Label(Span(source, 0, 1000), "all of it"),))).splitlines()
    assert lines[3] == f"1 | {'x' * 200}…"
    assert lines[4] == f"  | {'^' * 201} all of it"
    end = render(Diagnostic("E0401", "the end", (Label(Span(source, 1000, 1000)),))).splitlines()
    assert end[3] == f"1 | …{'x' * 60}"
    assert end[4] == f"  | {' ' * 61}^"


def test_control_characters_are_shown_and_not_obeyed() -> None:
    source = Source("screen.ein", "tensor\x1b[2J A\0")
    label = Label(Span(source, 12, 13))
    expect(
        Diagnostic("E0103", "`\0` is no character of the notation", (label,)),
        """
        error[E0103]: `␀` is no character of the notation
         --> screen.ein:1:13
          |
        1 | tensor␛[2J A␀
          |             ^
        """,
    )


def test_several_diagnostics_stand_apart() -> None:
    found = (Diagnostic("E0401", "one"), Diagnostic("E0402", "two"))
    assert render_all(found) == "error[E0401]: one\n\nerror[E0402]: two"


def test_a_compile_error_says_what_it_holds() -> None:
    error = CompileError(iter([Diagnostic("E0401", "one"), Diagnostic("E0402", "two")]))
    assert str(error) == "error[E0401]: one\n\nerror[E0402]: two"
    assert [diagnostic.code for diagnostic in error.diagnostics] == ["E0401", "E0402"]
