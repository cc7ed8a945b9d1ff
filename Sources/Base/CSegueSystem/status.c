#include "CSegueKernel.h"

#include <sys/stat.h>

static int64_t nanoseconds(struct timespec time) {
    int64_t result;
    if (__builtin_mul_overflow((int64_t)time.tv_sec, INT64_C(1000000000), &result) ||
        __builtin_add_overflow(result, (int64_t)time.tv_nsec, &result)) {
        return time.tv_sec < 0 ? INT64_MIN : INT64_MAX;
    }
    return result;
}

static int keep(int code, const struct stat *from, struct skern_file_status *status) {
    if (code != 0) return -1;
    status->size = from->st_size;
    status->device = from->st_dev;
    status->inode = from->st_ino;
    status->modified = nanoseconds(from->st_mtim);
    status->changed = nanoseconds(from->st_ctim);
    status->kind = S_ISREG(from->st_mode) ? SKERN_FILE_REGULAR
                   : S_ISDIR(from->st_mode) ? SKERN_FILE_FOLDER
                   : S_ISLNK(from->st_mode) ? SKERN_FILE_LINK
                                            : SKERN_FILE_OTHER;
    return 0;
}

int skern_status_of_path(const char *path, int follows_links, struct skern_file_status *status) {
    struct stat found;
    return keep(follows_links ? stat(path, &found) : lstat(path, &found), &found, status);
}

int skern_status_of_descriptor(int descriptor, struct skern_file_status *status) {
    struct stat found;
    return keep(fstat(descriptor, &found), &found, status);
}
