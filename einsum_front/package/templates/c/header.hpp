// Kernels of @file@ for C++17: @name@.h with typed memory, and what is known when compiling.
//
//     if (const auto done = @name@::KERNEL(@name@::parallel, arguments…, batch); !done)
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

namespace @name@ {

@include shared/status.hpp@

// Entries of type T: a pointer and a number, or what has both, such as std::vector. It owns nothing.
@include shared/memory.hpp@

// Which threads run a batch: the caller alone, or those of OpenMP.
enum class threads : int { serial = @NAME@_SERIAL, parallel = @NAME@_PARALLEL };
inline constexpr threads serial = threads::serial;
inline constexpr threads parallel = threads::parallel;

// An extent that only the call knows.
@include shared/tensors.hpp@

// The set of instructions that kernels are run with.
inline const char *instructions() noexcept
{
    return @name@_instructions();
}

@methods@

} // namespace @name@

#endif
