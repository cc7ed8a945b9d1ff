#ifndef SEGUE_CKERNEL_H
#define SEGUE_CKERNEL_H

#include <stdint.h>

// System calls with types of our own: the order of a build decides in which module Swift finds the system's types.

// The result of stat.
struct skern_file_status {
    int64_t size;
    uint64_t device;
    uint64_t inode;
    // Nanoseconds since 1970.
    int64_t modified;
    int64_t changed;
    // One of the SKERN_FILE constants.
    int kind;
};

enum { SKERN_FILE_OTHER, SKERN_FILE_REGULAR, SKERN_FILE_FOLDER, SKERN_FILE_LINK };

// The status of the target of a path, or of the link itself. Returns 0, or -1 with errno set.
int skern_status_of_path(const char *path, int follows_links, struct skern_file_status *status);

// The status of an open file. Returns 0, or -1 with errno set.
int skern_status_of_descriptor(int descriptor, struct skern_file_status *status);

// Opens a file for reading, as open(2) does with O_CLOEXEC. Below a served folder, it has to be a regular file that is
// really there, wherever links lead. Returns a descriptor, or -1 with errno set: EXDEV for a file elsewhere.
int skern_open_file(const char *path, int flags);

// Adds a served folder, whose path has no links and dots. Returns 0, or -1 with errno set without memory.
int skern_serve(const char *folder);

// Removes a served folder that was added once more than it was removed.
void skern_serve_no_longer(const char *folder);

// Returns 1 if a process of this machine has the file open for writing, 0 if none has, and -1 if that is unknown, as for
// files of other users and on network file systems.
int skern_is_being_written(const char *path);

extern const int SKERN_CLOCK_DATE, SKERN_CLOCK_STEADY, SKERN_CLOCK_PROCESS;

// Returns the time in nanoseconds, or -1 with errno set without such a clock.
int64_t skern_clock(int clock);

// The processor time clock of the calling thread. Returns 0 or an error number.
int skern_clock_of_thread(int *clock);

// The processor time clock of all threads of a process. Returns 0 or an error number.
int skern_clock_of_process(int process, int *clock);

#endif
