"""What runs in the process is taken from folders and files that nobody else can write; what was left is removed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from einsum_front.core import private_folders
from einsum_front.core.private_folders import (
    LEFT,
    OpenToOthersError,
    Workshop,
    make_private,
    make_private_and_known,
    remove_left,
)
from einsum_front.runtime.caches import folders
from einsum_front.runtime.caches.cache import Cache
from einsum_front.runtime.devices import c_compiler, registration

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="users and modes are those of POSIX")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of our caches, with a library in it."""
    place = tmp_path / "caches" / "einsum-front" / "c"
    make_private(place)
    library = place / "made" / "library.so"
    library.parent.mkdir()
    library.write_bytes(b"a library")
    library.chmod(0o775)  # as compilers leave it where the group may write
    c_compiler.keep(library, place, "key")
    library.parent.rmdir()
    return place


def given_to_another(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the system's user can give files away; for another one, this process is somebody else."""
    if os.geteuid() == 0:
        os.chown(path, 12345, -1)
    else:
        own = os.geteuid()
        monkeypatch.setattr(os, "geteuid", lambda: own + 1)


def test_what_is_ours_is_found(folder: Path) -> None:
    (path,) = c_compiler.kept(folder, "key")
    assert path.stat().st_mode & 0o777 == folder.stat().st_mode & 0o777 == 0o700
    assert make_private(folder) is False
    assert c_compiler.private(folder) == folder


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o666])
def test_a_library_that_others_can_write(mode: int, folder: Path) -> None:
    (path,) = folder.iterdir()
    path.chmod(mode)
    assert list(c_compiler.kept(folder, "key")) == []


def test_a_library_of_another(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given_to_another(next(folder.iterdir()), monkeypatch)
    assert list(c_compiler.kept(folder, "key")) == []


@pytest.mark.parametrize("mode", [0o770, 0o777])
def test_a_folder_that_others_can_write(mode: int, folder: Path) -> None:
    """What was in it is gone, and nobody else can write it from now on."""
    folder.chmod(mode)
    assert c_compiler.private(folder) == folder
    assert (list(folder.iterdir()), folder.stat().st_mode & 0o777) == ([], 0o700)


def test_a_folder_around_it_that_others_can_write(folder: Path) -> None:
    folder.parent.chmod(0o777)
    assert c_compiler.private(folder) == folder
    assert folder.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("which", ["c", "einsum-front"])
def test_a_folder_of_another(which: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given_to_another(folder if which == "c" else folder.parent, monkeypatch)
    with pytest.warns(RuntimeWarning, match="built for this process only: .*belongs to another user"):
        assert c_compiler.private(folder) is None
    with pytest.raises(OpenToOthersError):
        make_private_and_known(folder)


def test_a_file_system_without_rights(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.chmod(0o777)
    monkeypatch.setattr(Path, "chmod", lambda _path, _mode: None)
    with pytest.raises(OpenToOthersError, match="knows no rights"):
        make_private(folder)


def test_kernels_that_others_can_write_are_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their sources would be compiled and run."""
    cache = Cache(tmp_path / "einsum-front" / "kernels", is_private=True)
    assert cache.find("key") is None
    cache.keep("key", {"a": 1})
    assert cache.find("key") == {"a": 1}
    cache.path("key").chmod(0o666)
    assert cache.find("key") is None
    cache.keep("key", {"a": 2})
    assert cache.find("key") == {"a": 2}
    cache.folder.chmod(0o777)
    assert cache.find("key") is None
    cache.keep("other", {"a": 3})
    assert (cache.find("key"), cache.find("other")) == (None, {"a": 3})
    given_to_another(cache.path("other"), monkeypatch)
    assert cache.find("other") is None


def test_pocl_takes_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in the one before may be in use: it is left to those who use it."""
    base = tmp_path / "einsum-front" / "pocl"
    monkeypatch.setattr(folders, "base", lambda: base)
    first = folders._numbered()
    assert (first.path.name, first.notes) == ("0", [])
    base.chmod(0o777)
    second = folders._numbered()
    assert (second.path.name, base.stat().st_mode & 0o777) == ("1", 0o700)
    assert second.notes == [f"other users could write what PoCL keeps in `{base}`: kernels are compiled again"]
    given_to_another(base, monkeypatch)
    with pytest.raises(OpenToOthersError) as caught:
        folders._numbered()
    (note,) = folders._temporary(caught.value).notes
    assert note.startswith("PoCL keeps kernels until this process ends only: ")


@pytest.mark.parametrize("content", ["", "/usr/lib/li", "/somebody/elses.so\n"])
def test_files_for_the_loader_are_written_again(content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    of_system = tmp_path / "pocl.icd"
    of_system.touch()
    libraries = {"ours.icd": "/usr/lib/libours.so"}
    folder = registration._folder({"pocl.icd": of_system}, libraries)
    (folder / "ours.icd").write_text(content)
    (folder / "pocl.icd").unlink()
    assert registration._folder({"pocl.icd": of_system}, libraries) == folder
    assert (folder / "ours.icd").read_text() == "/usr/lib/libours.so\n"
    assert (folder / "pocl.icd").readlink() == of_system


# -- what processes leave ----------------------------------------------------------------------------------------------


def test_a_folder_to_build_in_is_removed(tmp_path: Path) -> None:
    workshop = Workshop(tmp_path, "new-")
    remove_left(tmp_path, "new-*")
    assert workshop.path.is_dir()
    workshop.close()
    assert not list(tmp_path.iterdir())


def test_what_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    script = """
import os, pathlib, sys
from einsum_front.core.private_folders import Workshop
(Workshop(pathlib.Path(sys.argv[1]), "new-").path / "library.so").touch()
os.kill(os.getpid(), 9)
"""
    assert subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False).returncode == -9
    (left,) = tmp_path.iterdir()
    ours = Workshop(tmp_path, "new-")
    remove_left(tmp_path, "new-*")
    assert (left.exists(), ours.path.exists()) == (False, True)
    ours.close()


def test_without_a_lock_age_decides(tmp_path: Path) -> None:
    """As for files that were cut off, and folders of earlier versions."""
    for name, age in ("old.new", LEFT + 60), ("young.new", 0):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (tmp_path.stat().st_mtime - age,) * 2)
    (tmp_path / "new-old").mkdir()
    os.utime(tmp_path / "new-old", (0, 0))
    remove_left(tmp_path, "*.new")
    remove_left(tmp_path, "new-*")
    assert [path.name for path in tmp_path.iterdir()] == ["young.new"]


def test_without_locks_age_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(private_folders, "_locked", lambda _file: None)
    workshop = Workshop(tmp_path, "new-")
    remove_left(tmp_path, "new-*")
    assert workshop.path.exists()
    os.utime(workshop.path, (0, 0))
    remove_left(tmp_path, "new-*")
    assert not workshop.path.exists()
    workshop.close()


def test_a_folder_that_was_taken_for_one_that_was_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([False, True])
    monkeypatch.setattr(private_folders, "_locked", lambda _file: next(answers))
    assert Workshop(tmp_path, "new-").path.is_dir()
    assert next(answers, None) is None
