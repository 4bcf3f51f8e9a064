"""`kernel.h` and `kernel.cpp`: a struct for each kernel or family of kernels, as C++ programs for YATeTo expect it.

    seissol::kernel::volume krnl;       pointers of tensors and values of scalars are members
    krnl.Q = ...; krnl.star(0) = ...;   members of groups are in containers of `tensor.h`
    krnl.execute();                     one element, on the calling thread
    krnl._batch.Q = ...;                pointers to pointers of what each element has
    krnl.executeBatch(1000);            so many elements, one after the other

    seissol::kernel::gpu_volume krnl;   of `target="gpu"`: members are pointers to pointers, one for each element
    krnl.numElements = 1000; krnl.streamPtr = stream;
    krnl.execute();                     starts all of them

`execute` checks that every member is set (`assert`), copies what the kernel cannot take as it lies, and calls the
function of the kernel in `subroutine.cpp`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from einsum_front import ir
from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import static
from einsum_front.exporter.copies import Copy
from einsum_front.yateto.arch import Architecture
from einsum_front.yateto.codegen.code import Cpp
from einsum_front.yateto.evaluation import PatternTensor
from einsum_front.yateto.formula import Assign, entries_of, scalars_of
from einsum_front.yateto.identifiers import IdentifiedType, Scalar, joined
from einsum_front.yateto.stored import StoredKernel, entry_type
from einsum_front.yateto.subroutines import Function, GpuSubroutine, prefetch_member, spelled
from einsum_front.yateto.type import Datatype, Tensor

CONSTANT = "constexpr static unsigned long const"
NO_STREAM = "reinterpret_cast<void*>(std::numeric_limits<std::uintptr_t>::max())"
"""The stream of a launch that none is set for; the null pointer is a stream."""

LARGEST_ON_STACK = 2**19
"""Bytes of a copy; a larger one is on the heap."""

EACH = """namespace {
// A tensor that each element of a batch has its own of: the pointer to it, those of all elements, bytes to fetch.
struct Each { void* own; void const* all; unsigned long size; };

// Sets the pointers of an element, unless all have the same, and fetches what only the next one has.
template <unsigned count> [[gnu::noinline]] void take(Each const (&each)[count], unsigned long element, bool is_last) {
  for (auto const& [own, all, size] : each) {
    if (all == nullptr) continue;
    auto const pointers = static_cast<char const*>(all) + element * sizeof(void*);
    std::uintptr_t next;
    std::memcpy(own, pointers, sizeof next);
    if (is_last || std::memcmp(pointers, pointers + sizeof next, sizeof next) == 0) continue;
    std::memcpy(&next, pointers + sizeof next, sizeof next);
    for (auto line = next / 64 * 64; line < next + size; line += 64)
      __builtin_prefetch(reinterpret_cast<void const*>(line), 0, 2);
  }
}
} // namespace"""


@dataclass(frozen=True, eq=False)
class Member:
    """A kernel of the script: what it computes, and the function that does.

    `names` are the names of the program's arguments by tensor and scalar of the script.
    """

    assignments: Sequence[Assign]
    prefetched: Sequence[Tensor]
    stored: StoredKernel
    function: Function
    names: Mapping[IdentifiedType, str]

    @cached_property
    def tensors(self) -> list[Tensor]:
        """What the caller gives memory of, by name."""
        found = {each.tensor: None for assignment in self.assignments for each in entries_of(assignment)}
        tensors = [each for each in found if isinstance(each, Tensor)]
        return sorted((t for t in tensors if not t.temporary and not isinstance(t, PatternTensor)), key=Tensor.name)

    @cached_property
    def scalars(self) -> list[Scalar]:
        """What the caller gives a number for, by name."""
        found = {each for assignment in self.assignments for each in scalars_of(assignment)}
        return sorted(found, key=Scalar.name)

    @cached_property
    def written(self) -> frozenset[Tensor]:
        """The tensors that the kernel assigns."""
        targets = (assignment.target.tensor for assignment in self.assignments)
        return frozenset(each for each in targets if isinstance(each, Tensor))


@dataclass(frozen=True, eq=False)
class Struct:
    """A kernel (`number` None), or a family by the linear numbers of its members, of which each counts `strides`."""

    name: str
    namespace: str
    members: Mapping[int | None, Member]
    strides: tuple[int, ...]

    @property
    def is_family(self) -> bool:
        """True if its functions have numbers."""
        return None not in self.members

    @property
    def is_on_gpu(self) -> bool:
        """True if it runs over many elements on a GPU: all members do."""
        return any(isinstance(member.function, GpuSubroutine) for member in self.members.values())

    @property
    def slots(self) -> list[Member | None]:
        """The members in the order of their numbers, None for one that does not exist."""
        if not self.is_family:
            return [*self.members.values()]
        return [self.members.get(number) for number in range(1 + max(number or 0 for number in self.members))]


def write_kernels(folder: Path, namespace: str, structs: Sequence[Struct], arch: Architecture) -> None:
    """Writes `kernel.h` and `kernel.cpp` into a folder."""
    guard = namespace.upper().replace("::", "_")
    with Cpp(str(folder / "kernel.h")) as cpp, cpp.HeaderGuard(f"{guard}_KERNEL_H"):
        for header in ("cmath", "cstdint", "limits"):
            cpp.includeSys(header)
        cpp.include("yateto.h")
        cpp.include("tensor.h")
        for struct in structs:
            with cpp.Namespace(joined(namespace, struct.namespace, "kernel")), cpp.Struct(struct.name):
                _write_struct(cpp, struct, arch)
    with Cpp(str(folder / "kernel.cpp")) as cpp:
        for header in ("cassert", "cstring", "memory"):
            cpp.includeSys(header)
        cpp.include("subroutine.h")
        cpp.include("kernel.h")
        cpp(EACH)
        for struct in structs:
            with cpp.Namespace(joined(namespace, struct.namespace)):
                for number, member in struct.members.items():
                    suffix = "" if number is None else str(number)
                    with cpp.Function(f"kernel::{struct.name}::execute{suffix}"):
                        _write_body(cpp, member, arch)
                if not struct.is_on_gpu:
                    _write_batch(cpp, struct, arch)


# -- kernel.h ----------------------------------------------------------------------------------------------------------


def _write_struct(cpp: Cpp, struct: Struct, arch: Architecture) -> None:
    brackets = "[]" if struct.is_family else ""
    costs: dict[str, Callable[[Member], int]] = {
        "NonZeroFlops": lambda member: static(member.stored.planned.plan.cost.operations),
        "HardwareFlops": lambda member: static(member.stored.planned.plan.cost.executed),
        "InboundConstBytes": lambda member: _bytes(member, arch, is_constant=True),
        "InboundBytes": lambda member: _bytes(member, arch, is_constant=False),
        "OutboundBytes": lambda member: sum(_size(each, arch) for each in member.written if not each.temporary),
        "TmpMemRequiredInBytes": _temporary_bytes,
    }
    for name, cost in costs.items():
        numbers = [0 if member is None else cost(member) for member in struct.slots]
        cpp(f"{CONSTANT} {name}{brackets} = {_braced(numbers) if struct.is_family else numbers[0]};")
    largest = max(0 if member is None else costs["TmpMemRequiredInBytes"](member) for member in struct.slots)
    cpp(f"{CONSTANT} TmpMaxMemRequiredInBytes = {largest};")
    cpp.emptyline()
    _write_members(cpp, struct, arch)
    parameters = ", ".join(f"unsigned i{place}" for place in range(len(struct.strides)))
    number = " + ".join(f"{stride}*i{place}" for place, stride in enumerate(struct.strides))
    for name in costs:
        value = f"{name}[{number}]" if struct.is_family else name
        with cpp.Function(name[0].lower() + name[1:], parameters, "constexpr static unsigned long"):
            cpp(f"return {value};")
    _write_functions(cpp, struct, parameters, number)


def _temporary_bytes(member: Member) -> int:
    """Of the stack; a GPU has them in shared memory, and the caller gives none."""
    if isinstance(member.function, GpuSubroutine):
        return 0
    return static(ir.peak_bytes(member.stored.planned.plan.buffers))


def _write_members(cpp: Cpp, struct: Struct, arch: Architecture) -> None:
    members = struct.members.values()
    for name, scalar in _by_base_name(scalar for member in members for scalar in member.scalars):
        missing = f" = std::numeric_limits<{arch.typename}>::signaling_NaN()"
        cpp(_declared(name, scalar, arch.typename, missing))
    for name, tensor in _by_base_name(tensor for member in members for tensor in member.tensors):
        pointer = _pointer(struct, tensor, arch)
        cpp(_declared(name, tensor, f"{pointer}*" if struct.is_on_gpu and _is_each(tensor) else pointer, "{}"))
    if struct.is_on_gpu:
        _write_launch(cpp, struct, arch)
    else:
        cpp.emptyline()
        cpp("struct {")
        for name, tensor in _by_base_name(_each(struct)):
            cpp(f"  {_declared(name, tensor, f'{_pointer(struct, tensor, arch)} const*', '{}')}")
        if struct.is_family:
            cpp(f"  void ({struct.name}::*const* _members)() = nullptr;")
        cpp("} _batch;")
    cpp.emptyline()
    fetched = _by_base_name(tensor for member in members for tensor in member.prefetched)
    if fetched:
        with cpp.Struct("Prefetch"):
            for name, tensor in fetched:
                cpp(_declared(name, tensor, f"{entry_type(tensor, arch.typename)} const*", "{}"))
        cpp("Prefetch _prefetch;")
        cpp.emptyline()


def _pointer(struct: Struct, tensor: Tensor, arch: Architecture) -> str:
    """The type of the member for a tensor: constant unless some member of the family writes its group."""
    written = {each.baseNameWithNamespace() for member in struct.members.values() for each in member.written}
    real = entry_type(tensor, arch.typename)
    return f"{real}*" if tensor.baseNameWithNamespace() in written else f"{real} const*"


def _is_each(tensor: Tensor) -> bool:
    """True if every element of a batch has its own: on a GPU `Q[e] + extraOffset_Q` is that of element `e`."""
    return not tensor.is_compute_constant()


def _each(struct: Struct) -> list[Tensor]:
    """The tensors of a struct that every element of a batch has its own of."""
    return [each for member in struct.members.values() for each in member.tensors if _is_each(each)]


def _write_launch(cpp: Cpp, struct: Struct, arch: Architecture) -> None:
    """What a launch over many elements takes besides."""
    cpp.emptyline()
    cpp(f"yateto::LinearAllocatorT<{arch.typename}> linearAllocator;")
    cpp("unsigned numElements = 0;")
    cpp(f"void* streamPtr = {NO_STREAM};")
    cpp("unsigned* flags = nullptr;")
    for name, tensor in _by_base_name(tensor for member in struct.members.values() for tensor in member.tensors):
        cpp(_declared(name, tensor, "int", "{}", f"extraOffset_{name}"))


def _write_functions(cpp: Cpp, struct: Struct, parameters: str, number: str) -> None:
    if not struct.is_on_gpu:
        cpp("void executeBatch(unsigned long n);")
    if not struct.is_family:
        cpp("void execute();")
        return
    for place in struct.members:
        cpp(f"void execute{place}();")
    cpp(f"using member_function_ptr = void ({struct.name}::*)();")
    slots = enumerate(struct.slots)
    pointers = ("nullptr" if member is None else f"&{struct.name}::execute{place}" for place, member in slots)
    cpp(f"constexpr static member_function_ptr ExecutePtrs[] = {_braced(pointers)};")
    with cpp.Function("findExecute", parameters, "constexpr static member_function_ptr"):
        cpp(f"return ExecutePtrs[{number}];")
    with cpp.Function("execute", parameters, "inline void"):
        names = ", ".join(f"i{place}" for place in range(len(struct.strides)))
        cpp(f"(this->*findExecute({names}))();")
    if not struct.is_on_gpu:
        cpp("void executeMembers(unsigned long n, member_function_ptr const* members, unsigned long step);")
        with cpp.Function("executeBatch", f"unsigned long n, {parameters}", "inline void"):
            cpp(f"auto const all = findExecute({names});")
            cpp("executeMembers(n, &all, 0);")


def _bytes(member: Member, arch: Architecture, *, is_constant: bool) -> int:
    """The memory of what is only read: of tensors with values, or of those without."""
    read = (each for each in member.tensors if each not in member.written)
    return sum(_size(each, arch) for each in read if each.is_compute_constant() == is_constant)


def _size(tensor: Tensor, arch: Architecture) -> int:
    size = arch.bytesPerReal if tensor.datatype is None else tensor.datatype.size()
    return tensor.memoryLayout().requiredReals() * size


T = TypeVar("T", bound=IdentifiedType)


def _by_base_name(named: Iterable[T]) -> list[tuple[str, T]]:
    """One of each group by the base name, in the order of names."""
    found = {each.baseNameWithNamespace(): each for each in sorted(set(named), key=IdentifiedType.name, reverse=True)}
    return [(each.baseName(), each) for each in reversed(found.values())]


def _declared(name: str, named: IdentifiedType, type_: str, first: str, member: str | None = None) -> str:
    if not named.group():
        return f"{type_} {member or name}{first};"
    return f"{joined(named.namespace, 'tensor', name)}::Container<{type_}> {member or name};"


# -- kernel.cpp --------------------------------------------------------------------------------------------------------


def _write_body(cpp: Cpp, member: Member, arch: Architecture) -> None:
    for scalar in member.scalars:
        cpp(f"assert(!std::isnan({spelled(scalar)}));")
    for tensor in member.tensors:
        cpp(f"assert({spelled(tensor)} != nullptr);")
    if isinstance(member.function, GpuSubroutine):
        cpp(f"assert(streamPtr != {NO_STREAM});")
        cpp(member.function.call)
        for line in (f"streamPtr = {NO_STREAM};", "flags = nullptr;", "linearAllocator.free();"):
            cpp(line)
        return
    given = {member.names[each]: spelled(each) for each in (*member.tensors, *member.scalars)}
    fetched = member.stored.prefetched
    given |= {name: prefetch_member(each) for name, each in fetched.items()}
    bytes_ = {name: "uint8_t const" for name, each in fetched.items() if each.datatype is Datatype.BOOL}
    after = []
    for tensor in member.tensors:
        argument = member.names[tensor]
        if (copy := member.stored.copies.get(argument)) is not None:
            after.append(_write_copy(cpp, argument, tensor, copy, arch, is_written=tensor in member.written))
            given[argument] = f"{argument}_copy"
        if tensor.datatype is Datatype.BOOL:
            bytes_[argument] = "uint8_t" if tensor in member.written else "uint8_t const"
    given |= {name: f"reinterpret_cast<{type_}*>({given[name]})" for name, type_ in bytes_.items()}
    cpp(f"{member.function.qualified}({', '.join(given[name] for name in member.function.arguments)});")
    for line in after:
        cpp(line)


def _write_batch(cpp: Cpp, struct: Struct, arch: Architecture) -> None:
    """What runs many elements: each by `execute`, while the tensors of the next one are fetched.

    What all members of a family prefetch is left to their loops, where it does not wait in front of other loads.
    """
    name = f"kernel::{struct.name}"
    function, parameters, run = "executeBatch", "unsigned long n", "one.execute();"
    if struct.is_family:
        with cpp.Function(f"{name}::executeBatch", parameters):
            cpp("assert(n == 0 || _batch._members != nullptr);")
            cpp("executeMembers(n, _batch._members, 1);")
        function, parameters = "executeMembers", f"{parameters}, member_function_ptr const* members, unsigned long step"
        run = "(one.*members[element * step])();"
    always = set.intersection(*(set(member.stored.prefetched.values()) for member in struct.members.values()))
    tensors = {spelled(each): each for each in sorted(set(_each(struct)), key=Tensor.name)}
    with cpp.Function(f"{name}::{function}", parameters):
        cpp("auto one = *this;")
        rows = (
            f"{{&one.{each}, _batch.{each}, {_size(tensor, arch) if arch.prefetches and tensor not in always else 0}}}"
            for each, tensor in tensors.items()
        )
        cpp(f"::Each const each[] = {_braced(rows)};")
        with cpp.For("unsigned long element = 0; element < n; ++element"):
            if struct.is_family:
                cpp("assert(members[element * step] != nullptr);")
            cpp("::take(each, element, element + 1 == n);")
            for each in (each for each, tensor in tensors.items() if tensor in always):
                next_ = f"_batch.{each} != nullptr && element + 1 < n ? _batch.{each}[element + 1]"
                cpp(f"one._prefetch.{each} = {next_} : _prefetch.{each};")
            cpp(run)


def _write_copy(cpp: Cpp, name: str, tensor: Tensor, copy: Copy, arch: Architecture, *, is_written: bool) -> str:
    """Copies an argument to memory of the call; gives the line that copies it back, an empty one if nothing is."""
    source, real = spelled(tensor), entry_type(tensor, arch.typename)
    entries = [(entry, place) for entry, place in enumerate(copy.places) if place is not None]
    pairs = _braced(f"{{{entry}, {place}}}" for entry, place in entries)
    cpp(f"static constexpr unsigned {name}_places[][2] = {pairs};")
    if copy.size * arch.bytesPerReal > LARGEST_ON_STACK:
        cpp(f"std::unique_ptr<{real}[]> const {name}_memory(new {real}[{copy.size}]());")
        cpp(f"{real}* const {name}_copy = {name}_memory.get();")
    else:
        cpp(f"alignas({arch.cacheline}) {real} {name}_copy[{copy.size}] = {{}};")
    loop = f"for (auto const& place : {name}_places)"
    cpp(f"{loop} {name}_copy[place[1]] = {source}[place[0]];")
    return f"{loop} {source}[place[0]] = {name}_copy[place[1]];" if is_written else ""


def _braced(members: Iterable[object]) -> str:
    return "{" + ", ".join(map(str, members)) + "}"
