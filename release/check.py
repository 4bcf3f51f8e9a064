"""Whether this commit can be released: `make release-check` runs it, `make release-check TESTS=tests` with all tests.

It builds the distributions into `build/release`, lets twine judge them, and uses them as others will: the wheel in an
empty environment, the wheel with NumPy and lark alone, and the tests of the source distribution in an empty folder.
"""

import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path
from shutil import rmtree
from venv import EnvBuilder

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / "release"
TESTS = ("tests/test_readme.py", "tests/architecture", "tests/core")
STRING = ("--einsum", "kl,lq,qp->kp", "--shape", "20,20", "--shape", "20,9", "--shape", "9,9")

RENDERED = """\
import sys
from rattler_build import Stage0Recipe, VariantConfig
outputs = Stage0Recipe.from_file(sys.argv[1]).render(VariantConfig.from_yaml("python: [3.11.*]"))
assert len(outputs) == 2, outputs
"""
"""What builds packages of conda-forge reads the recipe: its fields, licence and expressions."""


def main(tests: Sequence[str]) -> int:
    """Stops at the first step that fails; its own words say why."""
    rmtree(BUILD, ignore_errors=True)
    distributions = BUILD / "dist"
    step("pyproject.toml", sys.executable, "-m", "validate_pyproject", "pyproject.toml")
    step("the recipe of conda", sys.executable, "-c", RENDERED, str(ROOT / "release" / "conda" / "recipe.yaml"))
    step("source distribution and wheel", sys.executable, "-m", "build", "--outdir", str(distributions), ".")
    (wheel,), (source,) = distributions.glob("*.whl"), distributions.glob("*.tar.gz")
    step("what the package index will say", sys.executable, "-m", "twine", "check", "--strict", str(wheel), str(source))

    light = environment("light")
    step("light: install", str(light / "pip"), "install", "--quiet", "--no-deps", str(wheel))
    step("light: NumPy and lark", str(light / "pip"), "install", "--quiet", "numpy", "lark")
    step("light: compile", str(light / "einsum-front"), "compile", *STRING)
    step("light: explain", str(light / "einsum-front"), "explain", *STRING)
    step("light: a package in C", str(light / "einsum-front"), "package", *STRING, "--target", "c", "-o", "package")

    whole = environment("whole")
    step("whole: install", str(whole / "pip"), "install", "--quiet", str(wheel))
    step("whole: run", str(whole / "einsum-front"), "run", *STRING, "--verify")

    with tarfile.open(source) as archive:
        archive.extractall(BUILD, filter="data")
    folder = BUILD / source.name.removesuffix(".tar.gz")
    own = environment("source")
    step("source: install", str(own / "pip"), "install", "--quiet", f"{folder}[test]")
    step("source: its tests", str(own / "python"), "-m", "pytest", "-n", "2", *tests, folder=folder)
    print(f"ready: {wheel.name}, {source.name}")
    return 0


def environment(name: str) -> Path:
    """The programs of a new environment without any package."""
    EnvBuilder(with_pip=True).create(BUILD / name)
    return BUILD / name / "bin"


def step(what: str, *command: str, folder: Path | None = None) -> None:
    """Runs one step, in the folder of builds unless it is about the repository; ends the process if it fails."""
    place = folder or (ROOT if command[0] == sys.executable else BUILD)
    print(f"{what} …", flush=True)
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}\nnot ready: {what}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or TESTS))
