/* Programs for a device: compiled once, kept as binaries.
 *
 * A file of the cache is a head of fixed size, the text that the binary was made for, and the binary. The text has the
 * device, its driver and the options; the head has a digest of the source and one of the binary, so a file that was
 * cut off or is for something else is not used. Files appear whole: they are written under another name and renamed.
 */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_TEXT = 2048, MOST_PATH = 4096, MOST_BINARY = 1 << 28, MOST_LOG = 4096 };

typedef struct {
    char mark[16];
    uint64_t source, text_length, length, binary;
} head;

static const char MARK[16] = "einsum-front 1";

/* FNV-1a, continued from a digest of what came before. */
static uint64_t digest(uint64_t before, const void *data, size_t length)
{
    const unsigned char *const bytes = data;
    for (size_t i = 0; i < length; ++i)
        before = (before ^ bytes[i]) * UINT64_C(1099511628211);
    return before;
}

static uint64_t digest_of(const void *data, size_t length)
{
    return digest(UINT64_C(14695981039346656037), data, length);
}

static uint64_t source_digest(const @name@_description *kernel)
{
    uint64_t all = digest_of("", 0);
    for (cl_uint i = 0; i < kernel->lines; ++i)
        all = digest(all, kernel->source[i], strlen(kernel->source[i]));
    return all;
}

/* What a binary depends on besides its source; false if the device does not say. */
static int describe(cl_device_id device, const char *options, char *text)
{
    static const cl_device_info keys[] = {CL_DEVICE_VENDOR, CL_DEVICE_NAME, CL_DEVICE_VERSION, CL_DRIVER_VERSION};
    size_t length = 0;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        char word[512];
        if (clGetDeviceInfo(device, keys[i], sizeof word, word, NULL) != CL_SUCCESS)
            return 0;
        length += (size_t)snprintf(text + length, MOST_TEXT - length, "%s\n", word);
        if (length >= MOST_TEXT)
            return 0;
    }
    length += (size_t)snprintf(text + length, MOST_TEXT - length, "%s\n", options);
    return length < MOST_TEXT;
}

/* The folder of the cache, made if it is not there; false if there is none. */
static int folder_of(char *path)
{
    const char *const given = getenv("@NAME@_CACHE"), *const caches = getenv("XDG_CACHE_HOME"), *const home = getenv("HOME");
    int length;
    if (given != NULL)
        length = snprintf(path, MOST_PATH, "%s", given);
    else if (caches != NULL && caches[0] == '/')
        length = snprintf(path, MOST_PATH, "%s/@name@", caches);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, MOST_PATH, "%s/.cache/@name@", home);
    else
        return 0;
    if (length <= 0 || length >= MOST_PATH)
        return 0;
    for (char *end = strchr(path + 1, '/'); end != NULL; end = strchr(end + 1, '/')) {
        *end = '\0';
        mkdir(path, 0777);
        *end = '/';
    }
    mkdir(path, 0777);
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

/* The file for a kernel; false if nothing is kept. */
static int path_of(const @name@_description *kernel, const char *text, uint64_t source, char *path)
{
    char folder[MOST_PATH];
    if (!folder_of(folder))
        return 0;
    const uint64_t name = digest(digest_of(text, strlen(text)), &source, sizeof source);
    const int length = snprintf(path, MOST_PATH, "%s/%s-%016" PRIx64 ".bin", folder, kernel->name, name);
    return length > 0 && length < MOST_PATH;
}

/* The binary of a file, to be freed; null if there is none that can be used. */
static unsigned char *load(const char *path, const char *text, uint64_t source, size_t *length)
{
    FILE *const file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    head found;
    char said[MOST_TEXT];
    unsigned char *binary = NULL;
    const size_t text_length = strlen(text);
    if (fread(&found, sizeof found, 1, file) == 1 && memcmp(found.mark, MARK, sizeof MARK) == 0
        && found.source == source && found.text_length == text_length && found.length <= MOST_BINARY
        && fread(said, 1, text_length, file) == text_length && memcmp(said, text, text_length) == 0)
        binary = malloc(found.length > 0 ? (size_t)found.length : 1);
    if (binary != NULL) {
        *length = (size_t)found.length;
        if (fread(binary, 1, *length, file) != *length || digest_of(binary, *length) != found.binary) {
            free(binary);
            binary = NULL;
        }
    }
    fclose(file);
    return binary;
}

/* Keep a binary. A cache that cannot be written is no error: the next process compiles again. */
static void keep(const char *path, const char *text, uint64_t source, const unsigned char *binary, size_t length)
{
    char other[MOST_PATH + 32];
    snprintf(other, sizeof other, "%s.XXXXXX", path);
    const int number = mkstemp(other);
    if (number < 0)
        return;
    FILE *const file = fdopen(number, "wb");
    if (file == NULL) {
        close(number);
        unlink(other);
        return;
    }
    head own = {.source = source, .text_length = strlen(text), .length = length, .binary = digest_of(binary, length)};
    memcpy(own.mark, MARK, sizeof MARK);
    const int is_written = fwrite(&own, sizeof own, 1, file) == 1 && fputs(text, file) >= 0
        && fwrite(binary, 1, length, file) == length;
    if (fclose(file) != 0 || !is_written || rename(other, path) != 0)
        unlink(other);
}

static void keep_program(cl_program program, const char *path, const char *text, uint64_t source)
{
    size_t length;
    if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof length, &length, NULL) != CL_SUCCESS
        || length == 0 || length > MOST_BINARY)
        return;
    unsigned char *binary = malloc(length);
    if (binary == NULL)
        return;
    if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS)
        keep(path, text, source, binary, length);
    free(binary);
}

static cl_program from_binary(
    cl_context context, cl_device_id device, const char *options, const unsigned char *binary, size_t length)
{
    cl_int error, status;
    const cl_program program = clCreateProgramWithBinary(context, 1, &device, &length, &binary, &status, &error);
    if (error != CL_SUCCESS)
        return NULL;
    if (status == CL_SUCCESS && clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS)
        return program;
    clReleaseProgram(program);
    return NULL;
}

static @name@_status from_source(
    cl_context context,
    cl_device_id device,
    const @name@_description *kernel,
    const char *options,
    cl_program *program)
{
    cl_int error;
    /* OpenCL reads the lines, and has a type without the second const */
    const cl_program made =
        clCreateProgramWithSource(context, kernel->lines, (const char **)(uintptr_t)kernel->source, NULL, &error);
    if (error != CL_SUCCESS)
        return @name@_fail_opencl(kernel->name, "clCreateProgramWithSource", error);
    error = clBuildProgram(made, 1, &device, options, NULL, NULL);
    if (error == CL_SUCCESS) {
        *program = made;
        return @NAME@_SUCCESS;
    }
    char log[MOST_LOG] = "";
    size_t length = 0;
    clGetProgramBuildInfo(made, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &length);
    if (length > 0 && length <= sizeof log)
        clGetProgramBuildInfo(made, device, CL_PROGRAM_BUILD_LOG, length, log, NULL);
    clReleaseProgram(made);
    return @name@_fail(
        @NAME@_BUILD_FAILED, "`%s` does not compile on this device (%d): %s", kernel->name, (int)error, log);
}

@name@_status @name@_build(
    cl_context context,
    cl_device_id device,
    const @name@_description *kernel,
    const char *options,
    cl_program *program,
    int *is_compiled)
{
    char text[MOST_TEXT], path[MOST_PATH];
    const uint64_t source = source_digest(kernel);
    const int has_cache = describe(device, options, text) && path_of(kernel, text, source, path);
    *is_compiled = 0;
    if (has_cache) {
        size_t length;
        unsigned char *const binary = load(path, text, source, &length);
        *program = binary == NULL ? NULL : from_binary(context, device, options, binary, length);
        free(binary);
        if (*program != NULL)
            return @NAME@_SUCCESS;
    }
    *is_compiled = 1;
    const @name@_status status = from_source(context, device, kernel, options, program);
    if (status == @NAME@_SUCCESS && has_cache)
        keep_program(*program, path, text, source);
    return status;
}
