"""Recipes near that of the heuristic: what `--tune` finds, and sends to other machines for kernels of one form."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import einsum_front as ef
from einsum_front.cli import main
from einsum_front.core.diagnostics import Source
from einsum_front.core.private_folders import NO_CACHE_VARIABLE
from einsum_front.driver import tune
from einsum_front.driver.stages import ready
from einsum_front.driver.targets import target_of
from einsum_front.runtime import find_device
from einsum_front.tl_backend.loops.nodes import Loops
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.by_recipe import first_recipe
from einsum_front.tl_backend.schedules.choice import is_possible
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.transforms.portable import form_of, local, portable
from einsum_front.tl_backend.transforms.recipe import Recipe, follow, read_recipes
from einsum_front.tl_backend.transforms.search import Found, Times, neighbours, search
from einsum_front.tl_backend.types import MemrefType
from tests.tl_backend.kernel.harness import compare
from tests.tl_backend.opencl.harness import integers

FASTEST = """tensor A[9, 5] batch_fastest
tensor B[5, 7] constant
tensor C[9, 7] batch_fastest
kernel product { C[i,j] = A[i,k] * B[k,j] }"""

RENAMED = """tensor X[5, 7] constant
tensor Out[9, 7] batch_fastest
tensor Y[9, 5] batch_fastest
kernel other { Out[p,q] = Y[p,r] * X[r,q] }"""


def function_of(text: str) -> Function:
    """The only kernel in the tensor language."""
    (kernel,) = ef.compile(ef.parse(text), "c", cache=False).values()
    return kernel.translation.tensor_language


def start_of(text: str) -> tuple[Function, Recipe, Loops]:
    target = target_of(find_device("c").facts)
    function = ready(function_of(text), target, tune.LOOPS)
    found = first_recipe(function, target)
    assert found is not None
    return function, *found


def test_names_and_the_order_of_arguments_are_no_part_of_a_form() -> None:
    form = form_of(function_of(FASTEST))
    assert form_of(function_of(RENAMED)) == form
    for other in (
        RENAMED.replace("5, 7", "5, 8").replace("9, 7", "9, 8"),
        RENAMED.replace("tensor X[5, 7] constant", "tensor X[5, 7]"),
        RENAMED.replace("Out[p,q] =", "Out[p,q] +="),
        RENAMED.replace("9, 5] batch_fastest", "9, 5]"),
        RENAMED.replace("X[5, 7] constant", "X[5, 7] values<" + ", ".join(map(str, range(35))) + ">"),
    ):
        assert form_of(function_of(other)) != form


def test_a_recipe_goes_from_one_kernel_of_a_form_to_another() -> None:
    function, recipe, loops = start_of(FASTEST)
    _, own, others = start_of(RENAMED)
    sent = portable(recipe, form_of(function), loops)
    assert str(sent).startswith(f"schedule product of {form_of(function)} {{\n  interleave x0x by ")
    assert not {"A", "B", "C", "i", "j", "k"} & set(str(sent).partition("{")[2].replace(",", " ").split())
    (read,) = read_recipes(Source("sent", str(sent))).recipes
    assert read == sent
    assert local(read, "product", loops) == recipe
    assert local(read, "other", others).lines == own.lines
    follow(local(read, "other", others), others)


def test_every_neighbour_means_the_same() -> None:
    """All that are tried, and those of the longest of them, in the interpreter of the kernel tree."""
    function, recipe, loops = start_of(FASTEST)
    near = list(neighbours(recipe, loops))
    assert {len(each.lines) - len(recipe.lines) for each in near} == {-1, 0, 1}
    arguments = {
        name: integers(type_.element, *(size or 11 for size in type_.shape), seed=place)
        for place, (name, type_) in enumerate((each.name.name, each.type) for each in function.arguments)
        if isinstance(type_, MemrefType)
    }
    run = 0
    for each in (*near, *neighbours(max(near, key=lambda one: len(one.lines)), loops)):
        tuning = Tuning(ScheduleKind.LOOPS, recipe=each)
        if is_possible(function, DEFAULT, tuning):
            compare(function, arguments, 11, gap=0, tuning=tuning)
            run += 1
    assert run > len(near) / 2


def test_the_search_goes_on_from_what_is_faster_and_ends() -> None:
    _, recipe, loops = start_of(FASTEST)
    measured: list[Recipe] = []

    def times(recipes: Sequence[Recipe]) -> Sequence[Times]:
        """A clock that likes prefetches far ahead, and knows no kernel with vectors of two elements."""
        measured.extend(recipes)
        found: list[Times] = []
        for each in recipes:
            distances = [int(line.text.split()[-1]) for line in each.lines if line.text.startswith("prefetch")]
            found.append(
                () if any(line.text.endswith("by 2") for line in each.lines) else (1.0 / sum(distances, 1),) * 2
            )
        return found

    found = search(recipe, loops, times, 60, 0.97)
    assert found[0] == Found(recipe, found[0].times)
    assert [each.times for each in found] == sorted((each.times for each in found), reverse=True)
    distances = [int(each.recipe.lines[-1].text.rpartition("distance ")[2]) for each in found[1:]]
    assert distances == [distances[0] << place for place in range(len(distances))]
    assert len(distances) > 1
    assert len(measured) <= 60 + len(found)
    assert search(recipe, loops, lambda recipes: [()] * len(recipes), 60, 0.97) == ()
    assert len(search(recipe, loops, times, 1, 0.97)) == 1


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two programs, short measurements, and a clock that likes the recipe with most steps."""
    monkeypatch.setenv(NO_CACHE_VARIABLE, "0")
    monkeypatch.setattr(tune, "candidates", lambda _function, _target: ())
    monkeypatch.setattr(tune, "MOST_RECIPES", 12)
    monkeypatch.setattr(tune, "_batches", lambda *_: (64,))

    def seconds(chosen: Sequence[tune.Candidate], _batch: int, _device: object) -> list[float]:
        recipes = (one.tuning.recipe for one in chosen)
        return [1.0 / (1 + (0 if recipe is None else len(recipe.lines))) for recipe in recipes]

    monkeypatch.setattr(tune, "_seconds_per_element", seconds)
    monkeypatch.chdir(tmp_path)
    Path("here.ein").write_text(FASTEST)
    Path("there.ein").write_text(RENAMED)
    return tmp_path


def code_of(*arguments: str) -> object:
    """The exit code, wherever it is given."""
    try:
        return main([*arguments])
    except SystemExit as end:
        return end.code


def caches(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The caches of another user."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / name))


def test_what_one_process_finds_is_used_by_another(
    machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    caches(machine, "first", monkeypatch)
    assert code_of("tune", "--export", "found.sched", "--device", "c") == 2
    assert "nothing was measured on" in capsys.readouterr().err
    assert main(["run", "here.ein", "--device", "c", "--tune"]) == 0
    table = capsys.readouterr().err
    first, *others = map(int, re.findall(r"^  loops, (\d+) steps", table, re.MULTILINE))
    assert first + 1 in others
    assert main(["tune", "--export", "found.sched", "--device", "c"]) == 0
    assert Path("found.sched").read_text().endswith("}\n\nothers by model\n")
    caches(machine, "second", monkeypatch)
    capsys.readouterr()
    assert main(["tune", "--import", "found.sched"]) == 0
    assert main(["cache"]) == 0
    assert "0 measurements, and 1 recipe of other machines" in capsys.readouterr().out
    assert main(["compile", "there.ein", "--device", "c"]) == 0
    assert capsys.readouterr().out.startswith("// schedule `loops`: imported, measured on ")
    assert main(["run", "there.ein", "--device", "c", "--batch", "21", "--verify"]) == 0
    assert main(["compile", "there.ein", "--device", "c", "--schedule", "found.sched", "--emit", "schedule"]) == 0
    out, err = capsys.readouterr()
    assert "prefetch Y distance" in out
    assert "unused" not in err


@pytest.mark.parametrize(
    ("arguments", "text", "words"),
    [
        ([], "", "expected either --export FILE or --import FILE"),
        (["--export", "a", "--import", "b"], "", "expected either --export FILE or --import FILE"),
        (["--import", "given.sched"], "schedule f {\n}\n", "`given.sched` has no recipe of a form"),
        (["--import", "given.sched"], "schedule f of ab by nothing\n", "there is no schedule `nothing`"),
        (
            ["--import", "given.sched"],
            "schedule f of xy {\n}\n",
            "expected `schedule NAME {`, found `schedule f of",
        ),
        (["--import", "none.sched"], "", "cannot read `none.sched`: no such file or directory"),
    ],
)
def test_mistakes(
    arguments: list[str],
    text: str,
    words: str,
    machine: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    caches(machine, "own", monkeypatch)
    Path("given.sched").write_text(text)
    assert code_of("tune", *arguments) != 0
    assert words in capsys.readouterr().err


def test_what_cannot_be_had_here_is_told(
    machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    caches(machine, "own", monkeypatch)
    form = form_of(function_of(FASTEST))
    Path("given.sched").write_text(f"schedule f of {form} {{\n  unroll x77x\n}}\n")
    assert main(["tune", "--import", "given.sched"]) == 0
    assert main(["compile", "here.ein", "--device", "c"]) == 0
    assert "`product` cannot have here what is imported for it: `a recipe`" in capsys.readouterr().err
