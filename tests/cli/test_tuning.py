"""`--schedule`, `--tune` and the command `cache`."""

import re
from pathlib import Path

import pytest

from einsum_front.cli import main
from einsum_front.core.private_folders import NO_CACHE_VARIABLE
from einsum_front.driver import tune
from einsum_front.runtime.devices.device import find_device
from einsum_front.tl_backend.schedules.tuning import read_tuning

DEVICE = find_device().facts.description
COMPILE = ("compile", "wave.ein", "--kernel", "volume", "--device", str(find_device().facts.number))


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and few candidates whose times are known."""
    monkeypatch.setenv(NO_CACHE_VARIABLE, "0")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    schedules = tuple(map(read_tuning, ("work_group", "work_group:block=1x2", "batch_simd")))
    monkeypatch.setattr(tune, "candidates", lambda _function, _target: schedules)
    monkeypatch.setattr(tune, "first_choice", lambda _function, _target: schedules[2])
    monkeypatch.setattr(tune, "MOST_RECIPES", 0)
    monkeypatch.setattr(tune, "_batches", lambda *_: (64, 1000))
    monkeypatch.setattr(
        tune, "_seconds_per_element", lambda chosen, _batch, _device: [2e-6, 4e-6, 1.5e-6][: len(chosen)]
    )
    return tmp_path / "einsum-front" / "tuned"


TABLE = f"""\
volume on {DEVICE}
  schedule              of 64 elements  of 1000 elements  over the model's
  batch_simd                   2.00 µs           2.00 µs              1.00
  work_group                   4.00 µs           4.00 µs              2.00
  work_group:block=1x2         1.50 µs           1.50 µs              0.75  taken
"""


def without_padding(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def test_the_table_of_a_measurement(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "wave.ein", "--kernel", "volume", "--tune"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("volume: 1 element (--batch N for more) in ")
    assert without_padding(err) == TABLE
    assert main([*COMPILE, "--tune"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("// schedule `work_group:block=1x2`: chosen from 3 by measurement, says the cache\n")
    assert without_padding(err) == TABLE.replace(DEVICE, f"{DEVICE}, measured before", 1)


def test_what_was_measured_is_used_until_it_is_forgotten(
    cache_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*COMPILE, "--tune", "--no-cache"]) == 0
    assert main(["cache"]) == 0
    kernels = cache_folder.parent / "kernels"
    assert capsys.readouterr().out.endswith(f"{cache_folder}: 0 measurements\n{kernels}: 0 kernels of `ef.einsum`\n")
    assert main([*COMPILE, "--tune"]) == 0
    assert main(COMPILE) == 0
    assert capsys.readouterr().out.count("// schedule `work_group:block=1x2`: chosen from 3 by measurement") == 2
    (cache_folder / "broken.json").write_text("{")
    assert main(["cache"]) == 0
    shown = capsys.readouterr().out
    assert sorted(shown.splitlines()) == sorted(
        [
            f"{cache_folder}: 2 measurements",
            f"  volume: `work_group:block=1x2` on {DEVICE}",
            "  a broken file, which is ignored",
            f"{kernels}: 0 kernels of `ef.einsum`",
        ]
    )
    assert main(["cache", "--clear"]) == 0
    removed = f"{cache_folder}: 2 measurements removed\n{kernels}: 0 kernels of `ef.einsum` removed\n"
    assert capsys.readouterr().out == removed
    assert main(COMPILE) == 0
    assert "by measurement" not in capsys.readouterr().out


def test_without_a_device_nothing_is_remembered(capsys: pytest.CaptureFixture[str]) -> None:
    """What `compile` prints without a device does not depend on the machine."""
    assert main([*COMPILE, "--tune"]) == 0
    capsys.readouterr()
    assert main(["compile", "wave.ein", "--kernel", "volume"]) == 0
    assert "by measurement" not in capsys.readouterr().out


def test_a_broken_file_is_a_note(cache_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*COMPILE, "--tune"]) == 0
    (path,) = cache_folder.iterdir()
    path.write_text("{")
    capsys.readouterr()
    assert main(COMPILE) == 0
    assert capsys.readouterr().err == f"note: {path} of the tuning cache is ignored: it is not JSON\n"


def test_the_cache_that_is_turned_off(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv(NO_CACHE_VARIABLE, "1")
    assert main(["cache"]) == 0
    assert capsys.readouterr().out == f"the environment variable {NO_CACHE_VARIABLE} turns our caches off\n"


def test_a_schedule_that_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", "wave.ein", "--kernel", "volume", "--schedule", "work_group:block=2x1"]) == 0
    assert capsys.readouterr().out.startswith("// schedule `work_group:block=2x1`: as asked for\n")
    assert main(["compile", "wave.ein", "--schedule", "rows"]) == 1
    assert (
        capsys.readouterr().err == "error[E0304]: there is no schedule `rows`: "
        "the schedules are `work_group`, `batch_simd`, `packed`, `tiled`, `columns`, `loops`; "
        "a file of recipes ends with `.sched`\n"
    )
    assert main(["compile", "wave.ein", "--kernel", "volume", "--schedule", "packed"]) == 1
    assert re.fullmatch(
        r"error\[E0305\]: `volume` cannot have the schedule `packed`\n  = note: .*\n", capsys.readouterr().err
    )
