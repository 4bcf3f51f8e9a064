"""Matrices and layouts from files."""

import lzma
from pathlib import Path

import numpy as np
import pytest

from einsum_front.yateto.input import memoryLayoutFromFile, parseJSONMatrixFile, parseXMLMatrixFile

XML = """<m>
<matrix name="A" rows="2" columns="3">
<entry row="1" column="2" value="0.5"/><entry row="2" column="3" value="-1"/></matrix>
<matrix name="star" rows="2" columns="2"><entry row="2" column="1"/></matrix>
<matrix name="v" rows="3" columns="1"><entry row="2" column="1" value="2"/></matrix>
</m>"""

JSON = """[{"name": "v", "rows": 3, "columns": 1, "entries": [[1, 1, "4.5"]]},
{"name": "row", "rows": 1, "columns": 3, "entries": [[1, 3, 2]]},
{"name": "W", "shape": [2, 2, 2], "entries": [[1, 2, 1], [2, 2, 2]]}]"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "a.xml").write_text(XML, encoding="utf-8")
    (tmp_path / "a.json").write_text(JSON, encoding="utf-8")
    return tmp_path


def test_xml(files: Path) -> None:
    db = parseXMLMatrixFile(f"{files}/a.xml", {"star": ["star(0)", "star(1)"]})
    assert db.A.values_as_ndarray().tolist() == [[0, 0.5, 0], [0, 0, -1]]
    assert db.A.values() == {(0, 1): "0.5", (1, 2): "-1"}
    assert not db.star[1].is_compute_constant()
    assert db.star[1].spp().as_ndarray().tolist() == [[0, 0], [1, 0]]
    assert db.v.shape() == (3,)


def test_xml_that_is_transposed_and_compressed(files: Path) -> None:
    (files / "b.xml.xz").write_bytes(lzma.compress(XML.encode()))
    db = parseXMLMatrixFile(f"{files}/b.xml", transpose=lambda name: name in {"A", "v"}, namespace="n")
    assert db.A.shape() == (3, 2)
    assert db.A.values_as_ndarray()[1, 0] == 0.5
    assert db.A.namespace == "n"
    assert db.v.shape() == (1, 3)


def test_json(files: Path) -> None:
    db = parseJSONMatrixFile(f"{files}/a.json", transpose=lambda name: name == "row")
    assert db.v.values() == {(0,): "4.5"}
    assert db.row.shape() == (3,)
    assert db.row.values_as_ndarray().tolist() == [0, 0, 2]
    assert not db.W.is_compute_constant()
    assert np.argwhere(db.W.spp().as_ndarray()).tolist() == [[0, 1, 0], [1, 1, 1]]


def test_layouts(files: Path) -> None:
    db = parseXMLMatrixFile(f"{files}/a.xml", {"star": ["star(0)", "star(1)"], "A": ["A", "B"]})
    db.star[0].setGroupSpp(db.star[0].spp())
    layout = """<l><group name="g"><matrix name="A"/><matrix name="B"/></group>
    <matrix group="g" sparse="true"/><matrix name="star" sparse="1"/><matrix name="unknown" sparse="true"/></l>"""
    (files / "l.xml").write_text(layout, encoding="utf-8")
    memoryLayoutFromFile(f"{files}/l.xml", db, {"star": ["star(0)", "star(1)"]})
    assert [t.memoryLayout().isCSC() for t in (db.A, db.B, db.star[0], db.star[1], db.v)] == [True] * 4 + [False]
    with pytest.raises(ValueError, match=r"E0177.*names `unknown`"):
        memoryLayoutFromFile(f"{files}/l.xml", db, {"star": ["star(0)", "star(1)"]}, strict=True)


def test_members_of_a_group_have_one_shape(files: Path) -> None:
    db = parseXMLMatrixFile(f"{files}/a.xml")
    layout = '<l><group name="g"><matrix name="A"/><matrix name="star"/></group></l>'
    (files / "l.xml").write_text(layout, encoding="utf-8")
    with pytest.raises(ValueError, match=r"E0177.*different shapes"):
        memoryLayoutFromFile(f"{files}/l.xml", db, {})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<m><tensor/></m>", "a tag `tensor` where `matrix` is expected"),
        ('<m><matrix name="A" rows="2"/></m>', "has no `columns`"),
        ("<m>", "is no XML"),
    ],
)
def test_files_that_are_malformed(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "a.xml").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=rf"E0177.*{words}"):
        parseXMLMatrixFile(f"{tmp_path}/a.xml")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[", "is no JSON"),
        ('{"name": "A"}', "where a matrix is expected"),
        ('[{"name": "A", "entries": []}]', "expected"),
    ],
)
def test_json_that_is_malformed(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=rf"E0177.*{words}"):
        parseJSONMatrixFile(f"{tmp_path}/a.json")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        parseJSONMatrixFile(f"{tmp_path}/a.json")
