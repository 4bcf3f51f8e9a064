// A plane wave travels through a periodic cube. Prints how far the solution is from the exact one, mesh by mesh.
#ifdef WITH_OPENCL
#include "kernels_opencl.hpp"
#else
#include "kernels_c.hpp"
#endif
#include "allocations.hpp"
#include "legendre.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

namespace {

using Solution = acoustic_kernels::tensor::Q;
constexpr std::size_t order = Solution::shape[0];
constexpr double speed = 1.5; // of sound
const double pi = std::acos(-1.0);
const double wave_number = 2 * pi * std::sqrt(3.0); // the wave goes along the diagonal of the unit cube
const double period = 2 * pi / (wave_number * speed);

using Quantities = std::array<double, 4>;

// The phase of the wave, which is the sine of it.
double phase(double x, double y, double z, double time)
{
    return 2 * pi * (x + y + z) - wave_number * speed * time;
}

Quantities exact(double phase)
{
    const double p = std::sin(phase), v = p / std::sqrt(3.0);
    return {p, v, v, v};
}

struct Deviation {
    double error; // in the norm of L2, in which the wave is 1
    double speed; // with which the wave of pressure has gone
};

// A mesh of cells * cells * cells cubes, and the solution on it: in cell x + cells * (y + cells * z).
class Mesh {
public:
    explicit Mesh(std::size_t cells) : cells_(cells), solution_(cells * cells * cells * Solution::size)
    {
        for (std::size_t q = 0; q < points; ++q)
            for (std::size_t i = 0; i < order; ++i)
                basis_[q][i] = legendre(static_cast<int>(i), gauss_.point[q]).first;
    }

    std::vector<double> &solution() { return solution_; }
    double width() const { return 1.0 / static_cast<double>(cells_); }
    std::size_t count() const { return cells_ * cells_ * cells_; }

    // The neighbours of each cell: behind and ahead in x, in y, in z.
    std::vector<std::int32_t> neighbours() const
    {
        std::vector<std::int32_t> found;
        for (std::size_t cell = 0; cell < count(); ++cell)
            for (std::size_t d = 0, stride = 1; d < 3; ++d, stride *= cells_) {
                const std::size_t at = cell / stride % cells_, origin = cell - at * stride;
                for (const std::size_t next : {at + cells_ - 1, at + 1})
                    found.push_back(static_cast<std::int32_t>(origin + next % cells_ * stride));
            }
        return found;
    }

    // Projects the exact wave at time 0 to the basis.
    void start()
    {
        std::fill(solution_.begin(), solution_.end(), 0.0);
        each_point(0, [](double weight, double phase, double *cell, const auto &basis) {
            const Quantities wave = exact(phase);
            for_basis(basis, [&](std::size_t entry, double value, double square) {
                for (std::size_t q = 0; q < 4; ++q)
                    cell[entry + q * order * order * order] += weight * wave[q] * value / square;
            });
        });
        for (double &entry : solution_)
            entry /= std::pow(width(), 3); // the weights have the volume of the cell
    }

    Deviation deviation(double time)
    {
        double squares = 0, in_phase = 0, ahead = 0;
        each_point(time, [&](double weight, double phase, const double *cell, const auto &basis) {
            Quantities difference = exact(phase);
            for (double &value : difference)
                value = -value;
            for_basis(basis, [&](std::size_t entry, double value, double) {
                for (std::size_t q = 0; q < 4; ++q)
                    difference[q] += cell[entry + q * order * order * order] * value;
            });
            const double pressure = difference[0] + std::sin(phase);
            for (const double value : difference)
                squares += weight * value * value;
            in_phase += weight * pressure * std::sin(phase);
            ahead += weight * pressure * std::cos(phase);
        });
        return {std::sqrt(squares), speed - std::atan2(ahead, in_phase) / (wave_number * time)};
    }

private:
    static constexpr std::size_t points = order + 1;
    using Basis = std::array<const std::array<double, order> *, 3>; // values in a point, for x, y and z

    // Calls visit(position in a cell, value, integral of its square) for each function of the basis.
    template <class Visit>
    static void for_basis(const Basis &basis, const Visit &visit)
    {
        for (std::size_t k = 0, entry = 0; k < order; ++k)
            for (std::size_t j = 0; j < order; ++j)
                for (std::size_t i = 0; i < order; ++i, ++entry) {
                    const auto odd = static_cast<double>((2 * i + 1) * (2 * j + 1) * (2 * k + 1));
                    visit(entry, (*basis[0])[i] * (*basis[1])[j] * (*basis[2])[k], 1 / odd);
                }
    }

    // Calls visit(weight, phase, coefficients of the cell, basis) for each point of the quadrature of each cell.
    template <class Visit>
    void each_point(double time, const Visit &visit)
    {
        const double h = width(), volume = h * h * h;
        for (std::size_t cell = 0; cell < count(); ++cell)
            for (std::size_t point = 0; point < points * points * points; ++point) {
                const std::size_t a = point % points, b = point / points % points, c = point / points / points;
                const double x = (static_cast<double>(cell % cells_) + gauss_.point[a]) * h;
                const double y = (static_cast<double>(cell / cells_ % cells_) + gauss_.point[b]) * h;
                const double z = (static_cast<double>(cell / cells_ / cells_) + gauss_.point[c]) * h;
                visit(volume * gauss_.weight[a] * gauss_.weight[b] * gauss_.weight[c], phase(x, y, z, time),
                      &solution_[cell * Solution::size], Basis{&basis_[a], &basis_[b], &basis_[c]});
            }
    }

    std::size_t cells_;
    std::vector<double> solution_;
    Gauss<points> gauss_;
    std::array<std::array<double, order>, points> basis_{};
};

struct Result {
    Deviation deviation;
    long steps, allocations;
    double nanoseconds; // for a cell and step
};

// Lets the wave go for one period.
Result simulate(std::size_t cells)
{
    Mesh mesh(cells);
    mesh.start();
    Kernels kernels(mesh.solution(), mesh.neighbours());
    kernels.step(0); // changes nothing, but starts threads
    kernels.finish();

    const double largest = 0.2 / (2 * order - 1); // stable up to order 5 in three dimensions
    const long steps = std::lround(std::ceil(period * speed / (largest * mesh.width())));
    const double courant = period * speed / (static_cast<double>(steps) * mesh.width());
    const long allocated = allocations();
    const auto start = std::chrono::steady_clock::now();
    for (long step = 0; step < steps; ++step)
        kernels.step(courant);
    kernels.finish();
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    const long allocated_in_steps = allocations() - allocated;
    return {mesh.deviation(period), steps, allocated_in_steps,
            time.count() / (static_cast<double>(steps) * static_cast<double>(mesh.count()))};
}

} // namespace

int main(int count, char **words)
try {
    std::vector<std::size_t> meshes;
    bool check = false;
    for (int i = 1; i < count; ++i) {
        if (std::strcmp(words[i], "--check") == 0)
            check = true;
        else if (const long cells = std::strtol(words[i], nullptr, 10); cells > 0 && cells <= 256)
            meshes.push_back(static_cast<std::size_t>(cells));
        else {
            std::fprintf(stderr, "usage: %s [--check] [CELLS ...]\n", words[0]);
            std::fprintf(stderr, "CELLS: along an edge of the cube, 1 to 256\n");
            return 2;
        }
    }
    if (meshes.empty())
        meshes = {4, 8, 16};

    std::printf("order %zu\ncells  steps      error  order     speed  allocations  ns/cell/step\n", order);
    double error_before = 0;
    bool good = true;
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        const Result found = simulate(meshes[i]);
        const double finer = static_cast<double>(meshes[i]) / static_cast<double>(meshes[i == 0 ? 0 : i - 1]);
        const double observed = i == 0 ? NAN : std::log(error_before / found.deviation.error) / std::log(finer);
        std::printf("%5zu  %5ld  %9.3e  %5.2f  %8.6f  %11ld  %12.1f\n", meshes[i], found.steps, found.deviation.error,
                    observed, found.deviation.speed, found.allocations, found.nanoseconds);
        error_before = found.deviation.error;
        good = good && (i == 0 || observed >= order - 0.3) && (Kernels::runtime_allocates || found.allocations == 0);
        if (i + 1 == meshes.size())
            good = good && std::abs(found.deviation.speed / speed - 1) < 0.01;
    }
    return check && !good ? 1 : 0;
} catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
