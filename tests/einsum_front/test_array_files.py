"""Array files that are damaged, or claim what they do not hold: one sentence each, and no memory for the claim."""

import os
import tracemalloc
from contextlib import closing
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile

import numpy as np
import pytest

from einsum_front.array_files import LARGEST_EXPANSION, LONGEST_HEADER, Array, ArrayFile, UnreadableError
from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.data import load_arguments, save_arguments
from einsum_front.notation.check import check
from einsum_front.notation.parse import parse
from tests.einsum_front.test_errors import words_of

MEGABYTE = 2**20


def npy(described: str, entries: bytes = b"", version: int = 1) -> bytes:
    """A file with this header, whatever it says."""
    header = described.encode() + b"\n"
    return (
        b"\x93NUMPY" + bytes([version, 0]) + len(header).to_bytes(2 if version == 1 else 4, "little") + header + entries
    )


def claim(shape: str, descr: str = "'<f8'") -> str:
    """A header as NumPy writes it."""
    return f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}"


def read(path: Path, name: str = "A") -> Array:
    with closing(ArrayFile(path)) as file:
        return file.array(name)


def reason(path: Path, name: str = "A") -> str:
    """Why the file cannot be read; reading it may take a few megabytes, whatever it claims."""
    tracemalloc.start()
    try:
        with pytest.raises(UnreadableError) as raised:
            read(path, name)
        assert tracemalloc.get_traced_memory()[1] < 8 * MEGABYTE
    finally:
        tracemalloc.stop()
    return raised.value.reason


DESCRIBES_NOTHING = "it is damaged: its header describes no array"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (npy(claim("(1000000000000,)"), bytes(16)), "claims shape (1000000000000,) of 8 bytes an entry, but 16"),
        (npy(claim("(10000000000, 1000000000)")), "of 8 bytes an entry, but 0 bytes follow"),
        (npy(claim("(2,)"), bytes(15)), "its header claims shape (2,) of 8 bytes an entry, but 15 bytes"),
        (npy(claim("(2,)"), bytes(17)), "but 17 bytes follow"),
        (npy(claim(f"({10**20}, 3)")), DESCRIBES_NOTHING),
        (npy(claim("(True, 4)"), bytes(32)), DESCRIBES_NOTHING),
        (npy(claim("(-1, 4)"), bytes(32)), DESCRIBES_NOTHING),
        (npy(claim("(2.0,)"), bytes(16)), DESCRIBES_NOTHING),
        (npy(claim("[2]"), bytes(16)), DESCRIBES_NOTHING),
        (npy(claim(f"({'1,' * 33})"), bytes(8)), DESCRIBES_NOTHING),
        (npy("not Python"), DESCRIBES_NOTHING),
        (npy("(" * 5000), DESCRIBES_NOTHING),
        (npy("-" * 9000 + "1"), DESCRIBES_NOTHING),
        (npy("1" + "+1" * 4000), DESCRIBES_NOTHING),
        (npy("9" * 9000), DESCRIBES_NOTHING),
        (npy("{[]: 1}"), DESCRIBES_NOTHING),
        (npy(claim("(2,)", "'|O'"), bytes(16)), "it holds Python objects, which are not read"),
        (npy(claim("(2,)", "'<f3'"), bytes(6)), "it holds no numbers: its type is `<f3`"),
        (npy(claim("(2,)", "[('a', '<f8')]"), bytes(16)), "it holds no numbers: its type is `[('a', '<f8')]`"),
        (npy(claim("(2,)", "'f8,' * 999")), DESCRIBES_NOTHING),
        (npy(claim("(2,)"), bytes(16), version=9), "it is of a version of the format that is not known"),
        (npy(claim("(2,)") + " " * LONGEST_HEADER, bytes(16)), "it has a header of 10"),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}", "it has a header of 4294967295 bytes, more than 10000"),
        (b"\x93NUMPY\x01", "it is of a version of the format that is not known"),
        (b"\x93NUMPY\x03\x00\x02\x00\x00\x00\xff\xff", "it is damaged"),
        (b"PK\x03\x04" + bytes(100), "it is damaged"),
        (b"", "it is neither a .npy nor a .npz file of numbers"),
        (b"\x80\x04N.", "it is neither a .npy nor a .npz file of numbers"),
    ],
)  # fmt: skip
def test_what_a_header_claims_is_compared_with_the_file(content: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / "a.npy").write_bytes(content)
    assert words in reason(tmp_path / "a.npy")
    if content.startswith(b"\x93NUMPY"):
        for packing in (ZIP_STORED, ZIP_DEFLATED):
            with ZipFile(tmp_path / "a.npz", "w", packing) as archive:
                archive.writestr("A.npy", content)
            assert words.removeprefix("it ") in reason(tmp_path / "a.npz")


def archived(path: Path, packing: int, content: bytes | None = None) -> bytearray:
    """An archive of one array, which its place is for."""
    buffer = BytesIO()
    np.save(buffer, np.arange(500.0))
    with ZipFile(path, "w", packing) as archive:
        archive.writestr("A.npy", buffer.getvalue() if content is None else content)
    return bytearray(path.read_bytes())


@pytest.mark.parametrize("packing", [ZIP_BZIP2, ZIP_LZMA])
def test_only_what_numpy_writes_is_unpacked(packing: int, tmp_path: Path) -> None:
    archived(tmp_path / "a.npz", packing)
    assert reason(tmp_path / "a.npz") == "its entry `A` is compressed in a way that NumPy does not write"


def test_damaged_and_encrypted_entries(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    whole = archived(path, ZIP_DEFLATED)
    central = whole.rindex(b"PK\x01\x02")
    for place, value, words in (
        (200, 0xFF, "its entry `A` is damaged"),  # in the data
        (central + 8, 1, "its entry `A` is encrypted"),
        (central + 10, 77, "its entry `A` is compressed in a way that NumPy does not write"),
        (central + 16, 0, "its entry `A` is damaged"),  # the checksum
        (central + 24, 7, "its entry `A` is damaged: its header claims"),  # the size
        (central + 6, 99, "it is damaged"),  # the version
    ):
        content = bytearray(whole)
        content[place] = value if content[place] != value else 255 - value
        path.write_bytes(content)
        assert reason(path).startswith(words), place


def test_a_zip_bomb_stays_packed(tmp_path: Path) -> None:
    """The archive is of a few kilobytes; its entry would be of more than a quarter of a gigabyte."""
    entries = LARGEST_EXPANSION[0] // 8
    path = tmp_path / "a.npz"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive, archive.open("A.npy", "w") as stream:
        stream.write(npy(claim(f"({entries},)")))
        for _ in range(entries * 8 // MEGABYTE):
            stream.write(bytes(MEGABYTE))
    assert reason(path).startswith("its entry `A` would grow from ")
    assert "more than 100 times" in words_of('tensor A[4] values "a.npz"', tmp_path)
    with pytest.raises(CompileError, match=r"error\[E0514\]: cannot read `.*`: its entry `A` would grow"):
        load_arguments(path, {"A"})
    assert load_arguments(path, {"B"}) == {}  # nobody asks for it


def test_an_array_of_another_shape_is_not_unpacked(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "a.npz", A=np.zeros((MEGABYTE, 16)))
    tracemalloc.start()
    said = words_of('tensor A[4] values "a.npz"', tmp_path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert said.startswith("error[E0218]: `a.npz` has shape (1048576, 16) for `A`, which is declared with shape (4,)")
    assert peak < 8 * MEGABYTE


def test_a_pipe_is_no_file_of_arrays(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.npy")
    assert reason(tmp_path / "a.npy") == "it is no regular file"
    assert "cannot read `a.npy`: it is no regular file" in words_of('tensor A[3] nonzeros "a.npy"', tmp_path)


@pytest.mark.parametrize("kind", ["?", "i1", "<u2", ">i4", "<f2", ">f8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_real_numbers_of_every_type_are_read(kind: str, order: str, tmp_path: Path) -> None:
    array = np.asarray(np.arange(24).reshape(2, 3, 4) % 5, dtype=kind, order="F" if order == "F" else "C")
    np.save(tmp_path / "a.npy", array)
    np.savez(tmp_path / "b.npz", A=array, B=np.float64(3))
    np.savez_compressed(tmp_path / "c.npz", A=array)
    for name in ("a.npy", "b.npz", "c.npz"):
        found = read(tmp_path / name)
        assert found.dtype == array.dtype
        np.testing.assert_array_equal(found, array)
        found[...] = 0  # the arguments of a kernel are written to
    assert read(tmp_path / "b.npz", "B").shape == ()


def test_many_files_of_one_text(tmp_path: Path) -> None:
    """One is open at a time: systems have limits."""
    declarations = []
    for number in range(1100):
        save_arguments(tmp_path / f"{number}.npz", {f"A{number}": np.eye(2)})
        declarations.append(f'tensor A{number}[2, 2] nonzeros "{number}.npz"')
    check(parse(Source("t.ein", "\n".join([*declarations, "kernel f { A0[i,j] = A0[j,i] }"]))), {}, tmp_path)


def test_paths_that_no_system_knows() -> None:
    assert "cannot read `a" in words_of('tensor A[3] nonzeros "a\0b"')
    assert "cannot read" in words_of(f'tensor A[3] nonzeros "{"a" * 5000}"')
