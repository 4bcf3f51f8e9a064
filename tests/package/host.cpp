// A program of a user: mistakes, events, a time loop, threads. Prints a line for each thing that is wrong.
#include <all_kernels.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

namespace k = all_kernels;

static long allocations = 0;
static bool has_doubles = true;

extern "C" {
// The linker puts these in the place of what the library calls (--wrap).
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    ++allocations;
    return __real_calloc(count, size);
}
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    ++allocations;
    return __real_malloc(size);
}
cl_int __real_clGetDeviceInfo(cl_device_id device, cl_device_info key, size_t size, void *value, size_t *needed);
cl_int __wrap_clGetDeviceInfo(cl_device_id device, cl_device_info key, size_t size, void *value, size_t *needed)
{
    const cl_int error = __real_clGetDeviceInfo(device, key, size, value, needed);
    if (key == CL_DEVICE_DOUBLE_FP_CONFIG && !has_doubles)
        std::memset(value, 0, size);
    return error;
}
}

static int wrong = 0;

static void expect(bool holds, const char *what)
{
    if (!holds && wrong < 10) {
        std::printf("wrong: %s (%s)\n", what, all_kernels_message());
        ++wrong;
    }
}

static void expect_mistake(k::status found, all_kernels_status code, const char *words)
{
    expect(found.code() == code, words);
    expect(std::strstr(found.message(), words) != nullptr, words);
}

static cl_context context;
static cl_device_id device;

static cl_mem buffer(const std::vector<double> &values)
{
    cl_int error;
    void *const host = const_cast<double *>(values.data());
    const cl_mem made =
        clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.size() * sizeof(double), host, &error);
    if (error != CL_SUCCESS)
        std::exit(2);
    return made;
}

static cl_command_queue new_queue()
{
    cl_int error;
    const cl_command_queue made = clCreateCommandQueue(context, device, 0, &error);
    if (error != CL_SUCCESS)
        std::exit(2);
    return made;
}

constexpr std::int64_t batch = 37;
constexpr std::size_t entries = batch * k::tensor::Q::size;
constexpr std::int64_t squares = batch * k::tensor::S::size;

static_assert(k::tensor::Q::shape[0] == 6 && k::tensor::Q::shape[1] == 4, "shape");
static_assert(k::tensor::V::strides[1] == 8 && k::tensor::V::size == 32, "strides");
static_assert(k::tensor::R::strides[0] == 4, "row-major");
static_assert(k::tensor::S::nonzeros.size() == 4 && k::tensor::S::nonzeros[1].first == 6, "pattern");
static_assert(k::tensor::H::shape[0] == k::dynamic, "known at the launch");
static_assert(k::kernel::volume::nonzero_operations > 0, "operations");

static void mistakes(const k::kernels &kernels, const k::launch &where)
{
    const std::vector<double> zeros(entries);
    const cl_mem Q = buffer(zeros), I = buffer(zeros), S = buffer(std::vector<double>(squares));
    const k::memory<double> q{Q, entries}, i{I, entries}, s{S, squares};
    expect_mistake(kernels.volume(where, q, i, s, -1), ALL_KERNELS_WRONG_BATCH, "the batch is -1");
    expect_mistake(kernels.volume(where, {nullptr, entries}, i, s, batch), ALL_KERNELS_NULL_POINTER, "`Q` is null");
    expect_mistake(kernels.volume(k::launch{nullptr}, q, i, s, batch), ALL_KERNELS_NULL_POINTER, "the queue is null");
    expect_mistake(
        all_kernels_volume(kernels.handle(), nullptr, Q, I, S, batch), ALL_KERNELS_NULL_POINTER, "launch is null");
    expect_mistake(all_kernels_volume(nullptr, &where, Q, I, S, batch), ALL_KERNELS_NULL_POINTER, "kernels is null");
    expect_mistake(all_kernels_many(kernels.handle(), &where, nullptr), ALL_KERNELS_NULL_POINTER, "arguments is null");
    expect_mistake(kernels.volume(k::launch{where.queue, 1}, q, i, s, batch), ALL_KERNELS_NULL_POINTER, "wait_list");
    expect_mistake(k::kernels{}.volume(where, q, i, s, batch), ALL_KERNELS_NULL_POINTER, "kernels is null");
    expect_mistake(k::kernels{}.prepare(), ALL_KERNELS_NULL_POINTER, "kernels is null");
    expect_mistake(all_kernels_create(nullptr, device, nullptr), ALL_KERNELS_NULL_POINTER, "context is null");
    expect_mistake(kernels.volume(where, q, i, s, INT64_MAX), ALL_KERNELS_SMALL_MEMORY, "`Q`");
    expect_mistake(kernels.volume(where, {Q, entries - 1}, i, s, batch), ALL_KERNELS_SMALL_MEMORY, "887 entries");
    expect_mistake(all_kernels_volume(kernels.handle(), &where, Q, I, S, batch + 1), ALL_KERNELS_SMALL_MEMORY, "bytes");
    const k::memory<double> h{Q, entries};
    expect_mistake(kernels.open(where, h, s, 1.0, 10, 1), ALL_KERNELS_WRONG_SIZE, "size `m` is 10, and may be 1 to 9");
    expect_mistake(kernels.open(where, h, s, 1.0, 0, 1), ALL_KERNELS_WRONG_SIZE, "size `m` is 0");
    expect_mistake(kernels.open(where, h, s, 1.0, 9, batch), ALL_KERNELS_SMALL_MEMORY, "`H`");
    cl_event event = nullptr;
    expect(bool(kernels.volume(k::launch{where.queue, 0, nullptr, &event}, q, i, s, 0)), "an empty batch");
    expect(event != nullptr && clWaitForEvents(1, &event) == CL_SUCCESS, "has an event");
    clReleaseEvent(event);
    for (const cl_mem each : {Q, I, S})
        clReleaseMemObject(each);
}

static void without_doubles(const k::launch &where)
{
    const std::vector<double> zeros(entries);
    const cl_mem Q = buffer(zeros), I = buffer(zeros), S = buffer(std::vector<double>(squares));
    k::kernels kernels;
    has_doubles = false;
    expect(bool(k::kernels::create(context, device, kernels)), "a device without f64");
    has_doubles = true;
    const k::memory<double> q{Q, entries}, i{I, entries}, s{S, squares};
    expect_mistake(kernels.volume(where, q, i, s, batch), ALL_KERNELS_UNFIT_DEVICE, "computes with f64");
    for (const cl_mem each : {Q, I, S})
        clReleaseMemObject(each);
}

// N = dt O O N, whose temporary has the sizes of the launch: memory grows while launches run that have less.
static void growing(const k::kernels &kernels)
{
    const cl_command_queue queue = new_queue();
    std::vector<cl_mem> N;
    const std::vector<std::int64_t> sizes{3, 50, 5, 200, 1};
    for (const std::int64_t n : sizes) {
        std::vector<double> O(n * n * batch, 0.0);
        for (std::int64_t e = 0; e < batch; ++e)
            for (std::int64_t i = 0; i < n; ++i)
                O[n * n * e + (n + 1) * i] = 1.0 + static_cast<double>(e);
        const cl_mem made = buffer(O);
        N.push_back(buffer(std::vector<double>(4 * n * batch, 1.0)));
        expect(bool(kernels.longer(k::launch{queue}, {N.back(), static_cast<std::size_t>(4 * n * batch)},
                   k::memory<double>{made, O.size()}, 0.5, n, batch)),
            "longer runs");
        clReleaseMemObject(made);
    }
    for (std::size_t step = 0; step < sizes.size(); ++step) {
        const std::int64_t n = sizes[step];
        std::vector<double> found(4 * n * batch);
        clEnqueueReadBuffer(
            queue, N[step], CL_TRUE, 0, found.size() * sizeof(double), found.data(), 0, nullptr, nullptr);
        for (std::int64_t at = 0; at < 4 * n * batch; ++at) {
            const double factor = 1.0 + static_cast<double>(at / (4 * n));
            if (found[at] != 0.5 * factor * factor) {
                expect(false, "longer");
                break;
            }
        }
        clReleaseMemObject(N[step]);
    }
    clReleaseCommandQueue(queue);
}

// Q += A C I in turn on two queues: what the prologue computes is each launch's own.
static void two_queues(const k::kernels &kernels)
{
    const std::vector<double> ones(entries, 1.0), zeros(entries), small(36, 1.0), large(36, 2.0);
    const cl_mem I = buffer(ones), Q[2] = {buffer(zeros), buffer(zeros)}, A[2] = {buffer(small), buffer(large)};
    const cl_command_queue queues[2] = {new_queue(), new_queue()};
    for (int step = 0; step < 200; ++step)
        for (const int side : {0, 1})
            expect(bool(kernels.once(k::launch{queues[side]}, {Q[side], entries}, k::memory<double>{I, entries},
                       k::memory<double>{A[side], 36}, k::memory<double>{A[0], 36}, batch)),
                "two queues");
    for (const int side : {0, 1}) {
        std::vector<double> found(entries);
        clEnqueueReadBuffer(
            queues[side], Q[side], CL_TRUE, 0, entries * sizeof(double), found.data(), 0, nullptr, nullptr);
        for (const double each : found)
            if (each != 200.0 * 36 * (side + 1)) {
                expect(false, "a result of two queues");
                break;
            }
    }
    for (const cl_mem each : {I, Q[0], Q[1], A[0], A[1]})
        clReleaseMemObject(each);
    for (const cl_command_queue each : queues)
        clReleaseCommandQueue(each);
}

// One of 16 threads: 50 launches on a queue of its own, each behind the event of the one before.
static void thread(const k::kernels &kernels, std::vector<double> &found)
{
    const cl_command_queue queue = new_queue();
    const std::vector<double> ones(entries, 1.0);
    std::vector<double> unit(squares);
    for (std::int64_t element = 0; element < batch; ++element)
        for (const auto &run : k::tensor::S::nonzeros)
            unit[std::size_t(element * k::tensor::S::size + run.first)] = 1;
    const cl_mem Q = buffer(std::vector<double>(entries)), I = buffer(ones), S = buffer(unit);
    cl_event before = nullptr;
    for (int step = 0; step < 50; ++step) {
        cl_event event = nullptr;
        const k::launch where{queue, before == nullptr ? 0u : 1u, before == nullptr ? nullptr : &before, &event};
        expect(bool(kernels.volume(where, {Q, entries}, k::memory<double>{I, entries}, k::memory<double>{S, squares},
                   batch)),
            "a launch of a thread");
        if (before != nullptr)
            clReleaseEvent(before);
        before = event;
    }
    clEnqueueReadBuffer(queue, Q, CL_TRUE, 0, entries * sizeof(double), found.data(), 1, &before, nullptr);
    clReleaseEvent(before);
    for (const cl_mem each : {Q, I, S})
        clReleaseMemObject(each);
    clReleaseCommandQueue(queue);
}

static void threads(const k::kernels &kernels)
{
    std::vector<std::vector<double>> found(16, std::vector<double>(entries));
    std::vector<std::thread> all;
    for (auto &each : found)
        all.emplace_back([&kernels, &each] { thread(kernels, each); });
    for (auto &each : all)
        each.join();
    for (const auto &each : found)
        for (const double value : each)
            if (value != 50) { // S is a permutation
                expect(false, "a result of a thread");
                return;
            }
}

static void time_loop(const k::kernels &kernels, const k::launch &where)
{
    const std::vector<double> zeros(entries);
    const cl_mem Q = buffer(zeros), I = buffer(zeros), S = buffer(std::vector<double>(squares));
    const k::memory<double> q{Q, entries}, i{I, entries}, s{S, squares};
    expect(bool(kernels.volume(where, q, i, s, batch)), "a launch");
    const long before = allocations;
    for (int step = 0; step < 100; ++step)
        expect(bool(kernels.volume(where, q, i, s, batch)), "a launch");
    clFinish(where.queue);
    expect(allocations == before, "launches allocate nothing");
    for (const cl_mem each : {Q, I, S})
        clReleaseMemObject(each);
}

int main()
{
    cl_platform_id platform;
    cl_int error;
    if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS
        || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS)
        return 77;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    const cl_command_queue queue = new_queue();
    k::kernels kernels;
    expect(bool(k::kernels::create(context, device, kernels)), "create");
    const k::launch where{queue};
    mistakes(kernels, where);
    without_doubles(where);
    growing(kernels);
    two_queues(kernels);
    threads(kernels);
    time_loop(kernels, where);
    expect(bool(kernels.prepare()), "prepare");
    std::printf("%lld compiled, %d wrong\n", static_cast<long long>(kernels.compiled()), wrong);
    clReleaseCommandQueue(queue);
    kernels = k::kernels{};
    clReleaseContext(context);
    return wrong > 0;
}
