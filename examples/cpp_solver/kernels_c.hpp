// The kernels as functions of the host (target c): on all threads of OpenMP.
#pragma once

#include "acoustic_kernels.hpp"

#include <array>
#include <stdexcept>
#include <vector>

class Kernels {
public:
#ifdef __clang__
    static constexpr bool runtime_allocates = true; // LLVM's OpenMP, in each parallel loop
#else
    static constexpr bool runtime_allocates = false;
#endif

    // Advances `solution`, which has cell after cell. `neighbours` has a list of cells for each face: behind and ahead
    // in x, y, z.
    Kernels(std::vector<double> &solution, const std::array<std::vector<std::size_t>, 6> &neighbours)
        : solution_(solution), integral_(solution.size())
    {
        for (std::size_t face = 0; face < 6; ++face)
            for (const std::size_t cell : neighbours[face])
                neighbours_[face].push_back(&integral_[cell * size]);
    }

    // One time step, with courant = c dt / h.
    void step(double courant)
    {
        const auto &n = neighbours_;
        const auto batch = static_cast<std::int64_t>(n[0].size());
        require(acoustic_kernels::local(acoustic_kernels::parallel, solution_, integral_, courant, batch));
        require(acoustic_kernels::incoming(
            acoustic_kernels::parallel, solution_, n[0], n[1], n[2], n[3], n[4], n[5], batch));
    }

    // Returns when the solution is there. Here it always is.
    void finish() {}

private:
    static constexpr std::size_t size = acoustic_kernels::tensor::Q::size;

    static void require(const acoustic_kernels::status &done)
    {
        if (!done)
            throw std::runtime_error(done.message());
    }

    std::vector<double> &solution_;
    std::vector<double> integral_;
    std::array<std::vector<const double *>, 6> neighbours_;
};
