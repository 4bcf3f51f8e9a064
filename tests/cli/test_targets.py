"""`compile --target`: code for machines that are not here."""

from pathlib import Path

import pytest

from einsum_front.cli import main
from einsum_front.driver.offline import TARGETS

STRING = ("compile", "--einsum", "bik,kj->bij", "--shape", "8,9,9", "--shape", "9,9")
LARGE = ("compile", "--einsum", "ik,kj->ij", "--shape", "32,32", "--shape", "32,32")
WANTED = (
    "nvidia-sm90 nvidia-sm80 amd-gfx90a amd-gfx942 intel-pvc x86-avx2 x86-avx512 aarch64-neon generic"  # as promised
)


@pytest.mark.parametrize("name", WANTED.split())
def test_every_target_makes_code(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*STRING, "--target", name, "--emit", "schedule"]) == 0
    shown = capsys.readouterr().out
    assert f"machine: {TARGETS[name].machine.name}" in shown
    assert main([*STRING, "--target", name]) == 0
    assert "void einsum(" in capsys.readouterr().out


def test_targets_differ_in_vectors(capsys: pytest.CaptureFixture[str]) -> None:
    for name, vector in (("x86-avx2", "double4"), ("x86-avx512", "double8"), ("aarch64-neon", "double2")):
        assert main([*LARGE, "--target", name]) == 0
        assert vector in capsys.readouterr().out


def test_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["targets"]) == 0
    shown = capsys.readouterr().out
    assert all(f"{name}: " in shown for name in WANTED.split())


def test_a_file_describes_a_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "node.toml"
    path.write_text('like = "x86-avx2"\nname = "our node"\nvector_bytes = 64\nvector_registers = 32\n')
    assert main([*LARGE, "--target", str(path)]) == 0
    assert "double8" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("vector_bytes = 64", "`like` is None, expected the name of a target"),
        ('like = "x86-avx2"\nvector_bytes = 24', "`vector_bytes` is 24, expected 8, 16, 32 or 64"),
        ('like = "x86-avx2"\nlocal_memory = -1', "`local_memory` is -1, expected an integer from 1024 on"),
        ('like = "x86-avx2"\nhas_fp64 = 1', "`has_fp64` is 1, expected true or false"),
        ('like = "x86-avx2"\nlanes = 4', "a target has no `lanes`"),
        ("like", "describes no target"),
    ],
)
def test_a_file_that_describes_none(text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "node.toml"
    path.write_text(text)
    assert main([*STRING, "--target", str(path)]) == 1
    shown = capsys.readouterr().err
    assert "error[E0168]" in shown
    assert said in shown


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "error[E0105]: cannot read `node.toml`: no such file or directory\n"),
        (b'like = "\xe9"\n', "error[E0106]: `node.toml` is not text in UTF-8: byte 0xe9 in line 1\n"),
    ],
)
def test_a_file_is_read_as_others_are(
    content: bytes | None,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    if content is not None:
        Path("node.toml").write_bytes(content)
    assert main([*STRING, "--target", "node.toml"]) == 1
    assert capsys.readouterr().err == said
    Path("node.toml").write_bytes(b'\xef\xbb\xbflike = "x86-avx2"\r\n')
    assert main([*STRING, "--target", "node.toml"]) == 0


def test_an_unknown_target(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*STRING, "--target", "nvidia-sm_90"]) == 1
    assert "`nvidia-sm90` is one" in capsys.readouterr().err


def test_a_device_that_is_not_here(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*STRING, "--device", "intel-pvc"]) != 0
    assert "`--target intel-pvc`" in capsys.readouterr().err


@pytest.mark.parametrize("other", [("--device", "0"), ("--tune",), ("--arch", "sm_90")])
def test_a_target_is_alone(other: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*STRING, "--target", "generic", *other])
    assert ended.value.code == 2
    assert "--target" in capsys.readouterr().err
