/* The kernels of one context and device: made at their first launch, run with the caller's arguments.
 *
 * Arguments are part of an OpenCL kernel object, so one thread at a time sets them and enqueues. What is computed or
 * stored for one launch (prologue, scratch memory) belongs to the kernel as well: its launches wait for each other.
 */
#include "internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Scratch memory: work-groups that run at a time, as in the Python runtime. */
enum { UNIT_ITEMS = 2048, UNIT_GROUPS = 8, THREAD_GROUPS = 4, MEMORY_PART = 8 };

typedef struct {
    pthread_mutex_t lock;
    cl_kernel *kernels; /* of a launch, one after the other; null until the first one */
    unsigned kernel_count;
    cl_kernel prologue;
    cl_mem *memory; /* constants, results of the prologue, scratch memory */
    unsigned memory_count;
    size_t most_groups; /* of a launch that has scratch memory */
    cl_mem open;        /* scratch memory whose size only launches know, or null, */
    size_t open_bytes;  /* and how much it is */
    cl_event last;      /* the last launch that used this memory, or null */
} state;

struct @name@_library {
    cl_context context;
    cl_device_id device;
    char options[128];
    char device_name[256];
    int is_cpu, has_fp64;
    cl_uint units;
    cl_ulong local_memory, global_memory, most_allocated;
    size_t most_items;
    pthread_mutex_t lock; /* of the number below */
    int64_t compiled;
    state states[]; /* one for each kernel */
};

#define TRY(kernel, function, call)                                 \
    do {                                                            \
        const cl_int try_error = (call);                            \
        if (try_error != CL_SUCCESS)                                \
            return @name@_fail_opencl(kernel, function, try_error); \
    } while (0)

/* Everything that has to be known of the device. */
static @name@_status ask(@name@_library *kernels)
{
    const char *const where = "@name@_create";
    const cl_device_id device = kernels->device;
    cl_device_type type;
    cl_device_fp_config doubles = 0, floats;
#define ASK(key, place) TRY(where, "clGetDeviceInfo", clGetDeviceInfo(device, key, sizeof(place), &(place), NULL))
    ASK(CL_DEVICE_TYPE, type);
    ASK(CL_DEVICE_SINGLE_FP_CONFIG, floats);
    ASK(CL_DEVICE_MAX_COMPUTE_UNITS, kernels->units);
    ASK(CL_DEVICE_LOCAL_MEM_SIZE, kernels->local_memory);
    ASK(CL_DEVICE_GLOBAL_MEM_SIZE, kernels->global_memory);
    ASK(CL_DEVICE_MAX_MEM_ALLOC_SIZE, kernels->most_allocated);
    ASK(CL_DEVICE_MAX_WORK_GROUP_SIZE, kernels->most_items);
#undef ASK
    TRY(where, "clGetDeviceInfo",
        clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof kernels->device_name, kernels->device_name, NULL));
    if (clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, NULL) != CL_SUCCESS)
        doubles = 0; /* a device without f64 need not know the question */
    kernels->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0 && (type & CL_DEVICE_TYPE_GPU) == 0;
    kernels->has_fp64 = doubles != 0;
    snprintf(kernels->options, sizeof kernels->options, "@build_options@%s",
        floats & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT ? " @rounded_option@" : "");
    return @NAME@_SUCCESS;
}

@name@_status @name@_create(cl_context context, cl_device_id device, @name@_library **kernels)
{
    if (context == NULL || device == NULL || kernels == NULL)
        return @name@_fail(@NAME@_NULL_POINTER, "`@name@_create`: %s is null",
            context == NULL ? "context" : device == NULL ? "device" : "kernels");
    *kernels = NULL;
    @name@_library *const made = calloc(1, sizeof *made + @name@_count * sizeof made->states[0]);
    if (made == NULL)
        return @name@_fail(@NAME@_NO_MEMORY, "`@name@_create`: the host has no memory");
    made->context = context;
    made->device = device;
    const @name@_status status = ask(made);
    if (status != @NAME@_SUCCESS) {
        free(made);
        return status;
    }
    pthread_mutex_init(&made->lock, NULL);
    for (unsigned i = 0; i < @name@_count; ++i)
        pthread_mutex_init(&made->states[i].lock, NULL);
    clRetainContext(context);
    *kernels = made;
    return @NAME@_SUCCESS;
}

/* Let go of what the first launch has made. */
static void clear(state *own)
{
    for (unsigned i = 0; i < own->memory_count; ++i)
        clReleaseMemObject(own->memory[i]);
    if (own->open != NULL)
        clReleaseMemObject(own->open);
    own->open = NULL;
    own->open_bytes = 0;
    free(own->memory);
    own->memory = NULL;
    own->memory_count = 0;
    for (unsigned i = 0; i < own->kernel_count; ++i)
        clReleaseKernel(own->kernels[i]);
    free(own->kernels);
    own->kernels = NULL;
    own->kernel_count = 0;
    if (own->prologue != NULL)
        clReleaseKernel(own->prologue);
    own->prologue = NULL;
    if (own->last != NULL)
        clReleaseEvent(own->last);
    own->last = NULL;
}

void @name@_destroy(@name@_library *kernels)
{
    if (kernels == NULL)
        return;
    for (unsigned i = 0; i < @name@_count; ++i) {
        clear(&kernels->states[i]);
        pthread_mutex_destroy(&kernels->states[i].lock);
    }
    pthread_mutex_destroy(&kernels->lock);
    clReleaseContext(kernels->context);
    free(kernels);
}

int64_t @name@_compiled(@name@_library *kernels)
{
    if (kernels == NULL)
        return 0;
    pthread_mutex_lock(&kernels->lock);
    const int64_t compiled = kernels->compiled;
    pthread_mutex_unlock(&kernels->lock);
    return compiled;
}

static @name@_status check_device(const @name@_library *kernels, const @name@_description *kernel, const @name@_function *part)
{
    const char *const name = kernel->name, *const device = kernels->device_name;
    if (kernel->needs_fp64 && !kernels->has_fp64)
        return @name@_fail(@NAME@_UNFIT_DEVICE, "`%s` computes with f64, which `%s` does not have", name, device);
    if (part->local_memory > kernels->local_memory)
        return @name@_fail(@NAME@_UNFIT_DEVICE, "`%s` needs %zu bytes of local memory, `%s` has %llu",
            name, part->local_memory, device, (unsigned long long)kernels->local_memory);
    if (part->scratch > kernels->most_allocated)
        return @name@_fail(@NAME@_UNFIT_DEVICE, "`%s` needs %zu bytes for each work-group, `%s` allocates %llu at once",
            name, part->scratch, device, (unsigned long long)kernels->most_allocated);
    if (part->rows * part->columns > kernels->most_items)
        return @name@_fail(@NAME@_UNFIT_DEVICE, "`%s` has work-groups of %zu work-items, `%s` allows %zu",
            name, part->rows * part->columns, device, kernels->most_items);
    return @NAME@_SUCCESS;
}

/* Set an argument of all functions of a launch. */
static cl_int set_argument(const cl_kernel *kernels, unsigned count, cl_uint position, size_t size, const void *value)
{
    cl_int error = CL_SUCCESS;
    for (unsigned i = 0; i < count && error == CL_SUCCESS; ++i)
        error = clSetKernelArg(kernels[i], position, size, value);
    return error;
}

/* New memory of the kernel, set as arguments of its functions (a position of -1: of one only). */
static @name@_status own_memory(
    @name@_library *kernels, const char *name, state *own, int position, int prologue_position, const void *values, size_t bytes)
{
    cl_int error;
    const cl_mem_flags origin = values == NULL ? 0 : CL_MEM_COPY_HOST_PTR;
    /* the flag lets OpenCL take any pointer, and it reads only */
    cl_mem memory = clCreateBuffer(kernels->context, CL_MEM_READ_WRITE | origin, bytes, (void *)(uintptr_t)values, &error);
    if (error != CL_SUCCESS)
        return @name@_fail_opencl(name, "clCreateBuffer", error);
    own->memory[own->memory_count++] = memory;
    if (position >= 0)
        TRY(name, "clSetKernelArg", set_argument(own->kernels, own->kernel_count, (cl_uint)position, sizeof memory, &memory));
    if (prologue_position >= 0)
        TRY(name, "clSetKernelArg", clSetKernelArg(own->prologue, (cl_uint)prologue_position, sizeof memory, &memory));
    return @NAME@_SUCCESS;
}

/* The most work-groups with scratch memory: all units have work, and the device has room. */
static size_t resident_groups(const @name@_library *kernels, const @name@_function *part, size_t scratch)
{
    const size_t items = part->rows * part->columns;
    size_t each = items < UNIT_ITEMS ? UNIT_ITEMS / items : 1;
    each = kernels->is_cpu ? THREAD_GROUPS : each < UNIT_GROUPS ? each : UNIT_GROUPS;
    const cl_ulong part_of_memory = kernels->global_memory / MEMORY_PART;
    const cl_ulong room = part_of_memory < kernels->most_allocated ? part_of_memory : kernels->most_allocated;
    const size_t groups = each * kernels->units, fitting = (size_t)(room / scratch);
    const size_t most = groups < fitting ? groups : fitting;
    return most > 0 ? most : 1;
}

/* Constants, results of the prologue, scratch memory. */
static @name@_status make_memory(@name@_library *kernels, const @name@_description *kernel, state *own)
{
    own->memory = calloc(kernel->constant_count + kernel->result_count + 2, sizeof own->memory[0]);
    if (own->memory == NULL)
        return @name@_fail(@NAME@_NO_MEMORY, "`%s`: the host has no memory", kernel->name);
    @name@_status status = @NAME@_SUCCESS;
    for (unsigned i = 0; i < kernel->constant_count && status == @NAME@_SUCCESS; ++i) {
        const @name@_constant *const each = &kernel->constants[i];
        status = own_memory(
            kernels, kernel->name, own, (int)each->position, each->prologue_position, each->values, each->bytes);
    }
    for (unsigned i = 0; i < kernel->result_count && status == @NAME@_SUCCESS; ++i) {
        const @name@_result *const each = &kernel->results[i];
        void *const zeros = calloc(1, each->bytes); /* where the prologue leaves entries that are zero */
        if (zeros == NULL)
            return @name@_fail(@NAME@_NO_MEMORY, "`%s`: the host has no memory", kernel->name);
        status = own_memory(
            kernels, kernel->name, own, each->position, each->prologue_position, zeros, each->bytes);
        free(zeros);
    }
    if (status == @NAME@_SUCCESS && kernel->kernel.scratch > 0) {
        own->most_groups = resident_groups(kernels, &kernel->kernel, kernel->kernel.scratch);
        const size_t bytes = own->most_groups * kernel->kernel.scratch;
        status = own_memory(kernels, kernel->name, own, kernel->kernel.scratch_position, -1, NULL, bytes);
    }
    if (status == @NAME@_SUCCESS && kernel->prologue != NULL && kernel->prologue->scratch > 0)
        status = own_memory(
            kernels, kernel->name, own, -1, kernel->prologue->scratch_position, NULL, kernel->prologue->scratch);
    return status;
}

/* Everything that the first launch needs besides its arguments. */
static @name@_status make(@name@_library *kernels, const @name@_description *kernel, state *own)
{
    @name@_status status = check_device(kernels, kernel, &kernel->kernel);
    if (status == @NAME@_SUCCESS && kernel->prologue != NULL)
        status = check_device(kernels, kernel, kernel->prologue);
    if (status != @NAME@_SUCCESS)
        return status;
    cl_program program;
    int is_compiled;
    status = @name@_build(kernels->context, kernels->device, kernel, kernels->options, &program, &is_compiled);
    if (status != @NAME@_SUCCESS)
        return status;
    cl_int error = CL_SUCCESS;
    own->kernels = calloc(kernel->kernel.entry_count, sizeof own->kernels[0]);
    if (own->kernels == NULL)
        error = CL_OUT_OF_HOST_MEMORY;
    for (unsigned i = 0; i < kernel->kernel.entry_count && error == CL_SUCCESS; ++i) {
        own->kernels[i] = clCreateKernel(program, kernel->kernel.entries[i], &error);
        own->kernel_count += error == CL_SUCCESS;
    }
    if (error == CL_SUCCESS && kernel->prologue != NULL)
        own->prologue = clCreateKernel(program, kernel->prologue->entries[0], &error);
    clReleaseProgram(program); /* its kernels keep it */
    if (error != CL_SUCCESS)
        return @name@_fail_opencl(kernel->name, "clCreateKernel", error);
    pthread_mutex_lock(&kernels->lock);
    kernels->compiled += is_compiled;
    pthread_mutex_unlock(&kernels->lock);
    return make_memory(kernels, kernel, own);
}

static @name@_status make_once(@name@_library *kernels, const @name@_description *kernel, state *own)
{
    if (own->kernels != NULL)
        return @NAME@_SUCCESS;
    const @name@_status status = make(kernels, kernel, own);
    if (status != @NAME@_SUCCESS)
        clear(own);
    return status;
}

@name@_status @name@_prepare(@name@_library *kernels)
{
    if (kernels == NULL)
        return @name@_fail(@NAME@_NULL_POINTER, "`@name@_prepare`: kernels is null");
    @name@_status status = @NAME@_SUCCESS;
    for (unsigned i = 0; i < @name@_count && status == @NAME@_SUCCESS; ++i) {
        state *const own = &kernels->states[i];
        pthread_mutex_lock(&own->lock);
        status = make_once(kernels, @name@_descriptions[i], own);
        pthread_mutex_unlock(&own->lock);
    }
    return status;
}

/* What can be said of the arguments without the device. */
static @name@_status check(
    const @name@_description *kernel,
    const @name@_library *kernels,
    const @name@_launch *launch,
    const @name@_argument *arguments,
    unsigned count,
    int64_t batch)
{
    const char *const name = kernel->name;
    if (kernels == NULL || launch == NULL || launch->queue == NULL)
        return @name@_fail(@NAME@_NULL_POINTER, "`%s`: %s is null",
            name, kernels == NULL ? "kernels" : launch == NULL ? "launch" : "the queue");
    if (launch->wait_count > 0 && launch->wait_list == NULL)
        return @name@_fail(@NAME@_NULL_POINTER, "`%s`: wait_list is null", name);
    if (batch < 0)
        return @name@_fail(@NAME@_WRONG_BATCH, "`%s`: the batch is %lld", name, (long long)batch);
    const @name@_function *const part = &kernel->kernel;
    if (batch / part->elements_per_group >= INT64_MAX / part->groups_per_element)
        return @name@_fail(@NAME@_WRONG_BATCH, "`%s`: a batch of %lld is too large", name, (long long)batch);
    for (unsigned i = 0; i < count; ++i)
        if (arguments[i].name != NULL && *(const cl_mem *)arguments[i].value == NULL)
            return @name@_fail(@NAME@_NULL_POINTER, "`%s`: argument `%s` is null", name, arguments[i].name);
    return @NAME@_SUCCESS;
}

#ifndef NDEBUG
/* In debug builds: all memory is as large as the batch needs. */
static @name@_status check_memory(
    const char *kernel, const @name@_argument *arguments, unsigned count, int64_t batch)
{
    for (unsigned i = 0; i < count; ++i) {
        const @name@_argument *const each = &arguments[i];
        if (each->name == NULL)
            continue;
        size_t has;
        const cl_mem memory = *(const cl_mem *)each->value;
        TRY(kernel, "clGetMemObjectInfo", clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof has, &has, NULL));
        const int64_t needed = @name@_plus(@name@_times(batch - 1, each->distance), each->span);
        if ((uint64_t)has < (uint64_t)needed)
            return @name@_fail(@NAME@_SMALL_MEMORY, "`%s`: argument `%s` has %zu bytes, and a batch of %lld needs %lld",
                kernel, each->name, has, (long long)batch, (long long)needed);
    }
    return @NAME@_SUCCESS;
}
#endif

static @name@_status set_arguments(
    const char *name, const state *own, const @name@_argument *arguments, unsigned count)
{
    for (unsigned i = 0; i < count; ++i) {
        const @name@_argument *const each = &arguments[i];
        TRY(name, "clSetKernelArg", set_argument(own->kernels, own->kernel_count, each->position, each->size, each->value));
        if (each->prologue_position >= 0)
            TRY(name, "clSetKernelArg",
                clSetKernelArg(own->prologue, (cl_uint)each->prologue_position, each->size, each->value));
    }
    return @NAME@_SUCCESS;
}

/* Start functions over so many elements, each when the one before has ended. */
static @name@_status start(
    const char *name,
    cl_command_queue queue,
    const cl_kernel *kernels,
    const @name@_function *part,
    int64_t elements,
    size_t most_groups,
    cl_uint wait_count,
    const cl_event *wait_list,
    cl_event *event)
{
    if (part->elements_position >= 0) {
        const cl_long number = elements;
        TRY(name, "clSetKernelArg",
            set_argument(kernels, part->entry_count, (cl_uint)part->elements_position, sizeof number, &number));
    }
    const int64_t blocks = elements / part->elements_per_group + (elements % part->elements_per_group != 0);
    size_t groups = (size_t)(blocks * part->groups_per_element);
    if (most_groups > 0 && groups > most_groups)
        groups = most_groups;
    const size_t local[3] = {part->rows, part->columns, 1};
    const size_t global[3] = {part->rows, part->columns, groups};
    cl_event before = NULL;
    for (unsigned i = 0; i < part->entry_count; ++i) {
        cl_event own = NULL;
        const int is_last = i + 1 == part->entry_count;
        const cl_int error = clEnqueueNDRangeKernel(queue, kernels[i], 3, NULL, global, local,
            before == NULL ? wait_count : 1, before == NULL ? wait_list : &before, is_last ? event : &own);
        if (before != NULL)
            clReleaseEvent(before);
        if (error != CL_SUCCESS && i > 0)
            clFinish(queue); /* nobody has an event to wait for */
        TRY(name, "clEnqueueNDRangeKernel", error);
        before = own;
    }
    return @NAME@_SUCCESS;
}

/* Start a kernel whose launches share memory: behind the launch before it, on whatever queue that was. */
static @name@_status start_in_turn(
    const @name@_description *kernel, state *own, const @name@_launch *launch, int64_t batch)
{
    const char *const name = kernel->name;
    const cl_command_queue queue = launch->queue;
    cl_uint wait_count = launch->wait_count;
    const cl_event *wait_list = wait_count > 0 ? launch->wait_list : NULL;
    cl_event first = NULL, event = NULL;
    if (own->last != NULL && wait_count > 0)
        TRY(name, "clEnqueueBarrierWithWaitList", clEnqueueBarrierWithWaitList(queue, 1, &own->last, NULL));
    else if (own->last != NULL) {
        wait_count = 1;
        wait_list = &own->last;
    }
    @name@_status status = @NAME@_SUCCESS;
    if (kernel->prologue != NULL) {
        status = start(name, queue, &own->prologue, kernel->prologue, 1, 1, wait_count, wait_list, &first);
        wait_count = 1;
        wait_list = &first;
    }
    if (status == @NAME@_SUCCESS)
        status = start(
            name, queue, own->kernels, &kernel->kernel, batch, own->most_groups, wait_count, wait_list, &event);
    if (event == NULL) { /* the kernel did not start: the prologue may have */
        if (first == NULL)
            return status;
        event = first;
    } else if (first != NULL)
        clReleaseEvent(first);
    if (own->last != NULL)
        clReleaseEvent(own->last);
    own->last = event;
    if (status != @NAME@_SUCCESS)
        return status;
    if (launch->event != NULL) {
        clRetainEvent(event);
        *launch->event = event;
    }
    TRY(name, "clFlush", clFlush(queue)); /* a launch on another queue may wait for this one */
    return @NAME@_SUCCESS;
}

/* Scratch memory whose size only the launch knows: more of it if what there is is not enough. OpenCL keeps the old one
 * until the launches that use it have ended. */
static @name@_status open_memory(@name@_library *kernels, const @name@_description *kernel, state *own, size_t scratch)
{
    if (scratch > kernels->most_allocated)
        return @name@_fail(@NAME@_UNFIT_DEVICE, "`%s` needs %zu bytes for each work-group, `%s` allocates %llu at once",
            kernel->name, scratch, kernels->device_name, (unsigned long long)kernels->most_allocated);
    own->most_groups = resident_groups(kernels, &kernel->kernel, scratch);
    const size_t bytes = own->most_groups * scratch;
    if (bytes <= own->open_bytes)
        return @NAME@_SUCCESS;
    cl_int error;
    cl_mem memory = clCreateBuffer(kernels->context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    if (error != CL_SUCCESS)
        return @name@_fail_opencl(kernel->name, "clCreateBuffer", error);
    const cl_uint position = (cl_uint)kernel->kernel.scratch_position;
    error = set_argument(own->kernels, own->kernel_count, position, sizeof memory, &memory);
    if (own->open != NULL)
        clReleaseMemObject(own->open);
    own->open = memory;
    own->open_bytes = bytes;
    TRY(kernel->name, "clSetKernelArg", error);
    return @NAME@_SUCCESS;
}

static @name@_status enqueue(
    @name@_library *kernels,
    const @name@_description *kernel,
    state *own,
    const @name@_launch *launch,
    const @name@_argument *arguments,
    unsigned count,
    int64_t batch,
    int64_t scratch)
{
    const cl_event *const wait_list = launch->wait_count > 0 ? launch->wait_list : NULL;
    if (batch == 0) {
        if (launch->event != NULL)
            TRY(kernel->name, "clEnqueueMarkerWithWaitList",
                clEnqueueMarkerWithWaitList(launch->queue, launch->wait_count, wait_list, launch->event));
        return @NAME@_SUCCESS;
    }
    @name@_status status = set_arguments(kernel->name, own, arguments, count);
    if (status == @NAME@_SUCCESS && scratch > 0)
        status = open_memory(kernels, kernel, own, (size_t)scratch);
    if (status != @NAME@_SUCCESS)
        return status;
    if (kernel->prologue != NULL || kernel->kernel.scratch > 0 || scratch > 0)
        return start_in_turn(kernel, own, launch, batch);
    return start(
        kernel->name, launch->queue, own->kernels, &kernel->kernel, batch, 0, launch->wait_count, wait_list,
        launch->event);
}

@name@_status @name@_run(
    @name@_library *kernels,
    const @name@_description *kernel,
    const @name@_launch *launch,
    const @name@_argument *arguments,
    unsigned count,
    int64_t batch,
    int64_t scratch)
{
    @name@_status status = check(kernel, kernels, launch, arguments, count, batch);
#ifndef NDEBUG
    if (status == @NAME@_SUCCESS && batch > 0)
        status = check_memory(kernel->name, arguments, count, batch);
#endif
    if (status != @NAME@_SUCCESS)
        return status;
    state *const own = &kernels->states[kernel->number];
    pthread_mutex_lock(&own->lock);
    status = make_once(kernels, kernel, own);
    if (status == @NAME@_SUCCESS)
        status = enqueue(kernels, kernel, own, launch, arguments, count, batch, scratch);
    pthread_mutex_unlock(&own->lock);
    return status;
}
