// A program of a user of target sycl: a kernel on a queue, and mistakes. Prints how many things are wrong.
#include <all_kernels.hpp>

#include <cstdio>
#include <cstring>

static int wrong = 0;

static void expect(const all_kernels::status &found, all_kernels_status code, const char *words)
{
    if (found.code() != code || std::strstr(found.message(), words) == nullptr) {
        std::printf("%d and %s, not %d and %s\n", found.code(), found.message(), code, words);
        ++wrong;
    }
}

int main()
{
    sycl::queue queue{sycl::property::queue::in_order()}, unordered;
    double Q[48], I[48], S[32];
    for (int i = 0; i < 48; ++i)
        Q[i] = 1, I[i] = i;
    for (int i = 0; i < 32; ++i)
        S[i] = i % 5 == 0;
    const auto there = [&](const double *from, std::size_t count) {
        double *const made = static_cast<double *>(sycl::malloc_device(count * sizeof from[0], queue));
        queue.memcpy(made, from, count * sizeof from[0]);
        return all_kernels::memory<double>(made, count);
    };
    const auto q = there(Q, 48), i = there(I, 48), s = there(S, 32);
    using all_kernels::volume;
    expect(volume(queue, q, i, s, 2), ALL_KERNELS_SUCCESS, "");
    queue.memcpy(Q, q.data(), sizeof Q).wait();
    if (Q[0] != 1 || Q[1] != 2) { // S[0, 0] is 1
        std::printf("Q is %g %g\n", Q[0], Q[1]);
        ++wrong;
    }
    expect(volume(queue, {nullptr, 48}, i, s, 2), ALL_KERNELS_NULL_POINTER, "`volume`: argument `Q` is null");
    expect(volume(queue, q, i, s, -1), ALL_KERNELS_WRONG_BATCH, "the batch is -1");
    expect(volume(queue, q, i, s, 3), ALL_KERNELS_SMALL_MEMORY, "has 48 entries, and a batch of 3 needs 72");
    expect(volume(unordered, q, i, s, 2), ALL_KERNELS_GPU_ERROR,
        "`volume`: the queue is not in order: it needs sycl::property::queue::in_order");
    if (all_kernels_volume(nullptr, q.data(), i.data(), s.data(), 2) != ALL_KERNELS_GPU_ERROR)
        ++wrong;
    std::printf("%d wrong\n", wrong);
}
