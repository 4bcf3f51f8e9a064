"""What drivers keep on disk may be full, damaged or somebody's choice: it ends at most the process that finds out."""

import errno
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from einsum_front.runtime.caches import folders
from tests.runtime.kernels import DEVICE

ROOT = Path(__file__).parents[2]

KEEPS = pytest.mark.skipif(
    not DEVICE.facts.driver.keeps_kernels, reason="the driver keeps no kernels in a folder of ours"
)


def started(
    caches: Path, *arguments: str, limit: int | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """The command with caches of its own; no file may have more bytes than the limit."""
    inherited = {name: value for name, value in os.environ.items() if name not in (folders.POCL, folders.PYOPENCL)}
    shown = {**inherited, "XDG_CACHE_HOME": str(caches), **environment}
    command = [sys.executable, "-m", "einsum_front", *(arguments or ("run", "examples/minimal.ein"))]
    if limit is not None:
        command = ["prlimit", f"--fsize={limit}", *command]
    return subprocess.run(command, cwd=ROOT, env=shown, capture_output=True, text=True, timeout=300, check=False)


def cut(path: Path) -> None:
    os.truncate(path, 100)


def scribble(path: Path) -> None:
    path.write_bytes(b"\x5a" * path.stat().st_size)


@KEEPS
@pytest.mark.parametrize("damage", [pytest.param(cut, marks=pytest.mark.slow), scribble])
def test_damaged_kernels_end_one_process_at_most(damage: Callable[[Path], None], tmp_path: Path) -> None:
    """A broken library ends it, and the next process takes another folder and says so; the third one says nothing."""
    ours = tmp_path / "einsum-front" / "pocl"
    first = started(tmp_path)
    assert (first.returncode, first.stderr) == (0, "")
    assert sorted(path.name for path in ours.iterdir()) == ["0", "0.lock"]
    for library in (ours / "0").rglob("*.so"):
        damage(library)
    assert started(tmp_path).returncode < 0
    healed = started(tmp_path)
    assert healed.returncode == 0
    assert healed.stderr == (
        f"warning: what PoCL keeps in `{ours / '0'}` may be damaged, since a process ended while it was used: "
        "kernels are compiled again\n"
    )
    assert started(tmp_path).stderr == ""
    assert sorted(path.name for path in ours.iterdir()) == ["1", "1.lock"]


@KEEPS
def test_all_caches_cut_in_half(tmp_path: Path) -> None:
    """Those of PoCL and pyopencl at once, as a lost machine leaves them: no process ends with what Python prints."""
    assert started(tmp_path).returncode == 0
    for path in (path for path in tmp_path.rglob("*") if path.is_file()):
        os.truncate(path, path.stat().st_size // 2)
    first, second = started(tmp_path), started(tmp_path)
    assert "Traceback" not in first.stderr + second.stderr
    assert second.returncode == 0
    assert "the caches of pyopencl are damaged" in second.stderr


@KEEPS
def test_damaged_programs_are_built_again(tmp_path: Path) -> None:
    """In the same process: the driver finds no kernel in them. PoCL 3.0 aborts when it is unloaded, after the work."""
    ours = tmp_path / "einsum-front" / "pocl"
    assert started(tmp_path).returncode == 0
    for program in (ours / "0").rglob("program.bc"):
        cut(program)
    survived = started(tmp_path)
    assert survived.stdout.startswith("minimal: 1 element (")
    words = f"warning: what PoCL keeps in `{ours / '0'}` is damaged, and later processes use another folder"
    assert survived.stderr.splitlines()[0] == words
    healed = started(tmp_path)
    assert healed.returncode == 0
    assert healed.stderr.startswith(f"warning: what PoCL keeps in `{ours / '0'}` may be damaged")
    assert started(tmp_path).stderr == ""


@pytest.mark.parametrize(
    "damage", [pytest.param(cut, marks=pytest.mark.slow), scribble, lambda path: (path.unlink(), path.mkdir())]
)
def test_damaged_caches_of_pyopencl_are_not_used(damage: Callable[[Path], None], tmp_path: Path) -> None:
    assert started(tmp_path).returncode == 0
    (kept,) = (tmp_path / "pytools").glob("pdict-*pyopencl*")
    damage(kept)
    survived = started(tmp_path)
    assert survived.returncode == 0
    assert survived.stderr.startswith(
        "warning: the caches of pyopencl are damaged, and this process does without them ("
    )
    cleared = started(tmp_path, "cache", "--clear", "--drivers")
    assert (cleared.returncode, cleared.stderr) == (0, "")
    assert f"{kept}: removed" in cleared.stdout
    assert not kept.exists()
    assert started(tmp_path).stderr == ""


@KEEPS
@pytest.mark.skipif(sys.platform != "linux", reason="prlimit is a command of Linux")
def test_without_room_anywhere_nothing_is_compiled(tmp_path: Path) -> None:
    """The limit holds for all folders; LLVM would abort."""
    ended = started(tmp_path, limit=folders.ROOM // 2)
    assert ended.returncode == 3
    assert "error[E0612]: cannot write `" in ended.stderr
    assert "`: file too large\n" in ended.stderr
    assert ended.stderr.endswith(
        "  = note: PoCL keeps kernels there; the environment variable POCL_CACHE_DIR names another folder\n"
    )


@KEEPS
def test_a_folder_that_the_user_chose_is_left_alone(tmp_path: Path) -> None:
    """It is told which one to delete."""
    chosen = tmp_path / "chosen"
    caches = tmp_path / "caches"
    assert started(caches, POCL_CACHE_DIR=str(chosen)).returncode == 0
    libraries = list(chosen.rglob("*.so"))
    for library in libraries:
        cut(library)
    assert started(caches, POCL_CACHE_DIR=str(chosen)).returncode < 0
    told = started(caches, POCL_CACHE_DIR=str(chosen))
    assert told.returncode < 0
    assert f"warning: what PoCL keeps in `{chosen}` may be damaged" in told.stderr
    assert "if this process ends like that, too, delete that folder\n" in told.stderr
    assert all(library.exists() for library in libraries)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Caches of the test, and the folder of PoCL below them."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(folders, "_folder", None)
    for variable in (folders.POCL, folders.PYOPENCL):
        monkeypatch.setenv(variable, "")
        monkeypatch.delenv(variable)
    return tmp_path / "einsum-front" / "pocl"


def test_without_room_kernels_are_kept_elsewhere(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reason_against, caches = folders.reason_against, own.parents[1]
    full = OSError(errno.ENOSPC, "no space left on device")
    monkeypatch.setattr(folders, "reason_against", lambda path: full if path == caches else reason_against(path))
    folders.avoid_caches()
    assert Path(os.environ[folders.POCL]).name.startswith("einsum-front-")
    assert os.environ[folders.PYOPENCL] == "1"
    with pytest.warns(RuntimeWarning, match=f"^there is no room for 4 MB in `{own}`: kernels are kept until this"):
        folders.Work().close()
    folders.Work().close()  # told once


def test_room_is_what_files_may_have(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    assert folders.reason_against(tmp_path) is None
    resource.setrlimit(resource.RLIMIT_FSIZE, (folders.ROOM - 1, before[1]))
    try:
        reason = folders.reason_against(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert reason is not None
    assert reason.errno == errno.EFBIG
    assert list(tmp_path.iterdir()) == []


def test_what_others_use_is_not_removed(own: Path) -> None:
    """Neither by the next number nor when all is removed."""
    folders.avoid_caches()
    assert os.environ[folders.POCL] == str(own / "0")
    used = folders._folder
    work = folders.Work()
    (own / "0.left.busy").touch()
    folders.avoid_caches()
    assert os.environ[folders.POCL] == str(own / "1")
    assert (own / "0").is_dir()
    assert folders.remove_caches() == ([own / "1"], [own / "0"])
    assert used is not None
    assert used.lock is not None
    os.close(used.lock)
    assert folders.remove_caches() == ([own / "0"], [])
    assert list(own.iterdir()) == []
    work.close()


def test_a_process_that_works_is_none_that_ended(own: Path) -> None:
    folders.avoid_caches()
    first, second = folders.Work(), folders.Work()
    first.close()
    first.close()
    assert len(list(own.glob("0.*.busy"))) == 1
    folders.avoid_caches()
    assert os.environ[folders.POCL] == str(own / "0")
    second.close()
