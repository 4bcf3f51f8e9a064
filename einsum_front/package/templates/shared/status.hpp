// How a call went: true if well.
class [[nodiscard]] status {
public:
    constexpr status(@name@_status code) noexcept : code_(code) {}
    constexpr explicit operator bool() const noexcept { return code_ == @NAME@_SUCCESS; }
    constexpr @name@_status code() const noexcept { return code_; }
    // What the last call of this thread that failed has to say.
    const char *message() const noexcept { return code_ == @NAME@_SUCCESS ? "" : @name@_message(); }

private:
    @name@_status code_;
};
