"""What `--dump-to` writes: files of their own, whatever lies in the folder."""

from pathlib import Path

import einsum_front as ef

TEXT = "tensor A[4]\ntensor B[4]\nkernel k { A[i] = B[i] }\nkernel K { A[i] += B[i] }"


def test_names_that_differ_in_case_only_are_different_files(tmp_path: Path) -> None:
    """Some disks take `k.tl` and `K.tl` for one."""
    compiled = ef.compile(ef.parse(TEXT), dump_to=tmp_path)
    names = [path.name for path in tmp_path.iterdir()]
    assert len({name.casefold() for name in names}) == len(names)
    assert compiled["k"].graph == (tmp_path / "k.graph").read_text()
    assert compiled["K"].graph == (tmp_path / "K-2.graph").read_text()


def test_links_are_replaced_and_not_followed(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("mine")
    folder = tmp_path / "levels"
    folder.mkdir()
    (folder / "k.tl").symlink_to(kept)
    ef.compile(ef.parse(TEXT), dump_to=folder)
    assert kept.read_text() == "mine"
    assert not (folder / "k.tl").is_symlink()
    assert {path.suffix for path in folder.iterdir()} == {
        ".graph",
        ".plan",
        ".yir",
        ".tl",
        ".schedule",
        ".cl",
        ".json",
    } | ({path.suffix for path in folder.glob("*.ein")})
