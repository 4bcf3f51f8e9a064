"""A run that was interrupted goes on behind the last finished chunk, and gives the same bytes."""

import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from einsum_front.chunked.journal import Journal
from tests.chunked import interrupted as script
from tests.chunked.kernels import BATCH, Array, arguments, on_disk, program, words

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="files are locked in another way there")


def prepare(folder: Path) -> None:
    folder.mkdir()
    given = arguments()
    on_disk(folder / "I", given["I"] / 7)
    on_disk(folder / "Q", given["Q"] / 3)
    on_disk(folder / "R", np.zeros_like(given["Q"]))


def run(folder: Path, where: str, place: str = "none", chunk: int = 0) -> int:
    command = [sys.executable, "-m", "tests.chunked.interrupted", str(folder), where, place, str(chunk)]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def undisturbed(folder: Path) -> bytes:
    """What a run without a journal writes."""
    prepare(folder)
    shapes = {"I": (4, 3), "Q": (5, 3)}
    files = {name: np.memmap(folder / name, np.float64, "r+", shape=(BATCH, *each)) for name, each in shapes.items()}
    program()["update"].chunked(chunk=100)(dt=0.3, K=arguments()["K"], **files)
    return (folder / "Q").read_bytes()


@pytest.mark.parametrize(("where", "place", "chunk"), [("in", "half", 5), ("out", "written", 9)])
def test_killed(tmp_path: Path, where: str, place: str, chunk: int) -> None:
    want = undisturbed(tmp_path / "whole")
    folder = tmp_path / "killed"
    prepare(folder)
    assert run(folder, where, place, chunk) == -signal.SIGKILL
    assert len((folder / "journal").read_text(encoding="utf-8").splitlines()) > 1, "nothing was finished before"
    script.main(folder, where, "none", 0)
    assert (folder / ("Q" if where == "in" else "R")).read_bytes() == want


@pytest.mark.slow
@pytest.mark.parametrize("where", ["in", "out"])
def test_killed_at_random(tmp_path: Path, where: str) -> None:
    """20 times in one run, at a random place or a random time."""
    want = undisturbed(tmp_path / "whole")
    folder, chance = tmp_path / "killed", random.Random(where)
    prepare(folder)
    kills = 0
    while kills < 20:
        place = chance.choice(["half", "written", "saved", "time"])
        if place == "time":
            command = [sys.executable, "-m", "tests.chunked.interrupted", str(folder), where, "none", "0"]
            process = subprocess.Popen(command, cwd=ROOT)
            time.sleep(chance.uniform(0.5, 3.0))
            process.kill()
            kills += process.wait() == -signal.SIGKILL
        elif run(folder, where, place, chance.choice([1, 2, 2, 3])) == 0:
            break
        else:
            kills += 1
    assert run(folder, where) == 0
    assert (folder / ("Q" if where == "in" else "R")).read_bytes() == want


def interrupted(folder: Path, **other: object) -> None:
    """A run that Ctrl-C ends, as the terminal would do it, when half is done; a GPU has several chunks on their way."""

    def stop(done: int, batch: int) -> None:
        if done > batch // 2:
            raise KeyboardInterrupt

    given = {"K": arguments()["K"], "I": mapped(folder, "I", (4, 3)), "Q": mapped(folder, "Q", (5, 3)), "dt": 0.3}
    kernel = program()["update"].chunked(chunk=16, journal=folder / "journal", progress=stop)
    with pytest.raises(KeyboardInterrupt):
        kernel(**given | other)


def mapped(folder: Path, name: str, shape: tuple[int, ...], mode: str = "r+") -> Array:
    return np.memmap(folder / name, np.float64, mode, shape=(BATCH, *shape))  # type: ignore[call-overload,no-any-return] # a mode


def again(folder: Path, **other: object) -> object:
    given = {"K": arguments()["K"], "I": mapped(folder, "I", (4, 3)), "Q": mapped(folder, "Q", (5, 3)), "dt": 0.3}
    return program()["update"].chunked(memory="100 kB", journal=folder / "journal")(**given | other)


def test_interrupted_and_finished(tmp_path: Path) -> None:
    want = undisturbed(tmp_path / "whole")
    folder = tmp_path / "run"
    prepare(folder)
    interrupted(folder)
    assert (folder / "Q").read_bytes() != want
    again(folder)
    assert (folder / "Q").read_bytes() == want
    again(folder)
    assert (folder / "Q").read_bytes() == want, "a journal whose run is finished has nothing left to do"


def test_a_line_that_was_cut_off(tmp_path: Path) -> None:
    want = undisturbed(tmp_path / "whole")
    folder = tmp_path / "run"
    prepare(folder)
    interrupted(folder)
    with (folder / "journal").open("ab") as file:
        file.write(b"[900,96")
    again(folder)
    assert (folder / "Q").read_bytes() == want


def test_another_run(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    prepare(folder)
    interrupted(folder)
    before = (folder / "Q").read_bytes()
    text = words(lambda: again(folder, dt=0.25))
    assert text.startswith(f"error[E0524]: the journal `{folder / 'journal'}` is that of another run\n")
    assert '= note: numbers `dt`: "0.3" in the journal, "0.25" here' in text
    assert "E0524" in words(lambda: again(folder, Q=mapped(folder, "R", (5, 3))))
    assert (folder / "Q").read_bytes() == before


def test_outputs_that_were_made_anew(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    prepare(folder)
    interrupted(folder)
    text = words(lambda: again(folder, Q=mapped(folder, "Q", (5, 3), "w+")))
    assert re.match(r"error\[E0524\]: elements \d+ to \d+ are not what the journal", text)


def test_a_damaged_journal(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    prepare(folder)
    interrupted(folder)
    text = (folder / "journal").read_text(encoding="utf-8")
    (folder / "journal").write_text(text.replace("[0,16,", "[0,17,"), encoding="utf-8")
    assert words(lambda: again(folder)).startswith("error[E0632]: line ")
    (folder / "journal").write_text("a text\n", encoding="utf-8")
    assert "E0632" in words(lambda: again(folder))


def test_a_journal_in_use(tmp_path: Path) -> None:
    first = Journal(tmp_path / "journal", {"kernel": "a"})
    assert "E0633" in words(lambda: Journal(tmp_path / "journal", {"kernel": "a"}))
    first.close()
    Journal(tmp_path / "journal", {"kernel": "a"}).close()


def test_no_folder_for_it(tmp_path: Path) -> None:
    text = words(lambda: Journal(tmp_path / "nowhere" / "journal", {}))
    assert text.startswith("error[E0631]: the journal")
    assert "no such file or directory" in text


def test_results_in_memory() -> None:
    text = words(lambda: program()["update"].chunked(journal="journal")(dt=1, **arguments()))
    assert text == "error[E0527]: the results of `Q` are in memory, and a journal would outlive them"
