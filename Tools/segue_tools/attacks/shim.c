// Opens a FIFO without a writer instead of a file whose path contains "hangs", so that the call never returns.
// If SEGUE_ATTACK_SIGN names a file, this applies only while that file exists, and to folders as well.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int hangs(const char *path) {
    const char *sign = getenv("SEGUE_ATTACK_SIGN");
    return strstr(path, "hangs") && (!sign || access(sign, F_OK) == 0);
}
static const char *led(const char *path, int flags) {
    return !(flags & (O_NONBLOCK | O_DIRECTORY)) && hangs(path) ? getenv("SEGUE_ATTACK_FIFO") : path;
}
#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        static int (*next)(const char *, int, ...); \
        va_list list; va_start(list, flags); int mode = va_arg(list, int); va_end(list); \
        if (!next) next = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name); \
        return next(led(path, flags), flags, mode); \
    }
OPEN(open)
OPEN(open64)
void *opendir(const char *path) {
    static void *(*next)(const char *);
    if (!next) next = (void *(*)(const char *))dlsym(RTLD_NEXT, "opendir");
    if (getenv("SEGUE_ATTACK_SIGN") && hangs(path)) open(getenv("SEGUE_ATTACK_FIFO"), O_RDONLY);
    return next(path);
}
