// What the tests of all kernels share: generated entries, and loops that carry a bound of the roundings.
namespace {

// A number, and the sum of the absolute values of all terms that it is made of.
struct entry {
  double value, magnitude;
};

inline entry number(double value) { return {value, std::fabs(value)}; }
inline entry plus(entry left, entry right) {
  return {left.value + right.value, left.magnitude + right.magnitude};
}
inline entry times(entry left, entry right) {
  return {left.value * right.value, left.magnitude * right.magnitude};
}

// Entries that follow each other in the memory of a tensor, and in a packed array of its shape.
struct run {
  unsigned place, position, count;
};

// Numbers in [-1, 1] with 24 bits, which both precisions have.
inline double next(std::uint64_t& state) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return static_cast<double>(state >> 39) / (1 << 24) - 1.0;
}

// Generates the entries that may differ from zero; all others are zero.
template <typename Real, std::size_t Size, std::size_t Entries, std::size_t Runs>
void fill(Real (&memory)[Size], entry (&packed)[Entries], run const (&runs)[Runs], std::uint64_t& state) {
  for (Real& each : memory) each = 0;
  for (entry& each : packed) each = {0, 0};
  for (run const& each : runs)
    for (unsigned i = 0; i < each.count; ++i) {
      double const value = std::numeric_limits<Real>::is_integer ? std::floor(8 * next(state)) : next(state);
      memory[each.place + i] = static_cast<Real>(value);
      packed[each.position + i] = number(static_cast<double>(memory[each.place + i]));
    }
}

// The largest difference from the loops, as a multiple of what `roundings` in each entry can make it, in the type that
// is computed with or in that of the memory.
template <typename Computed, typename Real, std::size_t Size, std::size_t Entries, std::size_t Runs>
double difference(Real const (&memory)[Size], entry const (&packed)[Entries], run const (&runs)[Runs], double roundings) {
  double magnitude = 0, worst = 0;
  for (entry const& each : packed) magnitude = std::fmax(magnitude, each.magnitude);
  for (run const& each : runs)
    for (unsigned i = 0; i < each.count; ++i) {
      double const found = std::fabs(static_cast<double>(memory[each.place + i]) - packed[each.position + i].value);
      if (!(found <= worst)) worst = std::isnan(found) ? std::numeric_limits<double>::infinity() : found;
    }
  double const unit = std::fmax(std::numeric_limits<Computed>::epsilon(), std::numeric_limits<Real>::epsilon());
  double const allowed = 4 * roundings * unit * magnitude;
  return worst <= allowed ? worst / (allowed > 0 ? allowed : 1) : std::numeric_limits<double>::infinity();
}

} // namespace
