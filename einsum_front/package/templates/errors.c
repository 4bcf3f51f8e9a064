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

@name@_status @name@_check_places(
    const char *kernel, const char *argument, const void *integers, int bytes, int64_t entries, int64_t bound)
{
    for (int64_t entry = 0; entry < entries; ++entry) {
        const int64_t place = bytes == 4 ? ((const int32_t *)integers)[entry] : ((const int64_t *)integers)[entry];
        if (place >= bound)
            return @name@_fail(
                @NAME@_WRONG_SIZE,
                "`%s`: argument `%s` is %lld at entry %lld, and there are %lld places",
                kernel, argument, (long long)place, (long long)entry, (long long)bound);
    }
    return @NAME@_SUCCESS;
}
