/* Memory of `entries` entries against what a batch needs: for wrappers, such as @name@.hpp. */
@name@_status @name@_check_entries(
    const char *kernel, const char *argument, uint64_t entries, int64_t batch, int64_t span, int64_t distance);

/* Integers in the memory of the host, of so many bytes each, that say places: below `bound`, or negative. Kernels do not look. */
@name@_status @name@_check_places(
    const char *kernel, const char *argument, const void *integers, int bytes, int64_t entries, int64_t bound);

@sizes@
