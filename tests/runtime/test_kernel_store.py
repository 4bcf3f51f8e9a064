"""Compiled kernels on disk: whole and right, or not there."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from einsum_front.core.extent import Size, of_size
from einsum_front.core.private_folders import NO_CACHE_VARIABLE
from einsum_front.runtime.artifact import Artifact, ScalarParameter, SizeLimit, TensorParameter
from einsum_front.runtime.caches.cache import (
    Cache,
    StoredKernels,
    as_value,
    from_value,
    sources_key,
    stored_kernels,
    tuned_key,
)

TENSOR = TensorParameter(
    "A", "f64", (3, None), (1, 3), (0,), 1, True, False, ((0, 2),), (None,), (0.1, -0.0, 1e300), ((0, 1),)
)
PROLOGUE = Artifact("first", "…", (replace(TENSOR, name="T", values=None),), (1, 1), 0, False)
ARTIFACT = Artifact(
    "einsum",
    "kernel void einsum() {} // µ",
    (ScalarParameter("alpha", "f32"), TENSOR),
    (8, 1),
    64,
    True,
    limits=(SizeLimit("n", 1, None, 4),),
    prologue=PROLOGUE,
    name="what",
    machine="AMD Zen 4",
)


@pytest.fixture
def store(tmp_path: Path) -> StoredKernels:
    return StoredKernels(Cache(tmp_path / "kernels"))


def test_an_artifact_comes_back_as_it_was(store: StoredKernels) -> None:
    assert store.find("key") is None
    store.keep("key", as_value(ARTIFACT))
    found = store.find("key")
    assert isinstance(found, dict)
    assert from_value(found) == ARTIFACT
    assert store.find("another key") is None


def test_dynamic_extents_are_not_kept() -> None:
    parameter = replace(TENSOR, sizes=(of_size(Size("n")),))
    assert as_value(replace(ARTIFACT, parameters=(parameter,))) is None
    assert as_value(replace(ARTIFACT, prologue=replace(PROLOGUE, parameters=(parameter,)))) is None


@pytest.mark.parametrize("damage", ["source", "cut", "key", "empty"])
def test_a_damaged_entry_is_none(store: StoredKernels, damage: str) -> None:
    store.keep("key", as_value(ARTIFACT))
    path = store.cache.path("key")
    entry = json.loads(path.read_text())
    if damage == "source":
        entry["value"]["source"] = entry["value"]["source"].replace("void", "vold")
    if damage == "key":
        entry["key"] = "a key with the same hash"
    text = {"cut": json.dumps(entry)[:-40], "empty": ""}.get(damage, json.dumps(entry))
    path.write_text(text)
    assert store.find("key") is None


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "kernels").write_text("a file")
    StoredKernels(Cache(tmp_path / "kernels")).keep("key", as_value(ARTIFACT))


def test_the_oldest_entries_go_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path, most_bytes=250)
    for number in range(6):
        cache.keep(str(number), {"padding": "x" * 80})
    left = [number for number in range(6) if cache.find(str(number)) is not None]
    assert left == [4, 5]


def test_the_variable_turns_it_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NO_CACHE_VARIABLE, "1")
    assert stored_kernels() is None
    monkeypatch.setenv(NO_CACHE_VARIABLE, "0")
    assert stored_kernels() is not None


def test_a_measurement_changes_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert tuned_key() == "nothing"
    Cache(tmp_path / "einsum-front" / "tuned").keep("key", {})
    assert tuned_key() != "nothing"
    assert len(sources_key()) == 64
