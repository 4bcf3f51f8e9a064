"""What is written where the user says is there whole, or what was there before."""

import os
import resource
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree

import numpy as np
import pytest

from einsum_front.cli import main
from einsum_front.core.diagnostics import CompileError
from einsum_front.data import save_arguments
from einsum_front.files import replace_text, replacing, write_bytes, write_text


@contextmanager
def full_disk(room: int = 100) -> Iterator[None]:
    """No file can have more bytes, which a full disk says in other words."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize("write", [write_text, replace_text, lambda path, text: write_bytes(path, text.encode())])
def test_a_full_disk(write: object, is_there: bool, tmp_path: Path) -> None:
    assert callable(write)
    path = tmp_path / "out.cl"
    if is_there:
        path.write_text("before")
    with full_disk(), pytest.raises(CompileError, match=r"cannot write `.*out.cl`: file too large"):
        write(path, "x" * 1000)
    assert [each.read_text() for each in tmp_path.iterdir()] == ["before"] * is_there


def test_arrays_on_a_full_disk(tmp_path: Path) -> None:
    path = tmp_path / "saved.npz"
    save_arguments(path, {"A": np.ones(3)})
    with full_disk(), pytest.raises(CompileError, match="file too large"):
        save_arguments(path, {"A": np.ones(1000)})
    with np.load(path) as found:
        assert list(found["A"]) == [1, 1, 1]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "command",
    [
        "compile wave.ein -o out",
        "compile wave.ein --dump-to out",
        "inspect wave.ein -o out",
        "explain wave.ein --draw out.svg",
        "package wave.ein --target c -o out",
        "run wave.ein --batch 100 --save out.npz",
    ],
)
def test_commands_on_a_full_disk(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No file that a command writes is cut off."""
    monkeypatch.chdir(tmp_path)
    text = "tensor A[9,9]\ntensor B[9,9]\ntensor C[9,9]\nkernel wave { C[ij] = A[ik] * B[kj] }\n"
    Path("wave.ein").write_text(text)
    assert main(command.split()) == 0
    whole = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    for path in tmp_path.glob("out*"):
        rmtree(path) if path.is_dir() else path.unlink()
    capsys.readouterr()
    with full_disk():
        assert main(command.split()) != 0
    assert "cannot write" in capsys.readouterr().err
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or path.stat().st_size == len(whole[path])


def test_rights_stay(tmp_path: Path) -> None:
    new, old = tmp_path / "new", tmp_path / "old"
    mask = os.umask(0o027)
    try:
        write_text(new, "1")
    finally:
        os.umask(mask)
    old.touch()
    old.chmod(0o604)
    write_text(old, "2")
    assert [stat.S_IMODE(each.stat().st_mode) for each in (new, old)] == [0o640, 0o604]


def test_links_are_followed_and_devices_written(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    file, link = tmp_path / "folder" / "file", tmp_path / "link"
    link.symlink_to(file)
    write_text(link, "1")
    assert (link.is_symlink(), file.read_text()) == (True, "1")
    replace_text(link, "2")
    assert (link.is_symlink(), link.read_text(), file.read_text()) == (False, "2", "1")
    write_text(Path(os.devnull), "3")
    assert not Path(os.devnull).is_file()
    with pytest.raises(CompileError, match="is a directory"):
        write_text(tmp_path, "4")
    with pytest.raises(CompileError, match="no such file or directory"):
        write_text(tmp_path / "none" / "file", "5")


def test_an_interrupt(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_text(path, "before")

    def write() -> None:
        with replacing(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    assert [each.read_text() for each in tmp_path.iterdir()] == ["before"]
