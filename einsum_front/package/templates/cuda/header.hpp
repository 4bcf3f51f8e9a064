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
#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>

// Where a kernel runs.
namespace @name@ {
using stream = @name@_stream;
}

@include shared/gpu_header.hpp@
