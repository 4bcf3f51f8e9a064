namespace @name@ {

@include shared/status.hpp@

// Entries of type T in memory of the device: a pointer and a number, or what has both. It owns nothing.
@include shared/memory.hpp@

// An extent that only the call knows.
@include shared/tensors.hpp@

@methods@

} // namespace @name@

#endif
