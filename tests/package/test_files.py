"""What is in a package, and what the command says."""

from pathlib import Path

import pytest

from einsum_front.cli import main
from einsum_front.core.diagnostics.codes import TITLES
from einsum_front.core.extent import Polynomial
from einsum_front.core.extent_text import parse_extent
from einsum_front.package.extents import polynomial
from einsum_front.package.names import Supply, against_package, identifier, package_name
from tests.package.building import features

TEXT = "tensor Q[4]\ntensor P[4]\nkernel copy { Q[i] = 2*P[i] }\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Wave-2.ein").write_text(TEXT, encoding="utf-8")
    return tmp_path


def written(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_name_is_that_of_the_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["package", "Wave-2.ein", "--target", "opencl", "-o", "out"]) == 0
    assert capsys.readouterr().out == "out: wave_2_kernels, 1 kernel\n"
    files = written(folder / "out")
    assert sorted(files) == [
        "CMakeLists.txt",
        "cmake/config.cmake.in",
        "cmake/pkgconfig.pc.in",
        "include/wave_2_kernels.h",
        "include/wave_2_kernels.hpp",
        "src/errors.c",
        "src/internal.h",
        "src/kernel_copy.c",
        "src/kernels.c",
        "src/launch.c",
        "src/opencl.c",
        "src/programs.c",
        "src/wave_2_kernels.f90",
        "test/device.c",
        "test/harness.c",
        "test/harness.h",
        "test/kernel_copy.c",
        "test/main.c",
    ]
    assert not any("@name@" in text or "@NAME@" in text for text in files.values())


def test_the_test_program_says_why_a_kernel_is_left_out(folder: Path) -> None:
    (folder / "long.ein").write_text(
        "tensor A[600, 600]\ntensor C[600, 600]\nkernel copy { C[ij] = A[ik] * A[kj] }\n", encoding="utf-8"
    )
    assert main(["compile", "Wave-2.ein", "--emit", "tl", "-o", "below.tl"]) == 0
    for file, why in (
        ("long.ein", f"loops to compare with would take {2 * 600**3} steps for an element"),
        ("below.tl", "its text is below the notation and has no loops to compare with"),
    ):
        assert main(["package", file, "--target", "opencl", "-o", "out"]) == 0
        assert f'    "copy: left out, {why}",\n' in (folder / "out" / "test" / "main.c").read_text(encoding="utf-8")


def test_the_same_text_gives_the_same_bytes(folder: Path) -> None:
    assert main(["package", "Wave-2.ein", "--target", "opencl", "-o", "out"]) == 0
    assert main(["package", "Wave-2.ein", "--target", "opencl", "-o", "out"]) == 0  # in the place of the first
    assert main(["package", "Wave-2.ein", "--target", "opencl", "-o", "other", "--name", "wave_2_kernels"]) == 0
    assert written(folder / "out") == written(folder / "other")


def test_packages_of_two_names_share_no_symbol() -> None:
    one, other = features("one"), features("other")
    assert one.keys() != other.keys()
    assert not any("other_" in text.replace("the other_", "") for text in one.values())


def said(*arguments: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["package", "Wave-2.ein", "--target", "opencl", *arguments]) == 1
    return capsys.readouterr().err


def test_a_name_that_c_does_not_take(capsys: pytest.CaptureFixture[str]) -> None:
    assert said("-o", "out", "--name", "2waves", capsys=capsys) == (
        "error[E0160]: a package cannot be called `2waves`\n"
        "  = note: a name has up to 40 lower-case letters, digits and underscores, a letter first\n"
        "  = help: --name gives another one\n"
    )


def test_any_file_has_a_name_for_its_package(folder: Path) -> None:
    stems = (
        "wave",
        "a" * 33,
        "a" * 34,
        "a" * 40 + "1",
        "a" * 40 + "2",
        "2d waves",
        "_",
        "größe",
        "class",
        "a" + "_" * 60,
    )
    names = [package_name(stem) for stem in stems]
    assert names[0] == "wave_kernels"
    assert len(set(names)) == len(stems)
    assert all(against_package(name) is None for name in names)
    (folder / f"{'long_' * 20}.ein").write_text((folder / "Wave-2.ein").read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["package", f"{'long_' * 20}.ein", "--target", "opencl", "-o", "out"]) == 0


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("class", "the name has a meaning in C, in C++ or in their headers"),
        ("errno", "the name has a meaning in C, in C++ or in their headers"),
        ("test", "a build of CMake has a target of this name"),
        ("m", "a build of CMake has a target of this name"),
    ],
)
def test_a_name_that_a_build_does_not_take(
    name: str, why: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The header for C++ has a namespace of the name, the build a library."""
    assert said("-o", "out", "--name", name, capsys=capsys) == (
        f"error[E0160]: a package cannot be called `{name}`\n  = note: {why}\n  = help: --name gives another one\n"
    )
    assert not (folder / "out").exists()


def test_a_folder_of_something_else(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "src").mkdir()
    (folder / "src" / "main.c").touch()
    assert said("-o", "src", capsys=capsys) == (
        "error[E0161]: `src` has files that are of no package\n"
        "  = help: name a folder that does not exist, or one with a package\n"
    )
    assert [path.name for path in (folder / "src").iterdir()] == ["main.c"]
    (folder / "file").touch()
    assert said("-o", "file", capsys=capsys) == "error[E0107]: cannot write `file`: not a directory\n"


@pytest.mark.parametrize("command", [("package", "--target", "c", "-o", "out"), ("compile", "--emit", "c")])
@pytest.mark.parametrize(("option", "name"), [(("--device", "0"), "--device"), (("--tune",), "--tune")])
def test_c_has_no_devices(
    command: tuple[str, ...], option: tuple[str, ...], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command[0], "Wave-2.ein", *command[1:], *option]) == 1
    assert capsys.readouterr().err == (
        f"error[E0162]: {name} is for devices of OpenCL, and target `c` has none\n"
        "  = note: its functions are made for several sets of instructions; "
        "a program takes the best when it is loaded\n"
    )


def test_what_a_target_cannot_be(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["package", "Wave-2.ein", "--target", "fortran", "-o", "out"])
    assert "invalid choice: 'fortran'" in capsys.readouterr().err


WORK_ITEMS = """func @f(%A: memref<f64x4>, %B: memref<f64x4>) work_group_size(4,1) {
  axpby.n 1.0, %A, 0.0, %B : f64, memref<f64x4>, f64, memref<f64x4>
}
"""


def test_c_has_no_work_items(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "items.tl").write_text(WORK_ITEMS, encoding="utf-8")
    for command in (["package", "items.tl", "--target", "c", "-o", "out"], ["compile", "items.tl", "--emit", "c"]):
        assert main(command) == 1
        assert capsys.readouterr().err.splitlines()[0] == (
            "error[E0622]: a work-group of 4 x 1 = 4 work-items is too large for C for avx512"
        )


SUMS = "tensor y[9] shared {word}\ntensor node[4] i32\ntensor u[4]\nkernel f {{ y[node[i]] += u[i] }}\n"


@pytest.mark.parametrize("target", ["c", "opencl", "cuda"])
def test_packages_add_in_any_order_only(target: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "sums.ein").write_text(SUMS.format(word=""), encoding="utf-8")
    assert main(["package", "sums.ein", "--target", target, "-o", "refused"]) == 1
    assert capsys.readouterr().err.splitlines()[0] == (
        "error[E0640]: `f` adds to `y` in the order of the elements, and a package in any order only"
    )
    (folder / "sums.ein").write_text(SUMS.format(word="atomic"), encoding="utf-8")
    assert main(["package", "sums.ein", "--target", target, "-o", "atomic"]) == 0
    sources = "".join(each.read_text(encoding="utf-8") for each in (folder / "atomic").rglob("*.c*"))
    assert "atomic" in sources


def test_the_codes_of_packages_are_shown_here() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    assert all(code in text for code in TITLES if "E0160" <= code < "E0165")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n", "rows"),
        ("2*n+1", "(2 * rows + 1)"),
        ("4-n", "(-rows + 4)"),
        ("n**2/2+n/2", "(rows * rows + rows) / 2"),
        ("n*(n-1)/2+m*(m+1)*(m+2)/6-1", "(m * m * m + 3 * m * m + 2 * m + 3 * rows * rows - 3 * rows - 6) / 6"),
    ],
)
def test_sizes_in_c(text: str, expected: str) -> None:
    extent = parse_extent(text)
    assert isinstance(extent, Polynomial)
    assert polynomial(extent, {"n": "rows", "m": "m"}) == expected


def test_names_in_c() -> None:
    assert [identifier(name) for name in ("Q", "I", "int", "2x", "a.b", "cl_mem")] == [
        "Q", "I_", "int_", "v2x", "a_b", "cl_mem_",
    ]  # fmt: skip
    supply = Supply(frozenset({"batch"}), folds_case=True, longest=6)
    given = [supply.give(name) for name in ("q", "Q", "Q_2", "batch", "longname", "longnames")]
    assert given == ["q", "Q_2", "Q_2_2", "batc_2", "longna", "long_2"]
