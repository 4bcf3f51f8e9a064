"""A command line that cannot be meant: exit code 2, one line that says why, one that says where the options are."""

import shlex
from importlib.metadata import version
from pathlib import Path

import pytest

from einsum_front.cli import COMMANDS, _parser, main
from einsum_front.commands.examples import EXAMPLES, START

STRING = ("--einsum", "bik,kj->bij", "--shape", "4,5,3", "--shape", "3,6")

WRONG = {
    (): "the following arguments are required: COMMAND",
    ("compile",): "FILE or --einsum is needed, and not both",
    ("compile", "wave.ein", "--einsum", "i"): "FILE or --einsum is needed, and not both",
    ("run", "wave"): "the level of `wave` is not known: did you mean `wave.ein`?",
    ("compile", "wave.txt"): "the level of `wave.txt` is not known: name it with --from ein|tc|mlir|tpp|yir|tl",
    ("compile", "volume.cl"): (
        "`volume.cl` is OpenCL C, which `run` takes for the kernel of another text: --opencl; "
        "the levels that are read are .ein, .tc, .mlir, .tpp, .yir, .tl, .ir"
    ),
    (
        "compile",
        "a.plan",
    ): "`a.plan` is a plan, which is printed only; the levels that are read are .ein, .tc, .mlir, .tpp, .yir, .tl, .ir",
    ("check", "-"): "the level of `-` is not known: name it with --from ein|tc|mlir|tpp|yir|tl",
    ("compile", "--einsum", "i"): "--einsum needs the shape of every operand: --shape 56,56 --shape 56,9",
    ("compile", *STRING, "--from", "tl"): "--from is the level of FILE, and --einsum stands for it",
    ("compile", "--einsum", "ij", "--shape", "3,x"): "--shape takes sizes with commas between, not `3,x`",
    ("compile", "--einsum", "ij", "--shape", "3x4"): "--shape takes sizes with commas between, not `3x4`: write `3,4`",
    ("compile", "--einsum", "ij", "--shape=-1,3"): "--shape takes sizes with commas between, not `-1,3`",
    ("run", "--einsum", "ij,jk-", "--shape", "3,4"): (
        "a shell takes `>` for itself: put the index string in quotes, --einsum 'ik,kj->ij'"
    ),
    ("compile", "wave.ein", "--shape", "3"): "--shape is for --einsum: a file says the shapes of its tensors",
    ("compile", "f.tl", "-D", "B=3"): (
        "-D is for the notation: a text at the level `tl` has its numbers and types. "
        "Sizes after `?` are given to `run`: --args n=8"
    ),
    (
        "run",
        "f.yir",
        "--real",
        "f32",
    ): "--real is for the notation: a text at the level `yir` has its numbers and types",
    ("compile", "wave.ein", "-D", "B"): "-D takes NAME=VALUE, not `B`",
    ("run", "wave.ein", "--batch", "x"): "argument --batch: `x` is no number from 0 on",
    ("run", "wave.ein", "--batch", "1.5"): "argument --batch: `1.5` is no number from 0 on",
    ("run", "wave.ein", "--seed", "9" * 5000): "argument --seed: a number has at most 100 digits, not 5000",
    (
        "compile",
        "--einsum",
        "ij",
        "--shape",
        "9" * 5000,
    ): f"--shape takes sizes with commas between, not `{'9' * 5000}`",
    ("run", "wave.ein", "--seed", "-1"): "argument --seed: `-1` is no number from 0 on",
    ("run", "wave.ein", "--repeat", "0"): "argument --repeat: `0` is no number from 1 on",
    ("run", "wave.ein", "--schedule", "batch_simd", "--tune"): "argument --tune: not allowed with argument --schedule",
    ("run", *STRING, "--batch", "7"): "--batch is 7, but the batch of this index string is its first index, of size 4",
    ("run", "wave.ein", "--bach", "7"): "there is no option `--bach`: did you mean `--batch`?",
    ("run", "wave.ein", "--elements=7"): "there is no option `--elements`",
    ("run", "wave.ein", "--bogus"): "there is no option `--bogus`",
    ("compile", "wave.ein", "--batch", "7"): "`--batch` is an option of `run`",
    (
        "check",
        "wave.ein",
        "--schedule",
        "batch_simd",
    ): "`--schedule` is an option of `compile`, `inspect`, `run` and `package`",
    ("run", *STRING[:-2], "--shape", "20,9", "9,30", "30,5"): "`30,5` is one word too many: `--shape 30,5`",
    ("check", "wave.ein", "flux.ein"): "`flux.ein` is one word too many",
    ("compile", "wave.ein", "-o", "./wave.ein"): "-o is `wave.ein`, the file that is read: name another one",
    ("inspect", "wave.ein", "-o", "wave.ein"): "-o is `wave.ein`, the file that is read: name another one",
    ("run", "wave.ein", "--save", "r.npz"): (
        "--save has room for one array of a name; both `scale_2` and `scale_3` write `I`: choose one with --kernel"
    ),
}


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out == f"einsum-front {version('einsum-front')}\n"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["wave.ein"], "there is no command `wave.ein`: did you mean `einsum-front run wave.ein`?"),
        (["explian", "wave.ein"], "there is no command `explian`: did you mean `explain`?"),
        (["xyz"], "there is no command `xyz`"),
    ],
)
def test_no_command(command: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(command)
    assert stopped.value.code == 2
    error = f"einsum-front: error: {said}\n`einsum-front --help` lists the commands\n"
    assert capsys.readouterr().err == error


@pytest.mark.parametrize("command", WRONG, ids=" ".join)
def test_wrong_usage(command: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "wave.txt").touch()
    with pytest.raises(SystemExit) as stopped:
        main(command)
    assert stopped.value.code == 2
    name = " ".join(("einsum-front", *command[:1]))
    lists = "lists the options" if command else "lists the commands"
    assert capsys.readouterr().err == f"{name}: error: {WRONG[command]}\n`{name} --help` {lists}\n"


@pytest.mark.parametrize(
    "words",
    [
        ["check", "--einsum", "ij->ji", "--shape", f"3,{'9' * 5000}"],
        ["compile", "wave.ein", "--max-temp", "9" * 5000],
        ["run", "wave.ein", "--batch", "9" * 5000],
        ["run", "wave.ein", "--repeat", "9" * 5000],
        ["run", "wave.ein", "--device", "9" * 5000],
        ["run", "wave.ein", "--args", f"Q={'9' * 5000}x3"],
        ["check", "wave.ein", "-D", f"B={'9' * 5000}"],
        ["check", "wave.ein", "-D", f"B={'9' * 4000}"],
        ["check", "wave.ein", "-D", f"B={2**63}"],
    ],
    ids=lambda words: " ".join(word[:12] for word in words),
)
def test_numbers_of_thousands_of_digits_are_mistakes(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = main(words)
    except SystemExit as end:
        code = int(end.code or 0)
    assert code in (1, 2, 3)
    assert "error" in capsys.readouterr().err


def test_help_has_command_lines_to_start_with(capsys: pytest.CaptureFixture[str]) -> None:
    parser, _ = _parser(COMMANDS)
    assert [parser.parse_known_args(shlex.split(line))[1] for line, _ in START] == [[]] * len(START)
    with pytest.raises(SystemExit):
        main(["--help"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[4] == "examples:"
    assert lines[5].startswith("  einsum-front run --einsum ")


@pytest.mark.parametrize("command", EXAMPLES)
def test_examples_of_help_are_command_lines(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """They stand above the options, and have none that there is not."""
    parser, parsers = _parser(COMMANDS)
    assert set(EXAMPLES) == {each.prog.split()[-1] for each in parsers}
    for line, words in EXAMPLES[command]:
        assert words
        _, unknown = parser.parse_known_args([command, *shlex.split(line.partition(" >")[0])])
        assert unknown == []
    with pytest.raises(SystemExit):
        main([command, "--help"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [lines[0], "", "examples:"]
    assert lines[0].startswith(f"usage: einsum-front {command} [OPTIONS]")
