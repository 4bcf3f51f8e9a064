/* What device code needs, and how its launches take their arguments. */
#include <string.h>

#include <sycl/sycl.hpp>

#include <utility>

/* A kernel with the arguments that stand at these addresses. */
template <class... P, std::size_t... n>
inline void @name@_unpack(
    sycl::event (*kernel)(sycl::queue &, std::size_t, P...), sycl::queue &queue, std::size_t groups,
    [[maybe_unused]] void **given, std::index_sequence<n...>)
{
    kernel(queue, groups, *static_cast<P *>(given[n])...);
}

template <class... P>
inline void @name@_unpack(
    sycl::event (*kernel)(sycl::queue &, std::size_t, P...), sycl::queue &queue, std::size_t groups, void **given)
{
    @name@_unpack(kernel, queue, groups, given, std::index_sequence_for<P...>());
}

#define gpuCode(kernel)                                                                                            \
    ((const void *)+[](sycl::queue &queue, std::size_t groups, void **given) {                                     \
        @name@_unpack(kernel, queue, groups, given);                                                               \
    })
#define gpuGetSymbolAddress(place, symbol) GPU(Constant)(place, symbol, sizeof symbol, queue)
