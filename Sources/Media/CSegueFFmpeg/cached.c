#define _GNU_SOURCE

#include "CSegueFFmpeg.h"

#include <sys/uio.h>

int64_t ffs_read_cached(int descriptor, void *bytes, size_t count, int64_t position) {
    struct iovec part = {bytes, count};
    return preadv2(descriptor, &part, 1, position, RWF_NOWAIT);
}
