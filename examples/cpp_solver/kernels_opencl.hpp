// The kernels on an OpenCL device (target opencl), the first one of all platforms.
#pragma once

#include "acoustic_kernels.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

class Kernels {
public:
    static constexpr bool runtime_allocates = true; // the driver, for its commands

    // Advances `solution`, which has cell after cell. `next` has six neighbours of each cell: behind and ahead in x, y, z.
    Kernels(std::vector<double> &solution, const std::vector<std::int32_t> &next) : solution_(solution)
    {
        cl_int error = CL_SUCCESS;
        const cl_device_id device = first_device();
        context_.reset(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error));
        require(error, "clCreateContext");
        queue_.reset(clCreateCommandQueue(context_.get(), device, 0, &error));
        require(error, "clCreateCommandQueue");
        next_ = buffer(next.size() * sizeof(std::int32_t), next.data());
        solution_buffer_ = buffer(bytes(), solution.data());
        integral_ = buffer(bytes());
        require(acoustic_kernels::kernels::create(context_.get(), device, kernels_));
        require(kernels_.prepare());
    }

    // Enqueues one time step, with courant = c dt / h.
    void step(double courant)
    {
        using acoustic_kernels::memory;
        const acoustic_kernels::launch launch{queue_.get()};
        const std::size_t cells = solution_.size() / acoustic_kernels::tensor::Q::size;
        const auto batch = static_cast<std::int64_t>(cells);
        const memory<double> solution{solution_buffer_.get(), solution_.size()};
        const memory<double> integral{integral_.get(), solution_.size()};
        const memory<const std::int32_t> next{next_.get(), 6 * cells};
        require(kernels_.predictor(launch, solution, integral, courant, batch));
        require(kernels_.corrector(launch, solution, integral, next, batch));
    }

    // Returns when all steps are done, and the solution has what they gave.
    void finish()
    {
        require(clEnqueueReadBuffer(
                    queue_.get(), solution_buffer_.get(), CL_TRUE, 0, bytes(), solution_.data(), 0, nullptr, nullptr),
                "clEnqueueReadBuffer");
    }

private:
    template <auto function>
    struct Release {
        template <class Handle>
        void operator()(Handle handle) const
        {
            function(handle);
        }
    };
    template <class Handle, auto function>
    using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Release<function>>;
    using Buffer = Owned<cl_mem, clReleaseMemObject>;

    static void require(const acoustic_kernels::status &done)
    {
        if (!done)
            throw std::runtime_error(done.message());
    }

    static void require(cl_int error, const char *what)
    {
        if (error != CL_SUCCESS)
            throw std::runtime_error(std::string(what) + " gives " + std::to_string(error));
    }

    static cl_device_id first_device()
    {
        std::array<cl_platform_id, 16> platforms{};
        cl_uint found = 0;
        require(clGetPlatformIDs(platforms.size(), platforms.data(), &found), "clGetPlatformIDs");
        for (cl_uint i = 0; i < found && i < platforms.size(); ++i)
            if (cl_device_id device = nullptr;
                clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS)
                return device;
        throw std::runtime_error("no device has an OpenCL driver here");
    }

    // Memory of the device, with what the host has there.
    Buffer buffer(std::size_t size, const void *host = nullptr)
    {
        cl_int error = CL_SUCCESS;
        const cl_mem_flags flags = CL_MEM_READ_WRITE | (host ? CL_MEM_COPY_HOST_PTR : 0);
        Buffer made(clCreateBuffer(context_.get(), flags, size, const_cast<void *>(host), &error));
        require(error, "clCreateBuffer");
        return made;
    }

    std::size_t bytes() const { return solution_.size() * sizeof(double); }

    std::vector<double> &solution_;
    Owned<cl_context, clReleaseContext> context_;
    Owned<cl_command_queue, clReleaseCommandQueue> queue_;
    Buffer solution_buffer_, integral_, next_;
    acoustic_kernels::kernels kernels_;
};
