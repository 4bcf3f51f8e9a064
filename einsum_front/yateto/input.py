"""Matrices and memory layouts from files; a file may be there as `NAME.xz` instead."""

import lzma
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from einsum_front.yateto import aspp
from einsum_front.yateto.memory import AlignedCSCMemoryLayout, CSCMemoryLayout, DenseMemoryLayout, is_padded
from einsum_front.yateto.mistakes import rejected
from einsum_front.yateto.type import Collection, Layout, Tensor
from einsum_front.yateto.util import create_collection

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

Clones = Mapping[str, Sequence[str]]
"""For the name of a matrix in a file the names of the tensors that are made from it."""

Choice = Callable[[str], bool]
NO_CLONES: Clones = {}
TRUE = frozenset({"yes", "true", "1"})


def _never(_name: str) -> bool:
    return False


def parseXMLMatrixFile(
    xmlFile: str,
    clones: Clones = NO_CLONES,
    transpose: Choice = _never,
    alignStride: Choice = _never,
    namespace: str | None = None,
) -> Collection:
    """Matrices of entries with values or without, positions from 1; a matrix of one column becomes a vector."""
    matrices: dict[str, Tensor] = {}
    for matrix in _root(xmlFile):
        _expect(xmlFile, matrix, "matrix")
        shape = int(_attribute(xmlFile, matrix, "rows")), int(_attribute(xmlFile, matrix, "columns"))
        entries = []
        for entry in matrix:
            _expect(xmlFile, entry, "entry")
            position = int(_attribute(xmlFile, entry, "row")), int(_attribute(xmlFile, entry, "column"))
            entries.append((*position, entry.get("value", True)))
        name = _attribute(xmlFile, matrix, "name")
        matrices.update(_tensors(name, shape, entries, clones, transpose, alignStride, namespace))
    return create_collection(matrices)


def parseJSONMatrixFile(
    jsonFile: str,
    clones: Clones = NO_CLONES,
    transpose: Choice = _never,
    alignStride: Choice = _never,
    namespace: str | None = None,
) -> Collection:
    """The same from JSON, for any number of modes: an entry is its position and a value, or the position alone."""
    matrices: dict[str, Tensor] = {}
    for matrix in _listed(jsonFile):
        shape = tuple(matrix[key] for key in ("rows", "columns") if key in matrix) or tuple(matrix["shape"])
        entries = matrix["entries"]
        if entries and len(entries[0]) == len(shape):
            entries = [(*entry, True) for entry in entries]
        matrices.update(_tensors(matrix["name"], shape, entries, clones, transpose, alignStride, namespace))
    return create_collection(matrices)


def memoryLayoutFromFile(xmlFile: str, db: Collection, clones: Clones, strict: bool = False) -> None:
    """Sets the layouts of tensors: groups share what they store, `sparse` is column by column.

    Names that the collection lacks are left out, unless it is `strict`.
    """
    root = _root(xmlFile)
    groups = {str(group.get("name")): _grouped(xmlFile, group, db, strict=strict) for group in root.findall("group")}
    for matrix in root.findall("matrix"):
        name, group = matrix.get("name", ""), matrix.get("group")
        if group in groups:
            names: Iterable[str] = groups[str(group)]
        elif name in clones or (name and db.containsName(name)):
            names = clones.get(name, (name,))
        elif strict:
            raise rejected("E0177", f"`{xmlFile}` names `{name or group}`, which is no matrix and no group")
        else:
            continue
        for tensor in (db.byName(each) for each in names):
            kept = tensor.memoryLayout().kept_alignment()
            layout = _layout(matrix.get("sparse", "").lower(), is_aligned=is_padded(kept))
            tensor.setMemoryLayout(layout, alignStride=kept if layout is DenseMemoryLayout else False)


def _layout(sparse: str, *, is_aligned: bool) -> Layout:
    if sparse in TRUE or (sparse == "aligned" and not is_aligned):
        return CSCMemoryLayout
    return AlignedCSCMemoryLayout if sparse == "aligned" else DenseMemoryLayout


def _grouped(file: str, group: "Element", db: Collection, *, strict: bool) -> list[str]:
    """The members of a group, which store the same entries from now on unless it says otherwise."""
    names: list[str] = []
    for matrix in group:
        _expect(file, matrix, "matrix")
        name = _attribute(file, matrix, "name")
        if strict and not db.containsName(name):
            raise rejected("E0177", f"group `{group.get('name')}` of `{file}` has `{name}`, which is no matrix")
        if names and db.byName(name).shape() != db.byName(names[-1]).shape():
            message = f"`{name}` and `{names[-1]}` are of one group and have different shapes"
            raise rejected("E0177", f"{message}: {db.byName(name).shape()} and {db.byName(names[-1]).shape()}")
        names.append(name)
    if group.get("noMutualSparsityPattern", "").lower() not in TRUE and names:
        shared = db.byName(names[0]).spp()
        for name in names[1:]:
            shared = aspp.add(shared, db.byName(name).spp())
        for name in names:
            db.byName(name).setGroupSpp(shared)
    return names


def _tensors(
    name: str,
    shape: Sequence[int],
    entries: Iterable[Sequence[Any]],
    clones: Clones,
    transpose: Choice,
    alignStride: Choice,
    namespace: str | None,
) -> Iterator[tuple[str, Tensor]]:
    modes = len(shape)
    found = {tuple(int(position) - 1 for position in entry[:modes]): entry[-1] for entry in entries}
    for clone in clones.get(name, (name,)):
        extents, values = tuple(shape), found
        if transpose(clone):
            extents, values = extents[::-1], {position[::-1]: value for position, value in values.items()}
        if modes == 2 and extents[1] == 1:
            extents, values = extents[:1], {position[:1]: value for position, value in values.items()}
        yield clone, Tensor(clone, extents, values, alignStride=alignStride(clone), namespace=namespace)


def _content(name: str) -> bytes:
    path = Path(name)
    packed = path.with_name(f"{path.name}.xz")
    if not path.exists() and packed.exists():
        return lzma.decompress(packed.read_bytes())
    return path.read_bytes()


def _listed(name: str) -> list[dict[str, Any]]:
    import json  # noqa: PLC0415 - most scripts read no files

    try:
        found = json.loads(_content(name))
    except json.JSONDecodeError as error:
        raise rejected("E0177", f"`{name}` is no JSON: {error}") from None
    for matrix in found if isinstance(found, list) else [None]:
        keys = matrix.keys() if isinstance(matrix, dict) else set()
        if not {"name", "entries"} <= keys or not {"rows", "shape"} & keys:
            note = "it is a list of objects with `name`, `entries`, and `rows` and `columns` or `shape`"
            raise rejected("E0177", f"`{name}` has {str(matrix)[:40]!r} where a matrix is expected", note)
    return list(found)


def _root(name: str) -> "Element":
    from xml.etree.ElementTree import ParseError, fromstring  # noqa: PLC0415 - as above

    try:
        return fromstring(_content(name))
    except ParseError as error:
        raise rejected("E0177", f"`{name}` is no XML: {error}") from None


def _expect(file: str, element: "Element", tag: str) -> None:
    if element.tag != tag:
        raise rejected("E0177", f"`{file}` has a tag `{element.tag}` where `{tag}` is expected")


def _attribute(file: str, element: "Element", name: str) -> str:
    value = element.get(name)
    if value is None:
        raise rejected("E0177", f"a `{element.tag}` of `{file}` has no `{name}`")
    return value
