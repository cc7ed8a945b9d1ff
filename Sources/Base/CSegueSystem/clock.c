#include "CSegueKernel.h"

#include <pthread.h>
#include <time.h>

const int SKERN_CLOCK_DATE = CLOCK_REALTIME;
const int SKERN_CLOCK_STEADY = CLOCK_MONOTONIC;
const int SKERN_CLOCK_PROCESS = CLOCK_PROCESS_CPUTIME_ID;

int64_t skern_clock(int clock) {
    struct timespec time;
    if (clock_gettime(clock, &time) != 0) return -1;
    return (int64_t)time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

int skern_clock_of_thread(int *clock) { return pthread_getcpuclockid(pthread_self(), clock); }

int skern_clock_of_process(int process, int *clock) { return clock_getcpuclockid(process, clock); }
