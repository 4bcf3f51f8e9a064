#ifdef __cplusplus
extern "C" {
#endif

/* Functions of the device that are launched one after the other, and the shape of a launch. A position is -1 if there is
 * no such argument. */
typedef struct {
    const void *const *codes;
    unsigned code_count;
    unsigned rows, columns; /* threads of a block */
    int64_t elements_per_group, groups_per_element;
    size_t shared, scratch; /* bytes of a block: shared memory that the launch adds, memory of the device */
    int elements_position, scratch_position;
} @name@_function;

/* What the prologue computes: positions among the arguments of both functions, and bytes from the first one on. */
typedef struct {
    int position, prologue_position;
    size_t offset;
} @name@_result;

typedef struct {
    const char *name;
    @name@_function function;
    const @name@_function *prologue; /* runs before, or null */
    const @name@_result *results;
    unsigned result_count;
    size_t result_bytes;
} @name@_kernel;

/* Run a kernel with a batch of 1 or more. The arguments are addresses; `results` has room for those of all results.
 * `scratch` are bytes of a block that only the call knows. */
@name@_status @name@_run(
    const @name@_kernel *kernel, @name@_stream stream, void **given, void **given_before, void **results, int64_t batch,
    int64_t scratch);

/* The status of a batch that has no elements. */
@name@_status @name@_check_batch(const char *kernel, int64_t batch);

/* The status of a call of CUDA, HIP or SYCL. */
@name@_status @name@_check(const char *kernel, const char *function, gpuError_t error);

/* Check a size that only the call knows. */
@name@_status @name@_check_size(const char *kernel, const char *name, int64_t size, int64_t least, int64_t most);

@include shared/arithmetic.h@

#ifdef __cplusplus
}
#endif

#endif
