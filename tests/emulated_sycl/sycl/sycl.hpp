// SYCL 2020 on the processor, as far as our texts and packages use it: a thread for each work-item of a group, one
// group after the other, for g++ of C++20. Names and signatures are those of the specification; nothing of it is fast.
#pragma once

#include <cstring>
#include <algorithm>
#include <atomic>
#include <barrier>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <memory>
#include <system_error>
#include <thread>
#include <type_traits>
#include <vector>

namespace sycl {
using half = _Float16;

template <class To, class From> To bit_cast(const From &from)
{
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}


enum class errc { success, memory_allocation, kernel_not_supported, nd_range };
inline const std::error_category &sycl_category() noexcept { return std::generic_category(); }
inline std::error_code make_error_code(errc code) noexcept { return {static_cast<int>(code), sycl_category()}; }
class exception : public virtual std::exception {
public:
    exception(std::error_code code, const char *what) : code_(code), what_(what) {}
    const std::error_code &code() const noexcept { return code_; }
    const char *what() const noexcept override { return what_; }

private:
    std::error_code code_;
    const char *what_;
};

namespace info {
namespace device { struct max_compute_units {}; }
namespace event { struct command_execution_status {}; }
enum class event_command_status { submitted, running, complete };
}
namespace property::queue { struct in_order {}; }

template <int n> class range {
public:
    template <class... Size> requires(sizeof...(Size) == n) range(Size... sizes) : sizes_{static_cast<std::size_t>(sizes)...} {}
    std::size_t operator[](int i) const { return sizes_[i]; }

private:
    std::size_t sizes_[n];
};
template <int n> struct nd_range {
    nd_range(range<n> global, range<n> local) : global_(global), local_(local) {}
    range<n> get_global_range() const { return global_; }
    range<n> get_local_range() const { return local_; }

private:
    range<n> global_, local_;
};
template <int n> struct group {
    std::barrier<> *all;
};
template <int n> void group_barrier(group<n> of) { of.all->arrive_and_wait(); }
template <int n> class nd_item {
public:
    nd_item(range<n> group, range<n> groups, range<n> local, std::barrier<> *all)
        : group_(group), groups_(groups), local_(local), all_(all)
    {
    }
    std::size_t get_group(int i) const { return group_[i]; }
    group<n> get_group() const { return {all_}; }
    std::size_t get_group_range(int i) const { return groups_[i]; }
    std::size_t get_local_id(int i) const { return local_[i]; }

private:
    range<n> group_, groups_, local_;
    std::barrier<> *all_;
};

struct device {
    template <class What> std::uint32_t get_info() const { return 2; }
    static std::vector<device> get_devices() { return {{}}; }
    bool operator==(const device &) const = default;
};
struct context {
    bool operator==(const context &) const = default;
};
struct event {
    void wait() {}
    template <class What> info::event_command_status get_info() const { return info::event_command_status::complete; }
};

class handler {
public:
    template <class Kernel> void parallel_for(nd_range<2> range_, const Kernel &kernel)
    {
        const range<2> global = range_.get_global_range(), local = range_.get_local_range();
        for (int i : {0, 1})
            if (local[i] == 0 || global[i] % local[i] != 0)
                throw exception(make_error_code(errc::nd_range), "work-groups do not divide the range");
        const range<2> groups(global[0] / local[0], global[1] / local[1]);
        std::barrier<> all(static_cast<std::ptrdiff_t>(local[0] * local[1]));
        std::vector<std::thread> threads;
        for (std::size_t y = 0; y < local[0]; ++y)
            for (std::size_t x = 0; x < local[1]; ++x)
                threads.emplace_back([&, x, y] {
                    for (std::size_t row = 0; row < groups[0]; ++row)
                        for (std::size_t column = 0; column < groups[1]; ++column) {
                            kernel(nd_item<2>({row, column}, groups, {y, x}, &all));
                            all.arrive_and_wait();
                        }
                });
        for (std::thread &each : threads)
            each.join();
    }
};
template <class T, int n> class local_accessor {
public:
    local_accessor(range<n> size, handler &)
        : entries_(static_cast<T *>(std::aligned_alloc(alignof(T), sizeof(T) * size[0])), [](T *all) { std::free(all); })
    {
    }
    T &operator[](std::size_t i) const { return entries_.get()[i]; }

private:
    std::shared_ptr<T> entries_;
};

class queue {
public:
    queue() = default;
    explicit queue(property::queue::in_order) : is_in_order_(true) {}
    bool is_in_order() const { return is_in_order_; }
    sycl::device get_device() const { return {}; }
    sycl::context get_context() const { return {}; }
    void wait() {}
    template <class Commands> event submit(Commands commands)
    {
        handler made;
        commands(made);
        return {};
    }
    event memcpy(void *to, const void *from, std::size_t bytes)
    {
        std::copy_n(static_cast<const char *>(from), bytes, static_cast<char *>(to));
        return {};
    }
    event memset(void *memory, int value, std::size_t bytes)
    {
        std::fill_n(static_cast<char *>(memory), bytes, static_cast<char>(value));
        return {};
    }

private:
    bool is_in_order_ = false;
};
inline void *malloc_device(std::size_t bytes, const queue &) { return std::malloc(bytes); }
inline void free(void *memory, const queue &) { std::free(memory); }
inline void free(void *memory, const context &) { std::free(memory); }

enum class memory_order { relaxed };
enum class memory_scope { work_item, work_group, device };
namespace access {
enum class address_space { global_space, local_space, generic_space };
enum class decorated { no, yes };
}
template <
    class T, memory_order, memory_scope, access::address_space = access::address_space::generic_space>
class atomic_ref {
public:
    static_assert(sizeof(T) >= 4 && (std::is_arithmetic_v<T> || std::is_pointer_v<T>));
    explicit atomic_ref(T &entry) : entry_(entry) {}
    T exchange(T value) const { return std::atomic_ref<T>(entry_).exchange(value); }
    T fetch_add(T value) const { return std::atomic_ref<T>(entry_).fetch_add(value); }
    bool compare_exchange_strong(T &old, T value) const
    {
        return std::atomic_ref<T>(entry_).compare_exchange_strong(old, value);
    }

private:
    T &entry_;
};
template <class T> struct global_pointer {
    T *memory;
    void prefetch(std::size_t) const {}
};
template <access::address_space space, access::decorated, class T> global_pointer<T> address_space_cast(T *memory)
{
    static_assert(space == access::address_space::global_space);
    return {memory};
}

template <class T> T min(T a, T b) { return b < a ? b : a; }
#define OF_ONE(name)                                   \
    inline float name(float a) { return std::name(a); } \
    inline double name(double a) { return std::name(a); }
#define OF_TWO(name)                                               \
    inline float name(float a, float b) { return std::name(a, b); } \
    inline double name(double a, double b) { return std::name(a, b); }
OF_ONE(exp) OF_ONE(log) OF_ONE(sqrt) OF_ONE(tanh) OF_ONE(erf) OF_ONE(fabs) OF_ONE(exp2) OF_ONE(expm1) OF_ONE(log2)
OF_ONE(log10) OF_ONE(atan) OF_ONE(cbrt) OF_ONE(floor) OF_ONE(ceil) OF_ONE(trunc) OF_ONE(round) OF_ONE(rint)
OF_TWO(pow) OF_TWO(fmax) OF_TWO(fmin) OF_TWO(fmod)
#undef OF_ONE
#undef OF_TWO

} // namespace sycl
