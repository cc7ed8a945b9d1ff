// F_SETLEASE and F_SETSIG are Linux extensions.
#define _GNU_SOURCE
#include "CSegueKernel.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

int skern_is_being_written(const char *path) {
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return -1;
    int result = -1;
    // A writer that opens the file in the meantime would otherwise end this process by SIGIO; SIGURG is ignored.
    if (fcntl(descriptor, F_SETSIG, SIGURG) == 0) {
        // Linux grants a read lease only if nobody has the file open for writing (fcntl(2), "File leases").
        if (fcntl(descriptor, F_SETLEASE, F_RDLCK) == 0) {
            fcntl(descriptor, F_SETLEASE, F_UNLCK);
            result = 0;
        } else if (errno == EAGAIN) {
            result = 1;
        }
    }
    close(descriptor);
    return result;
}
