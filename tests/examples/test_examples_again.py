"""What an example is translated to can be read, checked and translated again: it becomes the same kernel."""

from pathlib import Path

import pytest

from einsum_front.core.diagnostics import Source
from einsum_front.driver import Session, translate_program, translate_text
from einsum_front.driver.targets import DEFAULT
from einsum_front.driver.texts import text
from einsum_front.notation.check import check
from einsum_front.notation.parse import parse_file
from einsum_front.options import Level, Options
from examples.ader_dg import matrices
from tests.examples.test_examples_run import families

EXAMPLES = Path(__file__).parents[2] / "examples"
ORDER = 2
FILES = [*EXAMPLES.glob("*.ein"), *matrices.HERE.glob("*.ein")]


@pytest.mark.parametrize("path", sorted(FILES), ids=lambda path: path.stem)
def test_the_texts_of_later_levels_become_the_same_kernels(path: Path) -> None:
    """Of families the first and the last member: others differ in numbers."""
    matrices.write(ORDER)
    program = parse_file(path)
    defines = {"O": ORDER} if any(getattr(item, "name", "") == "O" for item in program.items) else {}
    names = families(kernel.name for kernel in check(program, defines, path.parent).kernels)
    for name in sorted({each for members in names.values() for each in (members[0], members[-1])}):
        (kernel,) = translate_program(Session(DEFAULT, Options(defines, kernel=name)), program, path.parent)
        for level in (Level.YIR, Level.TL):
            source = Source(f"{kernel.name}.{level.value}", text(kernel, level) or "")
            (again,) = translate_text(Session(DEFAULT), source, level)
            assert text(again, Level.TL) == text(kernel, Level.TL)
            assert again.artifact.parameters == kernel.artifact.parameters
            assert again.artifact.work_group_size == kernel.artifact.work_group_size
