/* Memory of `entries` entries against what a batch needs: for wrappers, such as @name@.hpp. */
@name@_status @name@_check_entries(
    const char *kernel, const char *argument, uint64_t entries, int64_t batch, int64_t span, int64_t distance);

@sizes@
