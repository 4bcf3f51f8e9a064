"""What is measured once is kept: between processes, by several at a time, and never in the way."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from einsum_front.runtime.caches.cache import LARGEST_ENTRY, Broken, Cache, tuning_cache


def test_what_is_kept_is_found(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "not" / "there")
    assert cache.is_empty()
    assert cache.find("a") is None
    cache.keep("a", {"seconds": [0.1, 1e-9]})
    cache.keep("b", {"name": "Kᵢⱼ"})
    cache.keep("a", {"seconds": [0.2]})
    assert not cache.is_empty()
    assert Cache(cache.folder).find("a") == {"seconds": [0.2]}
    assert cache.find("b") == {"name": "Kᵢⱼ"}
    assert cache.find("c") is None
    assert [path.suffix for path in cache.folder.iterdir()] == [".json", ".json"]


def test_clearing_leaves_nothing(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    for key in "abc":
        cache.keep(key, {})
    (tmp_path / "of_a_process_that_was_killed.new").write_text("{")
    assert cache.clear() == 3
    assert list(tmp_path.iterdir()) == []
    assert cache.clear() == 0


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is not JSON"),
        (b'{"seconds": [0.1', "it is not JSON"),
        (b"\xff\xfe", "it is not JSON"),
        (b"[1, 2]", "it is no JSON object"),
        (b"[" * 200_000 + b"]" * 200_000, "it is not JSON"),
        (b'{"kernel": ' + b"9" * 5000 + b"}", "it is not JSON"),
        (b'{"a": "' + b"a" * LARGEST_ENTRY + b'"}', f"it has more than {LARGEST_ENTRY} bytes"),
    ],
)
def test_a_broken_file_is_told_and_written_again(content: bytes, reason: str, tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.path("a").write_bytes(content)
    assert cache.find("a") == Broken(cache.path("a"), reason)
    assert list(cache.entries()) == [Broken(cache.path("a"), reason)]
    cache.keep("a", {"whole": True})
    assert cache.find("a") == {"whole": True}


def test_a_folder_in_the_place_of_a_file(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.path("a").mkdir()
    assert cache.find("a") == Broken(cache.path("a"), "is a directory")
    with pytest.raises(OSError, match="irectory"):
        cache.keep("a", {})
    assert [path.suffix for path in tmp_path.iterdir()] == [".json"]
    assert cache.clear() == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    os.mkfifo(cache.path("a"))
    assert cache.find("a") == Broken(cache.path("a"), "it is no file")
    cache.keep("a", {"whole": True})
    assert cache.find("a") == {"whole": True}


def test_what_json_cannot_say_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        Cache(tmp_path).keep("a", {"set": {1, 2}})
    assert list(tmp_path.iterdir()) == []


WRITER = """
import sys
from pathlib import Path
from einsum_front.runtime.caches.cache import Cache

cache, writer = Cache(Path(sys.argv[1])), sys.argv[2]
for number in range(100):
    cache.keep("shared", {"writer": writer, "numbers": [number] * 2000})
    found = cache.find("shared")
    assert isinstance(found, dict), found
    assert len(set(found["numbers"])) == 1 and len(found["numbers"]) == 2000, found
cache.keep(f"mine {writer}", {"writer": writer})
"""


def test_several_processes_write_at_a_time(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    writers = [subprocess.Popen([*command, str(writer)], cwd=Path(__file__).parents[2]) for writer in range(4)]
    assert [writer.wait() for writer in writers] == [0] * 4
    cache = Cache(tmp_path)
    assert [cache.find(f"mine {writer}") for writer in range(4)] == [{"writer": str(writer)} for writer in range(4)]
    last = json.loads(cache.path("shared").read_text())
    assert last["numbers"] == [99] * 2000
    assert len(list(tmp_path.iterdir())) == 5


@pytest.mark.parametrize(("value", "is_off"), [("1", True), ("yes", True), ("0", False), ("", False), (None, False)])
def test_the_environment_turns_it_off(value: str | None, is_off: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if value is None:
        monkeypatch.delenv("EINSUM_FRONT_NO_CACHE")
    else:
        monkeypatch.setenv("EINSUM_FRONT_NO_CACHE", value)
    assert (tuning_cache() is None) == is_off
