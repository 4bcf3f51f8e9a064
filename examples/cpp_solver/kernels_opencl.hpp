// The kernels on an OpenCL device that follows addresses of the host, which CPUs do (target opencl).
#pragma once

#include "acoustic_kernels.hpp"

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

class Kernels {
public:
    static constexpr bool runtime_allocates = true; // the driver, for its commands

    // Advances `solution`, which has cell after cell. `neighbours` has a list of cells for each face: behind and ahead
    // in x, y, z.
    Kernels(std::vector<double> &solution, const std::array<std::vector<std::size_t>, 6> &neighbours)
        : solution_(solution), integral_(solution.size())
    {
        cl_int error = CL_SUCCESS;
        const cl_device_id device = first_cpu();
        context_.reset(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error));
        require(error, "clCreateContext");
        queue_.reset(clCreateCommandQueue(context_.get(), device, 0, &error));
        require(error, "clCreateCommandQueue");
        for (std::size_t face = 0; face < 6; ++face) {
            std::vector<std::uint64_t> addresses;
            for (const std::size_t cell : neighbours[face])
                addresses.push_back(reinterpret_cast<std::uintptr_t>(&integral_[cell * size]));
            neighbours_[face] = buffer(addresses, CL_MEM_COPY_HOST_PTR);
        }
        solution_buffer_ = buffer(solution_, CL_MEM_COPY_HOST_PTR);
        integral_buffer_ = buffer(integral_, CL_MEM_USE_HOST_PTR); // its addresses are those of the host
        require(acoustic_kernels::kernels::create(context_.get(), device, kernels_));
        require(kernels_.prepare());
    }

    // Enqueues one time step, with courant = c dt / h.
    void step(double courant)
    {
        using acoustic_kernels::memory;
        const acoustic_kernels::launch launch{queue_.get()};
        const std::size_t cells = solution_.size() / size;
        const auto batch = static_cast<std::int64_t>(cells);
        const memory<double> solution{solution_buffer_.get(), solution_.size()};
        const memory<double> integral{integral_buffer_.get(), integral_.size()};
        const auto face = [&](int i) { return memory<const std::uint64_t>{neighbours_[i].get(), cells}; };
        require(kernels_.local(launch, solution, integral, courant, batch));
        require(kernels_.incoming(launch, solution, face(0), face(1), face(2), face(3), face(4), face(5), batch));
    }

    // Returns when all steps are done, and the solution has what they gave.
    void finish()
    {
        const std::size_t bytes = solution_.size() * sizeof(double);
        require(clEnqueueReadBuffer(
                    queue_.get(), solution_buffer_.get(), CL_TRUE, 0, bytes, solution_.data(), 0, nullptr, nullptr),
                "clEnqueueReadBuffer");
    }

private:
    static constexpr std::size_t size = acoustic_kernels::tensor::Q::size;

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

    static cl_device_id first_cpu()
    {
        std::array<cl_platform_id, 16> platforms{};
        cl_uint found = 0;
        require(clGetPlatformIDs(platforms.size(), platforms.data(), &found), "clGetPlatformIDs");
        for (cl_uint i = 0; i < found && i < platforms.size(); ++i)
            if (cl_device_id device = nullptr;
                clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, nullptr) == CL_SUCCESS)
                return device;
        throw std::runtime_error("no CPU has an OpenCL driver here");
    }

    template <class T>
    Buffer buffer(std::vector<T> &entries, cl_mem_flags flags)
    {
        cl_int error = CL_SUCCESS;
        Buffer made(clCreateBuffer(
            context_.get(), CL_MEM_READ_WRITE | flags, entries.size() * sizeof(T), entries.data(), &error));
        require(error, "clCreateBuffer");
        return made;
    }

    std::vector<double> &solution_;
    std::vector<double> integral_;
    Owned<cl_context, clReleaseContext> context_;
    Owned<cl_command_queue, clReleaseCommandQueue> queue_;
    Buffer solution_buffer_, integral_buffer_;
    std::array<Buffer, 6> neighbours_;
    acoustic_kernels::kernels kernels_;
};
