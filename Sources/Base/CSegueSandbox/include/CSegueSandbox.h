// The restrictions of a process before it reads untrusted files: Linux's Landlock, seccomp, and prctl as plain functions
// (ssand_…).
// Functions that can fail return a negative error number instead of setting errno.
#ifndef SEGUE_CSANDBOX_H
#define SEGUE_CSANDBOX_H

#include <sys/types.h>

/// Names the process segue-worker, closes all descriptors except the first three, makes the process end with the thread
/// that started it, and permanently drops the right to gain privileges.
int ssand_settle(void);

/// Restricts the calling thread and its new threads to reading files below some paths; if the kernel supports it, TCP and
/// signals to other processes are denied as well.
///
/// Missing paths are ignored. Returns the version of the kernel's Landlock, at least 1.
int ssand_reach(const char *const *readable, int count);

/// Denies system calls that reading and coding files never needs, for all threads of the process: sockets, programs,
/// processes, and changes to the system. Such calls fail with EPERM.
int ssand_forbid(void);

/// A descriptor that becomes readable when a process ends.
int ssand_ending(pid_t process);

#endif
