/* What launches ask of SYCL, as functions for C: an error instead of an exception. */
#include "internal.h"

#include <sycl/sycl.hpp>

#include <exception>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

thread_local std::string words;

template <class Call> int tried(const Call &call) noexcept
{
    try {
        try {
            call();
            return gpuSuccess;
        } catch (const std::exception &error) {
            words = error.what();
            throw;
        }
    } catch (const std::bad_alloc &) {
        return gpuErrorMemoryAllocation;
    } catch (const sycl::exception &error) {
        if (error.code() == make_error_code(sycl::errc::memory_allocation))
            return gpuErrorMemoryAllocation;
        return error.code() == make_error_code(sycl::errc::kernel_not_supported) ? gpuErrorNoBinary : gpuErrorUnknown;
    } catch (...) {
        return gpuErrorUnknown;
    }
}

sycl::queue &in_order(void *queue)
{
    if (queue == nullptr)
        throw std::invalid_argument("the queue is null");
    auto &given = *static_cast<sycl::queue *>(queue);
    if (!given.is_in_order())
        throw std::invalid_argument("the queue is not in order: it needs sycl::property::queue::in_order");
    return given;
}

void *allocated(std::size_t bytes, const sycl::queue &queue)
{
    void *const made = sycl::malloc_device(bytes, queue);
    if (made == nullptr)
        throw std::bad_alloc();
    return made;
}

struct used {
    sycl::event last;
    sycl::context context;
    void *memory;
};

struct constant {
    const void *values;
    sycl::context context;
    sycl::device device;
    void *memory;
};

/* Never destroyed: SYCL may be gone before they would be. */
struct kept {
    std::mutex mutex;
    std::vector<used> memory;
    std::vector<constant> constants;
};

kept &all()
{
    static kept *const made = new kept;
    return *made;
}

} // namespace

const char *gpuGetErrorString(int)
{
    return words.c_str();
}

int gpuGetUnits(int *units, void *queue)
{
    return tried([=] {
        *units = static_cast<int>(in_order(queue).get_device().get_info<sycl::info::device::max_compute_units>());
    });
}

/* What earlier calls have given back is free when their kernels have ended. */
int gpuMallocAsync(void **made, size_t bytes, void *queue)
{
    return tried([=] {
        const std::lock_guard<std::mutex> locked(all().mutex);
        std::vector<used> &before = all().memory;
        for (std::size_t i = before.size(); i-- > 0;)
            if (before[i].last.get_info<sycl::info::event::command_execution_status>()
                == sycl::info::event_command_status::complete) {
                sycl::free(before[i].memory, before[i].context);
                before.erase(before.begin() + static_cast<std::ptrdiff_t>(i));
            }
        *made = allocated(bytes, in_order(queue));
    });
}

int gpuFreeAsync(void *memory, void *queue)
{
    return tried([=] {
        sycl::queue &given = in_order(queue);
        const std::lock_guard<std::mutex> locked(all().mutex);
        all().memory.push_back({given.memset(memory, 0, 1), given.get_context(), memory}); /* comes after the kernels */
    });
}

int gpuMemsetAsync(void *memory, int value, size_t bytes, void *queue)
{
    return tried([=] { in_order(queue).memset(memory, value, bytes); });
}

int gpuLaunchKernel(const void *code, dim3 groups, dim3, void **given, size_t, void *queue)
{
    const auto launch = (void (*)(sycl::queue &, std::size_t, void **))code;
    return tried([=] { launch(in_order(queue), groups.x, given); });
}

int GPU(Constant)(void **place, const void *values, size_t bytes, void *queue)
{
    return tried([=] {
        sycl::queue &given = in_order(queue);
        const std::lock_guard<std::mutex> locked(all().mutex);
        for (const constant &each : all().constants)
            if (each.values == values && each.context == given.get_context() && each.device == given.get_device()) {
                *place = each.memory;
                return;
            }
        *place = allocated(bytes, given);
        given.memcpy(*place, values, bytes).wait();
        all().constants.push_back({values, given.get_context(), given.get_device(), *place});
    });
}
