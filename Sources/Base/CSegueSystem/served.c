#define _GNU_SOURCE
#include "CSegueKernel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The served folders, each as often as it was added.
struct folder {
    struct folder *next;
    size_t length;
    char path[];
};

static struct folder *folders;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int skern_serve(const char *path) {
    size_t length = strlen(path);
    // The root's path is empty, so that every path continues with a slash.
    while (length > 0 && path[length - 1] == '/') length--;
    struct folder *folder = malloc(sizeof *folder + length + 1);
    if (!folder) return -1;
    folder->length = length;
    memcpy(folder->path, path, length);
    folder->path[length] = 0;
    pthread_mutex_lock(&lock);
    folder->next = folders;
    folders = folder;
    pthread_mutex_unlock(&lock);
    return 0;
}

static int is_below(const char *path, const char *folder, size_t length) {
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

void skern_serve_no_longer(const char *path) {
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] == '/') length--;
    pthread_mutex_lock(&lock);
    for (struct folder **place = &folders; *place; place = &(*place)->next) {
        struct folder *folder = *place;
        if (folder->length != length || memcmp(folder->path, path, length) != 0) continue;
        *place = folder->next;
        free(folder);
        break;
    }
    pthread_mutex_unlock(&lock);
}

// Copies the innermost served folder of a path; returns its length, or -1 without one.
static ssize_t folder_of(const char *path, char folder[PATH_MAX]) {
    ssize_t found = -1;
    pthread_mutex_lock(&lock);
    for (struct folder *each = folders; each; each = each->next) {
        if (each->length >= PATH_MAX || (ssize_t)each->length <= found) continue;
        if (!is_below(path, each->path, each->length)) continue;
        found = (ssize_t)each->length;
        memcpy(folder, each->path, each->length + 1);
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static int fail(int place, int error) {
    close(place);
    errno = error;
    return -1;
}

// Opens a file that is a regular one below a folder. What was opened is examined, and not its name, which others may
// change at any time.
static int open_below(const char *path, const char *folder, size_t length, int flags) {
    struct stat status;
    char link[64], found[PATH_MAX];
    // Such a descriptor reads nothing, and wakes no device.
    int place = open(path, O_PATH | O_CLOEXEC);
    if (place < 0) return -1;
    if (fstat(place, &status) != 0) return fail(place, errno);
    if (!S_ISREG(status.st_mode)) return fail(place, EISDIR);
    snprintf(link, sizeof link, "/proc/self/fd/%d", place);
    ssize_t count = readlink(link, found, sizeof found - 1);
    if (count < 0) return fail(place, errno);
    found[count] = 0;
    if (!is_below(found, folder, length)) return fail(place, EXDEV);
    int opened = open(link, flags | O_CLOEXEC);
    int error = errno;
    close(place);
    errno = error;
    return opened;
}

int skern_open_file(const char *path, int flags) {
    char folder[PATH_MAX], target[PATH_MAX];
    ssize_t length = folder_of(path, folder);
    if (length >= 0) return open_below(path, folder, (size_t)length, flags);
    // A name that is not UTF-8 is opened through a link elsewhere.
    ssize_t count = readlink(path, target, sizeof target - 1);
    if (count > 0) {
        target[count] = 0;
        length = folder_of(target, folder);
        if (length >= 0) return open_below(target, folder, (size_t)length, flags);
    }
    return open(path, flags | O_CLOEXEC);
}
