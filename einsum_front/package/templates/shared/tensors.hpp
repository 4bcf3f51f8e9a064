inline constexpr std::int64_t dynamic = -1;

// Positions from `first` to `last`, which is behind the last one.
struct range {
    std::int64_t first, last;
};

// The tensors: sizes and strides in entries, modes as in the text; `size` is from one element to the next. `nonzeros` are
// positions in packed column-major order, first mode fastest, that may differ from zero.
namespace tensor {

@tensors@

} // namespace tensor

// The kernels: what one element costs.
namespace kernel {

@facts@

} // namespace kernel
