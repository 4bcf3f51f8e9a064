"""`tensor.h` and `init.h`: shapes, sizes, patterns, values and views, as C++ programs for YATeTo expect them.

What they say of memory is YATeTo's layout: a box around the entries, or columns of them. A program includes YATeTo's
own `yateto.h`, which has the views.
"""

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from itertools import groupby, product
from pathlib import Path

from einsum_front.core.dataclass import dataclass
from einsum_front.yateto.arch import Architecture
from einsum_front.yateto.codegen.code import Cpp
from einsum_front.yateto.identifiers import IdentifiedType, joined
from einsum_front.yateto.memory import DenseMemoryLayout
from einsum_front.yateto.mistakes import rejected
from einsum_front.yateto.stored import entry_type
from einsum_front.yateto.type import Tensor

UNSIGNED = "constexpr static unsigned const"
Group = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Family:
    """A tensor or a scalar (no extents), or the members of a group; the first number of a group runs fastest."""

    name: str
    extents: Group
    members: Mapping[Group, IdentifiedType]

    @property
    def tensors(self) -> dict[Group, Tensor]:
        """The members that are tensors."""
        return {group: member for group, member in self.members.items() if isinstance(member, Tensor)}

    @property
    def strides(self) -> list[int]:
        """Weights of the numbers of a group in the linear number of a member."""
        strides = [1]
        for extent in self.extents:
            strides.append(strides[-1] * extent)
        return strides[:-1]

    def linear(self) -> list[Group]:
        """All numbers of the group, those of absent members too, in the order of their linear numbers."""
        return [group[::-1] for group in product(*(range(extent) for extent in reversed(self.extents)))]

    def number(self, group: Group) -> str:
        """The linear number of a member; nothing for what has no group."""
        return str(self.linear().index(group)) if self.extents else ""


def write_headers(folder: Path, namespace: str, named: Iterable[IdentifiedType], arch: Architecture) -> None:
    """Writes `tensor.h`, `init.h` and their sources for some tensors and scalars into a folder."""
    spaces = [(space, list(families)) for space, families in groupby(_families(named), lambda each: each[0])]
    guard = namespace.upper().replace("::", "_")
    with Cpp(str(folder / "tensor.h")) as cpp, cpp.HeaderGuard(f"{guard}_TENSOR_H"):
        for space, families in spaces:
            with cpp.Namespace(joined(namespace, space, "tensor")):
                for _, family in families:
                    _write_tensor(cpp, family)
    with Cpp(str(folder / "init.h")) as cpp, cpp.HeaderGuard(f"{guard}_INIT_H"):
        cpp.include("tensor.h")
        cpp.include("yateto.h")
        cpp(files(__package__).joinpath("templates", "const_views.h").read_text(encoding="utf-8"))
        for space, families in spaces:
            with cpp.Namespace(joined(namespace, space, "init")):
                for _, family in families:
                    _write_init(cpp, family, arch)
    with Cpp(str(folder / "tensor.cpp")) as cpp:
        cpp.include("tensor.h")
    with Cpp(str(folder / "init.cpp")) as cpp:
        cpp.include("init.h")
        for space, families in spaces:
            with cpp.Namespace(joined(namespace, space)):
                for _, family in families:
                    _write_values(cpp, family, arch)


def _families(named: Iterable[IdentifiedType]) -> list[tuple[str, _Family]]:
    found: dict[tuple[str, str], dict[Group, IdentifiedType]] = {}
    for each in dict.fromkeys(named):
        found.setdefault((each.namespace, each.baseName()), {})[each.group()] = each
    families = []
    for (space, name), members in sorted(found.items()):
        if len({len(group) for group in members}) > 1:
            listed = ", ".join(f"`{member.name()}`" for member in members.values())
            raise rejected("E0180", f"members of `{name}` differ in how many numbers their group has: {listed}")
        types = {member.datatype: member for member in members.values() if isinstance(member, Tensor)}
        if len(types) > 1:
            listed = ", ".join(f"`{member.name()}` has {kind}" for kind, member in types.items())
            raise rejected("E0180", f"members of `{name}` differ in the type of their entries: {listed}")
        extents = tuple(max(numbers) + 1 for numbers in zip(*members, strict=True))
        families.append((space, _Family(name, extents, dict(sorted(members.items())))))
    return families


# -- tensor.h ----------------------------------------------------------------------------------------------------------


def _write_tensor(cpp: Cpp, family: _Family) -> None:
    with cpp.Struct(family.name):
        if tensors := family.tensors:
            _write_sizes(cpp, family, tensors)
        if family.extents:
            _write_container(cpp, family)


def _write_sizes(cpp: Cpp, family: _Family, tensors: Mapping[Group, Tensor]) -> None:
    rank = max(len(tensor.shape()) for tensor in tensors.values())
    if not family.extents:
        (tensor,) = tensors.values()
        if rank:
            cpp(f"{UNSIGNED} Shape[{rank}] = {_braced(tensor.shape())};")
        cpp(f"{UNSIGNED} Size = {tensor.memoryLayout().requiredReals()};")
        _write_function(cpp, "size", "", "Size")
        return
    shapes = [tensors[group].shape() if group in tensors else (0,) * rank for group in family.linear()]
    sizes = [tensors[group].memoryLayout().requiredReals() if group in tensors else 0 for group in family.linear()]
    if rank:
        cpp(f"{UNSIGNED} Shape[][{rank}] = {_braced(map(_braced, shapes))};")
    cpp(f"{UNSIGNED} Size[] = {_braced(sizes)};")


def _write_container(cpp: Cpp, family: _Family) -> None:
    names = [f"i{number}" for number in range(len(family.extents))]
    arguments = ", ".join(f"unsigned {name}" for name in names)
    terms = (f"{stride}*{name}" for stride, name in zip(family.strides, names, strict=True))
    _write_function(cpp, "index", arguments, " + ".join(terms))
    call = f"index({', '.join(names)})"
    if family.tensors:
        _write_function(cpp, "size", arguments, f"Size[{call}]")
    cpp("template<typename T>")
    with cpp.Struct("Container"):
        cpp(f"T data[{len(family.linear())}];")
        cpp("Container() : data{} {}")
        cpp(f"T& operator()({arguments}) {{ return data[{call}]; }}")
        cpp(f"T const& operator()({arguments}) const {{ return data[{call}]; }}")


def _write_function(cpp: Cpp, name: str, arguments: str, value: str) -> None:
    cpp(f"constexpr static unsigned {name}({arguments}) {{ return {value}; }}")


# -- init.h and init.cpp -----------------------------------------------------------------------------------------------


def _write_init(cpp: Cpp, family: _Family, arch: Architecture) -> None:
    with cpp.Struct(f"{family.name} : tensor::{family.name}"):
        for group, tensor in family.tensors.items():
            for name, numbers in _arrays(tensor).items():
                cpp(f"{UNSIGNED} {name}{family.number(group)}[] = {_braced(numbers)};")
        for group, tensor in _known(family).items():
            cpp(f"static {entry_type(tensor, arch.typename)} const Values{family.number(group)}[];")
        if family.extents and _known(family):
            cpp(f"static {_ctype(family, arch)} const* Values[];")
        if family.tensors and family.extents:
            letters = (f"unsigned i{number}" for number in range(len(family.extents)))
            cpp(f"template<{', '.join(letters)}> struct view {{}};")
        elif family.tensors:
            _write_view(cpp, "view", "", family.tensors[()], arch)
    if family.extents:
        for group, tensor in family.tensors.items():
            cpp("template<>")
            name = f"{family.name}::view<{','.join(map(str, group))}>"
            _write_view(cpp, name, family.number(group), tensor, arch)


def _arrays(tensor: Tensor) -> dict[str, list[int]]:
    """Arrays that a view takes beside shape and memory."""
    layout = tensor.memoryLayout()
    if not isinstance(layout, DenseMemoryLayout):
        return {"RowInd": layout.rowIndex().tolist(), "ColPtr": layout.colPointer().tolist()}
    if not layout.shape():
        return {}
    return {"Start": [mode.start for mode in layout.bbox()], "Stop": [mode.stop for mode in layout.bbox()]}


def _write_view(cpp: Cpp, name: str, number: str, tensor: Tensor, arch: Architecture) -> None:
    real, layout = entry_type(tensor, arch.typename), tensor.memoryLayout()
    shape = _braced(tensor.shape())
    if isinstance(layout, DenseMemoryLayout):
        view, rank, made = "::yateto::DenseTensorView", f"{len(tensor.shape())},", "const_dense_view"
        given = (
            [shape, *(_braced(numbers) for numbers in _arrays(tensor).values())]
            if tensor.shape()
            else ["{}", "{}", "{}"]
        )
    else:
        view, rank, made = "::yateto::CSCMatrixView", "", "const_csc_view"
        given = [shape, f"RowInd{number}", f"ColPtr{number}"]
    with cpp.Struct(name):
        cpp(f"using type = {view}<{rank}{real},unsigned>;")
        cpp(f"using type_const = decltype(::einsum_front::{made}<{view},{rank}{real}>(0));")
        for word, pointer in (("type", f"{real}*"), ("type_const", f"{real} const*")):
            cpp(f"static {word} create({pointer} values) {{ return {word}(values, {', '.join(given)}); }}")


def _write_values(cpp: Cpp, family: _Family, arch: Architecture) -> None:
    known = _known(family)
    for group, tensor in known.items():
        aligned = f"alignas({arch.cacheline}) " if tensor.memoryLayout().alignedStride() else ""
        name = f"init::{family.name}::Values{family.number(group)}[]"
        cpp(f"{aligned}{entry_type(tensor, arch.typename)} const {name} = {_braced(_stored(tensor))};")
    if known and family.extents:
        pointers = (
            f"init::{family.name}::Values{family.number(g)}" if g in known else "nullptr" for g in family.linear()
        )
        cpp(f"{_ctype(family, arch)} const* init::{family.name}::Values[] = {_braced(pointers)};")


def _ctype(family: _Family, arch: Architecture) -> str:
    """The type in C++ of the entries of all members."""
    return entry_type(next(iter(family.tensors.values())), arch.typename)


def _known(family: _Family) -> dict[Group, Tensor]:
    """The members that have values."""
    return {group: tensor for group, tensor in family.tensors.items() if tensor.is_compute_constant()}


def _stored(tensor: Tensor) -> Sequence[str]:
    """The memory of a tensor as texts of numbers; what is stored and has no value is zero."""
    layout = tensor.memoryLayout()
    texts = ["0."] * layout.requiredReals()
    for position, value in (tensor.values() or {}).items():
        texts[layout.address(position)] = str(value)
    is_whole = tensor.datatype is not None and tensor.datatype.is_integer
    return [str(int(float(text))) for text in texts] if is_whole else texts


def _braced(members: Iterable[object]) -> str:
    return "{" + ", ".join(map(str, members)) + "}"
