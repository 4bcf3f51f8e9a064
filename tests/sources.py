"""The product's files by the names that they have in the repository.

`einsum_front` has its parts as links there, and as folders in a source distribution. Both are found by way of it.
"""

from pathlib import Path

ROOT = Path(__file__).parents[1]
PARTS = ("core", "ir", "runtime", "tl_backend")


def file_of(name: str) -> Path:
    """`tl_backend/grammar.lark`, wherever it lies."""
    return ROOT / "einsum_front" / name if name.partition("/")[0] in PARTS else ROOT / name


def modules() -> dict[str, Path]:
    """All modules of the product, each once: `core/words.py`, `einsum_front/cli.py`."""
    folder = ROOT / "einsum_front"
    of_parts = {f"{part}/{path.relative_to(folder / part)}": path for part in PARTS for path in _below(folder / part)}
    of_front = {str(path.relative_to(ROOT)): path for path in _below(folder)}
    return of_parts | {name: path for name, path in of_front.items() if name.split("/")[1] not in PARTS}


def _below(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))
