// Kernels of @file@ for C++17: @name@.h with typed memory, and what is known when compiling.
//
//     if (const auto done = @name@::KERNEL(stream, arguments…, batch); !done)
//         std::fprintf(stderr, "%s\n", done.message());
//
// Nothing is thrown. In debug builds (without NDEBUG) a call checks that memory has the entries that it needs.
#ifndef @NAME@_HPP
#define @NAME@_HPP

#include "@name@.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace @name@ {

@include shared/status.hpp@

// Entries of type T in memory of the device: a pointer and a number, or what has both. It owns nothing.
@include shared/memory.hpp@

// Where a kernel runs.
using stream = @name@_stream;

// An extent that only the call knows.
@include shared/tensors.hpp@

@methods@

} // namespace @name@

#endif
