"""What is published says one thing: versions, addresses and dependencies agree, and absolute links lead to files."""

import re
import tomllib
from pathlib import Path

import pytest

import einsum_front as ef

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SOURCE = PROJECT["urls"]["Source"]
RECIPES = {"conda": ROOT / "release" / "conda" / "recipe.yaml", "spack": ROOT / "release" / "spack" / "package.py"}
LIGHT = {"lark", "numpy"}


def required() -> dict[str, str]:
    """The least version of each package that an installation brings."""
    found = (re.match(r"([\w.-]+)(?:\[\w+\])?>=([\d.]+)", each) for each in PROJECT["dependencies"])
    return {match[1].replace("_", "-"): match[2] for match in found if match is not None}


@pytest.mark.parametrize("page", ["README.md", "CODE_OF_CONDUCT.md", "SECURITY.md"])
def test_links_to_the_repository_lead_to_files(page: str) -> None:
    """The README is the page of a package index too, where a relative link leads nowhere."""
    text = (ROOT / page).read_text(encoding="utf-8")
    raw = SOURCE.replace("github.com", "raw.githubusercontent.com")
    links = re.findall(rf"\]\((?:{SOURCE}/blob/main|{raw}/main)/([^)#]+)", text)
    assert [link for link in links if not (ROOT / link).exists()] == []
    if page == "README.md":
        assert links
        assert re.findall(r"\]\((?!https?://|#)([^)]+)\)", text) == []


def test_versions_agree() -> None:
    assert f"\nversion: {ef.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## ([\d.]+)", changelog, flags=re.MULTILINE)[1] == ef.__version__  # type: ignore[index]
    assert f'version: "{ef.__version__}"' in RECIPES["conda"].read_text(encoding="utf-8")
    page = (ROOT / "docs" / "_static" / "try" / "try.js").read_text(encoding="utf-8")
    assert f'"einsum-front=={ef.__version__}"' in page
    assert f'version("{ef.__version__}"' in RECIPES["spack"].read_text(encoding="utf-8")


@pytest.mark.parametrize("recipe", RECIPES)
def test_recipes_need_what_the_project_needs(recipe: str) -> None:
    text = RECIPES[recipe].read_text(encoding="utf-8")
    least = re.search(r'python_min: "([\d.]+)"', text)  # conda's word for it
    text = text.replace("${{ python_min }}", least[1] if least else "").replace("_", "-")
    pattern = r"- ([\w-]+) >=([\d.]+)" if recipe == "conda" else r'depends-on\("(?:py-)?([\w-]+)@([\d.]+):'
    found = dict(re.findall(pattern, text))
    python, setuptools = found.pop("python"), found.pop("setuptools")
    assert PROJECT["requires-python"] == f">={python}"
    assert f"setuptools>={setuptools}" in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    optional = {"shtab", "pyopencl"} if recipe == "spack" else set()
    assert found == {name: version for name, version in required().items() if name not in optional}


def test_the_light_packages_are_needed_always() -> None:
    assert required().keys() >= LIGHT
    assert all("emscripten" not in each for each in PROJECT["dependencies"] if each.startswith(tuple(LIGHT)))
