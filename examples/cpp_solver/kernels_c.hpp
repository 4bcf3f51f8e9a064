// The kernels as functions of the host (target c): on all threads of OpenMP.
#pragma once

#include "acoustic_kernels.hpp"

#include <cstdint>
#include <stdexcept>
#include <vector>

class Kernels {
public:
#ifdef __clang__
    static constexpr bool runtime_allocates = true; // LLVM's OpenMP, in each parallel loop
#else
    static constexpr bool runtime_allocates = false;
#endif

    // Advances `solution`, which has cell after cell. `next` has six neighbours of each cell: behind and ahead in x, y, z.
    Kernels(std::vector<double> &solution, const std::vector<std::int32_t> &next)
        : solution_(solution), integral_(solution.size()), next_(next)
    {
    }

    // One time step, with courant = c dt / h.
    void step(double courant)
    {
        const auto batch = static_cast<std::int64_t>(solution_.size() / acoustic_kernels::tensor::Q::size);
        require(acoustic_kernels::predictor(acoustic_kernels::parallel, solution_, integral_, courant, batch));
        require(acoustic_kernels::corrector(acoustic_kernels::parallel, solution_, integral_, next_, batch));
    }

    // Returns when the solution is there. Here it always is.
    void finish() {}

private:
    static void require(const acoustic_kernels::status &done)
    {
        if (!done)
            throw std::runtime_error(done.message());
    }

    std::vector<double> &solution_;
    std::vector<double> integral_;
    std::vector<std::int32_t> next_;
};
