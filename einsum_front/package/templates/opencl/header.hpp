// Kernels of @file@ for C++17: @name@.h with typed memory, and what is known when compiling.
//
//     @name@::kernels kernels;
//     if (const auto made = @name@::kernels::create(context, device, kernels); !made)
//         std::fprintf(stderr, "%s\n", made.message());
//
// Nothing is thrown. In debug builds (without NDEBUG) a launch checks that memory has the entries that it needs.
#ifndef @NAME@_HPP
#define @NAME@_HPP

#include "@name@.h"

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace @name@ {

@include shared/status.hpp@

// Entries of type T in memory of a device, as a span is entries of the host. It owns nothing.
template <class T>
class memory {
public:
    constexpr memory(cl_mem handle, std::size_t entries) noexcept : handle_(handle), entries_(entries) {}
    constexpr operator memory<const T>() const noexcept { return {handle_, entries_}; }
    constexpr cl_mem handle() const noexcept { return handle_; }
    constexpr std::size_t size() const noexcept { return entries_; }

    status check(const char *kernel, const char *argument, std::int64_t batch, std::int64_t span, std::int64_t distance)
        const noexcept
    {
        return @name@_check_entries(kernel, argument, entries_, batch, span, distance);
    }

private:
    cl_mem handle_;
    std::size_t entries_;
};

// A queue, the events to wait for, and where to put the event of the kernel: `{queue}` is enough.
struct launch : @name@_launch {
    explicit constexpr launch(
        cl_command_queue queue, cl_uint wait_count = 0, const cl_event *wait_list = nullptr,
        cl_event *event = nullptr) noexcept
        : @name@_launch{queue, wait_count, wait_list, event}
    {
    }
};

// An extent that only the launch knows.
@include shared/tensors.hpp@

// The kernels of one context and device.
class kernels {
public:
    kernels() noexcept = default;

    static status create(cl_context context, cl_device_id device, kernels &made) noexcept
    {
        @name@_library *handle = nullptr;
        const status found = @name@_create(context, device, &handle);
        made.made_.reset(handle);
        return found;
    }

    // Compile or load all kernels now; else each is at its first launch.
    status prepare() const noexcept { return @name@_prepare(made_.get()); }

    // How many programs were compiled, and did not come from the cache.
    std::int64_t compiled() const noexcept { return @name@_compiled(made_.get()); }

    @name@_library *handle() const noexcept { return made_.get(); }

@methods@

private:
    struct release {
        void operator()(@name@_library *made) const noexcept { @name@_destroy(made); }
    };
    std::unique_ptr<@name@_library, release> made_;
};

} // namespace @name@

#endif
