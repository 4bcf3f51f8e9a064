/* Compare each kernel with naive loops. Ends with 0 if all are right, 1 if one is wrong, 77 if there is no device. */
#include "harness.h"

#include <stdio.h>

@declared@

static const test_kernel *const tests[] = {
@tests@
    NULL,
};

/* Kernels without loops, and why they have none. */
static const char *const untested[] = {
@untested@
    NULL,
};

int main(void)
{
    const int opened = device_open();
    if (opened != 0)
        return opened;
    int counts[3] = {0, 0, 0};
    for (const test_kernel *const *each = tests; *each != NULL; ++each) {
        int result = 0;
        for (int way = 0; way < device_ways && result == 0; ++way) {
            result = check(*each, way);
            if (result == 1)
                printf("%s: wrong, %s\n", (*each)->name, device_way(way));
        }
        ++counts[result];
    }
    for (const char *const *each = untested; *each != NULL; ++each) {
        puts(*each);
        ++counts[2];
    }
    printf("%d kernels are right, %d wrong, %d left out\n", counts[0], counts[1], counts[2]);
    device_close();
    return counts[1] > 0;
}
