"""SYCL 2020: a function for each kernel that any compiler of SYCL takes, and one of the same name that launches it.

    static inline void volume_sycl(const sycl::nd_item<2> &item, double *__restrict__ Q, …) { … }

    sycl::event volume_sycl(sycl::queue &queue, std::size_t groups, double *__restrict__ Q, …)

`HEADER` stands once above such texts. Work-groups count in the second dimension, which SYCL has fastest, work-items in
both, the first last. Local arrays are parts of one accessor. Nothing is asked of sub-groups, and no extension is used.
"""

from collections.abc import Iterator

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import Features
from einsum_front.tl_backend.kernel.types import AddressSpace
from einsum_front.tl_backend.targets.c_family import INDENT, Language, Line
from einsum_front.tl_backend.targets.c_operators import PREFIX, Text, Words
from einsum_front.tl_backend.targets.cpp import RESERVED, Cpp, functions, local_places

HEADER = "#include <string.h>\n\n#include <sycl/sycl.hpp>\n"

LOCAL = "group_memory"

ALIGNED = "struct alignas(128) local_line { unsigned char bytes[128]; };"
"""What local memory consists of, so that it begins where any array may begin."""

LINE = 128

EXCHANGES = r"""
template <class T> INLINE auto atomic(T *target)
{
    return sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device>(*target);
}
template <class T> INLINE T atomicExch(T *target, T value) { return atomic(target).exchange(value); }
template <class T> INLINE T atomicAdd(T *target, T value) { return atomic(target).fetch_add(value); }
template <class T> INLINE T atomicCAS(T *target, T old, T value)
{
    atomic(target).compare_exchange_strong(old, value);
    return old;
}
"""
"""What CUDA has, and atomic updates are written with."""

PREFETCH = r"""
INLINE void prefetch(const void *base, long long offset)
{
    using sycl::access::address_space;
    if (base != nullptr)
        sycl::address_space_cast<address_space::global_space, sycl::access::decorated::no>((const char *)base + offset)
            .prefetch(1);
}
"""

ENDING = "_sycl"

_WORDS = "sycl item group_memory local_line queue groups handler atomic size_t"


class Sycl(Cpp):
    """The printer for SYCL."""

    functions = functions("sycl::", ENDING)
    words = Words(
        "inline", "memcpy", ("unsigned int", "unsigned long long"), "unsigned short",
        ("number = sycl::bit_cast<sycl::half>(bits);",),
        ("bits = sycl::bit_cast<unsigned short>(static_cast<sycl::half>(number));",),
    )  # fmt: skip
    exchanges = EXCHANGES
    prefetches = PREFETCH
    barrier = "sycl::group_barrier(item.get_group())"
    ending = ENDING

    def preamble(self, file: tree.File, found: Features) -> Iterator[str]:
        """What the text needs of its own."""
        if any(each.space is AddressSpace.LOCAL for each in found.arrays):
            yield ALIGNED
        yield from self.common(found)

    def table_space(self) -> str:
        """Kernels may read what is known when compiling."""
        return "static constexpr"

    def attributes(self, function: tree.Function) -> Iterator[str]:
        """None: the launch says how large work-groups are."""
        yield from ()

    def head(self, function: tree.Function) -> tuple[str, tuple[str, ...]]:
        """A kernel is told which work-item it is, and where its group has local memory."""
        self._places, size = local_places(function)
        if function.work_group_size is None:
            return "static inline void", ()
        item = "[[maybe_unused]] const sycl::nd_item<2> &item"
        return "static inline void", (item, f"unsigned char *{LOCAL}") if size else (item,)

    def geometry(self, expression: tree.GroupId | tree.GroupCount | tree.ItemId) -> Text:
        """Members of the item."""
        match expression:
            case tree.GroupId():
                place = "get_group(1)"
            case tree.GroupCount():
                place = "get_group_range(1)"
            case tree.ItemId(dimension=dimension):
                place = f"get_local_id({1 - dimension})"
        return f"(long long)item.{place}", PREFIX

    def multiply(self, statement: tree.MatrixMultiplyAdd) -> str:
        """SYCL 2020 has none."""
        raise CompilerBug("SYCL 2020 has no products of matrices: its target has no instruction for them")

    def _simple(self, statement: tree.Declare | tree.DeclareArray | tree.Assign | tree.Call) -> str:
        """Local arrays are parts of the accessor."""
        if isinstance(statement, tree.DeclareArray) and statement.space is AddressSpace.LOCAL:
            return self.in_shared(statement, LOCAL)
        return super()._simple(statement)

    def _function(self, function: tree.Function) -> None:
        """Below a kernel the function that launches it."""
        super()._function(function)
        if function.work_group_size is not None:
            self._lines += map(Line, self._launch(function))

    def _launch(self, function: tree.Function) -> Iterator[str]:
        """Submits so many work-groups to a queue; the arguments are those of the kernel."""
        name, (rows, columns, _) = function.name + self.ending, function.work_group_size or (1, 1, 1)
        own = ["sycl::queue &queue", "std::size_t groups"]
        yield ""
        yield f"sycl::event {name}("
        parameters = [*own, *(self._declarator(each.type, each.name) for each in function.parameters)]
        yield from (f"{INDENT}{each}," for each in parameters[:-1])
        yield f"{INDENT}{parameters[-1]})"
        yield "{"
        yield f"{INDENT}return queue.submit([&](sycl::handler &handler) {{"
        given = ["item", *(each.name for each in function.parameters)]
        if size := local_places(function)[1]:
            yield f"{2 * INDENT}const sycl::local_accessor<local_line, 1> {LOCAL}({-(-size // LINE)}, handler);"
            given.insert(1, f"(unsigned char *)&{LOCAL}[0]")
        items = f"{{{columns}, {rows} * groups}}, {{{columns}, {rows}}}"
        yield f"{2 * INDENT}handler.parallel_for(sycl::nd_range<2>({items}), [=](sycl::nd_item<2> item) {{"
        yield f"{3 * INDENT}{name}({', '.join(given)});"
        yield f"{2 * INDENT}}});"
        yield f"{INDENT}}});"
        yield "}"


SYCL = Language("SYCL", RESERVED | {*_WORDS.split()}, Sycl, Sycl.ending, header=HEADER)
