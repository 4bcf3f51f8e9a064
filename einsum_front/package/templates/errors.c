/* The message of the last error of each thread. */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char message[1024];

const char *@name@_message(void)
{
    return message;
}

@name@_status @name@_fail(@name@_status status, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(message, sizeof message, format, values);
    va_end(values);
    return status;
}

static const char *opencl_name(cl_int error)
{
    switch (error) {
    case CL_DEVICE_NOT_AVAILABLE: return "CL_DEVICE_NOT_AVAILABLE";
    case CL_COMPILER_NOT_AVAILABLE: return "CL_COMPILER_NOT_AVAILABLE";
    case CL_MEM_OBJECT_ALLOCATION_FAILURE: return "CL_MEM_OBJECT_ALLOCATION_FAILURE";
    case CL_OUT_OF_RESOURCES: return "CL_OUT_OF_RESOURCES";
    case CL_OUT_OF_HOST_MEMORY: return "CL_OUT_OF_HOST_MEMORY";
    case CL_BUILD_PROGRAM_FAILURE: return "CL_BUILD_PROGRAM_FAILURE";
    case CL_MISALIGNED_SUB_BUFFER_OFFSET: return "CL_MISALIGNED_SUB_BUFFER_OFFSET";
    case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: return "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST";
    case CL_INVALID_VALUE: return "CL_INVALID_VALUE";
    case CL_INVALID_DEVICE: return "CL_INVALID_DEVICE";
    case CL_INVALID_CONTEXT: return "CL_INVALID_CONTEXT";
    case CL_INVALID_COMMAND_QUEUE: return "CL_INVALID_COMMAND_QUEUE";
    case CL_INVALID_MEM_OBJECT: return "CL_INVALID_MEM_OBJECT";
    case CL_INVALID_PROGRAM_EXECUTABLE: return "CL_INVALID_PROGRAM_EXECUTABLE";
    case CL_INVALID_KERNEL_NAME: return "CL_INVALID_KERNEL_NAME";
    case CL_INVALID_KERNEL_ARGS: return "CL_INVALID_KERNEL_ARGS";
    case CL_INVALID_WORK_GROUP_SIZE: return "CL_INVALID_WORK_GROUP_SIZE";
    case CL_INVALID_GLOBAL_WORK_SIZE: return "CL_INVALID_GLOBAL_WORK_SIZE";
    case CL_INVALID_EVENT_WAIT_LIST: return "CL_INVALID_EVENT_WAIT_LIST";
    case CL_INVALID_EVENT: return "CL_INVALID_EVENT";
    case CL_INVALID_BUFFER_SIZE: return "CL_INVALID_BUFFER_SIZE";
    default: return "an error of OpenCL";
    }
}

@name@_status @name@_fail_opencl(const char *kernel, const char *function, cl_int error)
{
    const int is_memory = error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_OUT_OF_RESOURCES
        || error == CL_OUT_OF_HOST_MEMORY;
    const @name@_status status = is_memory ? @NAME@_NO_MEMORY : @NAME@_OPENCL_ERROR;
    return @name@_fail(status, "`%s`: %s gives %s (%d)", kernel, function, opencl_name(error), (int)error);
}

@name@_status @name@_check_size(const char *kernel, const char *name, int64_t size, int64_t least, int64_t most)
{
    if (least <= size && size <= most)
        return @NAME@_SUCCESS;
    return @name@_fail(
        @NAME@_WRONG_SIZE,
        "`%s`: size `%s` is %lld, and may be %lld to %lld",
        kernel, name, (long long)size, (long long)least, (long long)most);
}

int64_t @name@_times(int64_t left, int64_t right)
{
    return right != 0 && left > INT64_MAX / right ? INT64_MAX : left * right;
}

int64_t @name@_plus(int64_t left, int64_t right)
{
    return left > INT64_MAX - right ? INT64_MAX : left + right;
}

@name@_status @name@_check_entries(
    const char *kernel, const char *argument, uint64_t entries, int64_t batch, int64_t span, int64_t distance)
{
    if (batch <= 0)
        return @NAME@_SUCCESS; /* a negative one is an error of the launch */
    const int64_t needed = @name@_plus(@name@_times(batch - 1, distance), span);
    if (entries >= (uint64_t)needed)
        return @NAME@_SUCCESS;
    return @name@_fail(
        @NAME@_SMALL_MEMORY,
        "`%s`: argument `%s` has %llu entries, and a batch of %lld needs %lld",
        kernel, argument, (unsigned long long)entries, (long long)batch, (long long)needed);
}
