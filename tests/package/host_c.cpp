// A program of a user of target c: mistakes, a time loop, threads. Prints how many things are wrong.
#include <all_kernels.hpp>

#include <atomic>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

namespace k = all_kernels;

#ifdef COUNTED
static std::atomic<long> allocations{0};

extern "C" {
// The linker puts this in the place of what the library calls (--wrap).
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    ++allocations;
    return __real_malloc(size);
}
}
#endif

static std::atomic<int> wrong{0};

static void expect(bool holds, const char *what)
{
    if (!holds) {
        std::printf("wrong: %s (%s)\n", what, all_kernels_message());
        ++wrong;
    }
}

static void expect_mistake(k::status found, all_kernels_status code, const char *words)
{
    expect(found.code() == code, words);
    expect(std::strstr(found.message(), words) != nullptr, words);
}

// Q[k,p] += I[k,q] * S[q,p]
static void expect_volume(const std::vector<double> &Q, const std::vector<double> &I, const std::vector<double> &S)
{
    const std::size_t elements = Q.size() / 24;
    for (std::size_t e = 0; e < elements; ++e)
        for (std::size_t p = 0; p < 4; ++p)
            for (std::size_t row = 0; row < 6; ++row) {
                double sum = 0;
                for (std::size_t q = 0; q < 4; ++q)
                    sum += I[24 * e + 6 * q + row] * S[16 * e + 4 * p + q];
                expect(std::abs(Q[24 * e + 6 * p + row] - sum) < 1e-12, "volume");
            }
}

static std::vector<double> numbers(std::size_t count, unsigned seed)
{
    std::vector<double> made(count);
    for (auto &each : made)
        each = static_cast<double>((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 24);
    return made;
}

// S has nonzeros (0,0), (2,1), (1,2) and (3,3) only.
static std::vector<double> patterned(std::size_t elements)
{
    std::vector<double> made(16 * elements, 0.0);
    for (std::size_t e = 0; e < elements; ++e)
        for (const std::size_t place : {0, 6, 9, 15})
            made[16 * e + place] = 0.5 + static_cast<double>(e);
    return made;
}

static void run_volume(k::threads threads, std::size_t elements, unsigned seed)
{
    std::vector<double> Q(24 * elements, 0.0);
    const auto I = numbers(24 * elements, seed), S = patterned(elements);
    expect(static_cast<bool>(k::volume(threads, Q, I, S, static_cast<std::int64_t>(elements))), "volume runs");
    expect_volume(Q, I, S);
}

static void mistakes()
{
    std::vector<double> Q(24), I(24), S(16);
    expect_mistake(k::volume(k::serial, Q, I, S, -1), ALL_KERNELS_WRONG_BATCH, "the batch is -1");
    expect_mistake(
        k::volume(k::serial, Q, {nullptr, 24}, S, 1), ALL_KERNELS_NULL_POINTER, "`volume`: argument `I_` is null");
    expect_mistake(
        k::volume(k::parallel, Q, I, S, 2), ALL_KERNELS_SMALL_MEMORY, "argument `Q` has 24 entries, and a batch of 2");
    expect(static_cast<bool>(k::volume(k::parallel, {nullptr, 0}, {nullptr, 0}, {nullptr, 0}, 0)), "no elements");
    expect_mistake(
        all_kernels_volume(ALL_KERNELS_SERIAL, Q.data(), I.data(), S.data(), INT64_MAX), ALL_KERNELS_WRONG_BATCH,
        "is too large");
    expect_mistake(all_kernels_many(ALL_KERNELS_SERIAL, nullptr), ALL_KERNELS_NULL_POINTER, "arguments is null");
    std::vector<double> H(40);
    expect_mistake(k::open(k::serial, H, S, 0.5, 10, 1), ALL_KERNELS_WRONG_SIZE, "size `m` is 10, and may be 1 to 9");
}

// `once` has a prologue, whose memory is made at the first call.
static void time_loop()
{
    const std::int64_t elements = 100;
    std::vector<double> Q(24 * elements), I(24 * elements), A(36), C(36);
    for (int step = 0; step < 2; ++step)
        expect(static_cast<bool>(k::once(k::parallel, Q, I, A, C, elements)), "once");
#ifdef COUNTED
    const long before = allocations;
#endif
    for (int step = 0; step < 100; ++step)
        expect(static_cast<bool>(k::once(k::parallel, Q, I, A, C, elements)), "once");
#ifdef COUNTED
    expect(allocations == before, "calls allocate nothing");
#endif
}

// N = dt O O N, whose temporary has the sizes of the call.
static void run_longer(k::threads threads, std::int64_t elements, std::int64_t n)
{
    std::vector<double> N(4 * n * elements, 1.0), O(n * n * elements, 0.0);
    for (std::int64_t e = 0; e < elements; ++e)
        for (std::int64_t i = 0; i < n; ++i)
            O[n * n * e + (n + 1) * i] = 1.0 + static_cast<double>(e);
    expect(static_cast<bool>(k::longer(threads, N, O, 0.5, n, elements)), "longer runs");
    for (std::int64_t at = 0; at < 4 * n * elements; ++at) {
        const double factor = 1.0 + static_cast<double>(at / (4 * n));
        expect(N[at] == 0.5 * factor * factor, "longer");
    }
}

static void growing()
{
    for (const std::int64_t n : {3, 50, 5, 200, 1})
        for (const std::int64_t elements : {1, 7}) {
            run_longer(k::serial, elements, n);
            run_longer(k::parallel, elements, n);
        }
    double one = 1.0;
    expect_mistake(
        all_kernels_longer(ALL_KERNELS_SERIAL, &one, &one, 0.5, INT64_MAX / 2, 1), ALL_KERNELS_WRONG_SIZE, "size `n`");
}

// Zg = omega Zg conj(Zg), behind addresses, and D = D S / omega.
static void complex_numbers()
{
    using complex = std::complex<double>;
    const complex omega{0.5, -2.0};
    std::vector<complex> Zg{{1, 2}, {3, -1}, {0, 1}, {-2, 0.5}}, before = Zg;
    std::vector<double *> addresses{reinterpret_cast<double *>(Zg.data())};
    expect(static_cast<bool>(k::apart(k::serial, addresses, omega, 1)), "apart runs");
    for (std::size_t at = 0; at < 4; ++at)
        expect(std::abs(Zg[at] - omega * std::norm(before[at])) < 1e-12, "apart");
    std::vector<std::complex<float>> D{{1, 2}, {3, 4}, {5, 6}, {7, 8}};
    const auto S = patterned(1);
    expect(static_cast<bool>(k::narrow(k::serial, S, D, omega, 1, 1)), "narrow runs");
    const complex halved = complex{1, 2} * 0.5 / omega;
    expect(std::abs(complex(D[0]) - halved) < 1e-6, "narrow");
    static_assert(std::is_same_v<k::tensor::D::value_type, std::complex<float>>);
    static_assert(std::is_same_v<k::tensor::Z::value_type, complex> && k::tensor::Z::size == 24);
}

static void threads()
{
    std::vector<std::thread> all;
    for (unsigned seed = 0; seed < 16; ++seed)
        all.emplace_back([seed] {
            for (int step = 0; step < 20; ++step)
                run_volume(step % 2 ? k::serial : k::parallel, 37, seed);
            growing();
            time_loop();
        });
    for (auto &each : all)
        each.join();
}

int main()
{
    static_assert(k::tensor::Q::size == 24 && k::tensor::Q::shape[0] == 6 && k::tensor::S::nonzeros.size() == 4);
    static_assert(k::kernel::volume::nonzero_operations > 0);
    expect(std::strlen(k::instructions()) > 0, "instructions");
    for (const std::size_t elements : {1, 2, 3, 4, 5, 8, 64, 301})
        run_volume(k::parallel, elements, 1);
    mistakes();
    growing();
    time_loop();
    complex_numbers();
#ifdef THREADS
    threads();
#else
    (void)threads;
#endif
    std::printf("%d wrong\n", wrong.load());
    return wrong > 0;
}
