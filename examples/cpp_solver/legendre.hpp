// Legendre polynomials of the interval [0, 1], and the quadrature of Gauss.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

// P_degree(2x - 1) and its derivative with respect to 2x - 1, for x inside of the interval.
inline std::pair<double, double> legendre(int degree, double x)
{
    const double z = 2 * x - 1;
    double before = 0, value = 1;
    for (int n = 0; n < degree; ++n)
        before = std::exchange(value, ((2.0 * n + 1) * z * value - n * before) / (n + 1.0));
    return {value, degree * (z * value - before) / (z * z - 1)};
}

// Points and weights of a quadrature that is exact for polynomials of degree 2 N - 1.
template <std::size_t N>
struct Gauss {
    std::array<double, N> point{}, weight{};

    Gauss()
    {
        constexpr int degree = N;
        for (std::size_t i = 0; i < N; ++i) {
            double x = (1 - std::cos(std::acos(-1.0) * (static_cast<double>(i) + 0.75) / (degree + 0.5))) / 2;
            for (int iteration = 0; iteration < 10; ++iteration) { // of Newton, from very close
                const auto [value, slope] = legendre(degree, x);
                x -= value / (2 * slope);
            }
            const double slope = legendre(degree, x).second;
            point[i] = x;
            weight[i] = 1 / (4 * x * (1 - x) * slope * slope);
        }
    }
};
