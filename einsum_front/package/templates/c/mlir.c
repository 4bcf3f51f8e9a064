/* What programs compiled by MLIR call: `_mlir_ciface_NAME` takes descriptors of memrefs. What goes wrong ends the
 * program with a message, since that interface has no way to report. */
#include <@name@.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The descriptor of a memref: its sizes, then its strides in entries. */
typedef struct {
    void *allocated;
    char *aligned;
    int64_t offset;
    int64_t numbers[];
} memref;

/* An argument where the kernel takes it: in place, or a copy. */
typedef struct {
    const memref *given;
    int rank;
    size_t entry;
    const int64_t *sizes, *strides;
    void *memory, *copy;
} argument;

static void ended(const char *kernel, @name@_status status)
{
    if (status == @NAME@_SUCCESS)
        return;
    fprintf(stderr, "%s: %s\n", kernel, @name@_message());
    abort();
}

/* Copies entries between a memref and memory that lies as the kernel takes it. */
static void copied(const argument *each, char *theirs, char *ours, int mode, int to_theirs)
{
    if (mode == each->rank) {
        memcpy(to_theirs ? theirs : ours, to_theirs ? ours : theirs, each->entry);
        return;
    }
    const int64_t size = each->sizes[mode], step = each->given->numbers[each->rank + mode];
    for (int64_t i = 0; i < size; ++i)
        copied(each, theirs + i * step * (int64_t)each->entry, ours + i * each->strides[mode] * (int64_t)each->entry,
               mode + 1, to_theirs);
}

static char *start(const memref *given, size_t entry)
{
    return given->aligned + given->offset * (int64_t)entry;
}

static argument brought(const char *kernel, const char *name, const memref *given, int rank, size_t entry,
                        const int64_t *sizes, const int64_t *strides)
{
    int lies = 1;
    int64_t span = 1;
    for (int mode = 0; mode < rank; ++mode) {
        if (given->numbers[mode] != sizes[mode]) {
            fprintf(stderr, "%s: mode %d of `%s` has size %lld, expected %lld\n", kernel, mode, name,
                    (long long)given->numbers[mode], (long long)sizes[mode]);
            abort();
        }
        lies = lies && (sizes[mode] == 1 || given->numbers[rank + mode] == strides[mode]);
        span += (sizes[mode] - 1) * strides[mode];
    }
    argument found = {given, rank, entry, sizes, strides, start(given, entry), NULL};
    if (lies)
        return found;
    found.memory = found.copy = malloc((size_t)span * entry);
    if (found.copy == NULL) {
        fprintf(stderr, "%s: no memory for a copy of `%s`\n", kernel, name);
        abort();
    }
    copied(&found, start(given, entry), found.copy, 0, 0);
    return found;
}

static void returned(const argument *each, int is_written)
{
    if (each->copy == NULL)
        return;
    if (is_written)
        copied(each, start(each->given, each->entry), each->copy, 0, 1);
    free(each->copy);
}
