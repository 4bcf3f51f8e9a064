"""The package takes one name in site-packages, and files of a user with the names of its parts do not disturb it."""

import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

import einsum_front as ef

ROOT = Path(__file__).parents[2]
PARTS = ("ir", "tl_backend", "runtime", "core")
SOURCES = ("einsum_front", *PARTS, "pyproject.toml", "README.md", "LICENSE")
DECOYS = (*PARTS, "parse", "einsum", "notation")
USE = """
import numpy as np, einsum_front as ef
from einsum_front.ir.tensor import Tensor
print(ef.einsum("ik,kj->ij", np.eye(3), np.eye(3)).sum(), ef.__file__)
"""


def used(folder: Path, path: Path) -> str:
    """What a program prints that stands in `folder`, and finds the package in `path`."""
    (folder / "program.py").write_text(f"import sys; sys.path.insert(1, {str(path)!r})\n{USE}", encoding="utf-8")
    run = subprocess.run([sys.executable, "program.py"], cwd=folder, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A user's folder with files that are named as parts of the package."""
    folder = tmp_path / "work"
    folder.mkdir()
    for name in DECOYS:
        (folder / f"{name}.py").write_text("raise ImportError('this is the file of the user')\n", encoding="utf-8")
    return folder


def test_the_source_tree_is_used_beside_files_of_its_names(folder: Path) -> None:
    assert used(folder, ROOT).split() == ["3.0", str(ROOT / "einsum_front" / "__init__.py")]


def test_a_wheel_has_one_name_and_is_used_beside_files_of_its_names(folder: Path, tmp_path: Path) -> None:
    copy, site = tmp_path / "copy", tmp_path / "site"
    copy.mkdir()
    for name in SOURCES:
        if not (ROOT / name).exists():
            continue  # a part in a source distribution, which has none but those of `einsum_front`
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, copy)
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(site), "."]
    subprocess.run(build, cwd=copy, check=True, capture_output=True)
    with ZipFile(next(site.glob("*.whl"))) as wheel:
        names = {name.split("/")[0] for name in wheel.namelist()}
        assert {name for name in names if not name.endswith(".dist-info")} == {"einsum_front"}
        wheel.extractall(site)
    assert used(folder, site).split() == ["3.0", str(site / "einsum_front" / "__init__.py")]


def test_a_name_that_does_not_exist_is_said() -> None:
    with pytest.raises(AttributeError, match="no attribute 'einsun'"):
        ef.einsun  # noqa: B018 - asking for it is the test


def test_importing_the_package_loads_no_compiler() -> None:
    code = "import sys, einsum_front; print([m for m in ('pyopencl', 'networkx', 'lark', 'rich') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
