#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "module.h"

__thread const segue_time_clocks *segue_time_clocks_of_thread;

static segue_time_hooks hooks;
const segue_time_hooks *segue_time_hooks_set;

const segue_time_clocks *segue_time_entered(void) { return segue_time_clocks_of_thread; }

void segue_time_enter(const segue_time_clocks *clocks) { segue_time_clocks_of_thread = clocks; }

bool segue_time_wait_semaphore(void *semaphore, int64_t nanoseconds) {
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    int64_t part = deadline.tv_nsec + nanoseconds % 1000000000;
    deadline.tv_sec += nanoseconds / 1000000000 + part / 1000000000;
    deadline.tv_nsec = part % 1000000000;
    while (sem_timedwait(semaphore, &deadline) != 0) {
        if (errno != EINTR) return false;
    }
    return true;
}

void segue_time_set_hooks(const segue_time_hooks *new) {
    hooks = *new;
    segue_time_hooks_set = &hooks;
}

void *segue_time_next(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) {
        fprintf(stderr, "SegueTime: no library that is loaded has %s\n", name);
        abort();
    }
    return function;
}

// The layout of a job in Swift's runtime before its kind: an object header, and two words of the executor.
struct job {
    void *header[2];
    void *of_executor[2];
    uint32_t flags;
};

uint64_t segue_time_task_of_job(void *job) {
    // The kind of a task is 0. Other jobs, such as those of an actor, have no ID.
    if ((((const struct job *)job)->flags & 0xFF) != 0) return 0;
    static uint64_t (*of_job)(void *);
    if (!of_job) of_job = (uint64_t(*)(void *))dlsym(RTLD_DEFAULT, "swift_task_getJobTaskId");
    return of_job ? of_job(job) : 0;
}

int segue_time_calls(void **addresses, int most) { return backtrace(addresses, most); }

const char *segue_time_image(const void *address, uint64_t *base) {
    Dl_info info;
    if (!dladdr(address, &info)) return 0;
    *base = (uint64_t)info.dli_fbase;
    return info.dli_fname;
}

char *segue_time_demangled(const char *name) {
    extern char *swift_demangle(const char *, size_t, char *, size_t *, uint32_t);
    return swift_demangle(name, strlen(name), 0, 0, 0);
}

void segue_time_allow_interrupts(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGURG);
    pthread_sigmask(SIG_UNBLOCK, &set, 0);
}

int segue_time_interrupt(uint64_t thread, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGURG, &action, 0) != 0) return -1;
    return pthread_kill((pthread_t)thread, SIGURG);
}
