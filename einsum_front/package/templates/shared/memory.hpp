template <class T>
class memory {
public:
    constexpr memory(T *entries, std::size_t size) noexcept : handle_(entries), entries_(size) {}
    template <
        class Container,
        class = std::enable_if_t<std::is_convertible_v<
            std::remove_pointer_t<decltype(std::declval<Container &>().data())> (*)[], T (*)[]>>,
        class = decltype(std::declval<Container &>().size())>
    constexpr memory(Container &&container) noexcept : handle_(container.data()), entries_(container.size())
    {
    }
    constexpr operator memory<const T>() const noexcept { return {handle_, entries_}; }
    constexpr T *handle() const noexcept { return handle_; }
    constexpr T *data() const noexcept { return handle_; }
    constexpr std::size_t size() const noexcept { return entries_; }

    status check(const char *kernel, const char *argument, std::int64_t batch, std::int64_t span, std::int64_t distance)
        const noexcept
    {
        return @name@_check_entries(kernel, argument, entries_, batch, span, distance);
    }

private:
    T *handle_;
    std::size_t entries_;
};
