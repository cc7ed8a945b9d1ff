// The clocks of libc. A definition in the program takes precedence over libc's, also in libraries, so that all code on a
// thread in virtual time reads these clocks.

#define _GNU_SOURCE

#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "module.h"

static const int64_t second = 1000000000;

int clock_gettime(clockid_t clock, struct timespec *time) {
    NEXT(clock_gettime);
    const segue_time_clocks *clocks = segue_time_clocks_of_thread;
    if (!clocks) return next(clock, time);
    int64_t now = clocks->uptime;
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI:
        now += clocks->epoch;
        break;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_BOOTTIME:
        break;
    default:
        return next(clock, time);
    }
    time->tv_sec = now / second;
    time->tv_nsec = now % second;
    return 0;
}

int64_t segue_time_real_uptime(void) {
    struct timespec time;
    NEXT(clock_gettime);
    next(CLOCK_MONOTONIC, &time);
    return time.tv_sec * second + time.tv_nsec;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    NEXT(gettimeofday);
    const segue_time_clocks *clocks = segue_time_clocks_of_thread;
    if (!clocks) return next(time, zone);
    int64_t now = clocks->uptime + clocks->epoch;
    time->tv_sec = now / second;
    time->tv_usec = now % second / 1000;
    return 0;
}

time_t time(time_t *seconds) {
    NEXT(time);
    const segue_time_clocks *clocks = segue_time_clocks_of_thread;
    if (!clocks) return next(seconds);
    time_t now = (clocks->uptime + clocks->epoch) / second;
    if (seconds) *seconds = now;
    return now;
}

int nanosleep(const struct timespec *time, struct timespec *left) {
    NEXT(nanosleep);
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    if (!hooks || time->tv_sec < 0 || time->tv_nsec < 0) return next(time, left);
    const int64_t most = INT64_MAX / second - 1;
    hooks->sleep((time->tv_sec < most ? time->tv_sec : most) * second + time->tv_nsec);
    return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
    NEXT(clock_nanosleep);
    if (!segue_time_hooks_of_thread()) return next(clock, flags, time, left);
    struct timespec rest = *time;
    if (flags & TIMER_ABSTIME) {
        struct timespec now;
        if (clock_gettime(clock, &now) != 0) return errno;
        rest.tv_sec -= now.tv_sec;
        rest.tv_nsec -= now.tv_nsec;
        if (rest.tv_nsec < 0) {
            rest.tv_sec -= 1;
            rest.tv_nsec += second;
        }
        if (rest.tv_sec < 0) return 0;
    }
    return nanosleep(&rest, 0);
}

// Replaces libc's function, and sleeps in the time of its thread.
int usleep(useconds_t microseconds) {
    NEXT(usleep);
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    if (!hooks) return next(microseconds);
    hooks->sleep((int64_t)microseconds * 1000);
    return 0;
}

unsigned int sleep(unsigned int seconds) {
    NEXT(sleep);
    const segue_time_hooks *hooks = segue_time_hooks_of_thread();
    if (!hooks) return next(seconds);
    hooks->sleep((int64_t)seconds * second);
    return 0;
}
