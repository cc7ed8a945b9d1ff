#ifndef SEGUE_CKERNEL_H
#define SEGUE_CKERNEL_H

#include <stdint.h>

// Calls of the system whose own types are found by Swift in one module or another, as the order has it in which a build
// comes to them. These are in types of our own.

// What stat says of a file.
struct skern_file_status {
    int64_t size;
    uint64_t device;
    uint64_t inode;
    // Nanoseconds since 1970.
    int64_t modified;
    int64_t changed;
    // The file's type, one of those below.
    int kind;
};

enum { SKERN_FILE_OTHER, SKERN_FILE_REGULAR, SKERN_FILE_FOLDER, SKERN_FILE_LINK };

// The status of what a path leads to, or of the link itself. Returns 0, or -1 with errno set.
int skern_status_of_path(const char *path, int follows_links, struct skern_file_status *status);

// The status of an open file. Returns 0, or -1 with errno set.
int skern_status_of_descriptor(int descriptor, struct skern_file_status *status);

extern const int SKERN_CLOCK_DATE, SKERN_CLOCK_STEADY, SKERN_CLOCK_PROCESS;

// Nanoseconds on a clock; -1 with errno set where there is no such clock.
int64_t skern_clock(int clock);

// The clock of the processor time of the calling thread; 0, or what is wrong.
int skern_clock_of_thread(int *clock);

// The clock of the processor time of all threads of a process; 0, or what is wrong.
int skern_clock_of_process(int process, int *clock);

#endif
