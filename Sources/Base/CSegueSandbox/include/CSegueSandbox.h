// What a process gives up for good before it looks at anybody's files: Landlock, seccomp and prctl of Linux as plain
// functions (ssand_…).
// Functions that can fail return the negative error number instead of setting errno.
#ifndef SEGUE_CSANDBOX_H
#define SEGUE_CSANDBOX_H

#include <sys/types.h>

/// Names the process segue-worker, closes all files but the first three, has the process killed when the thread that
/// started it ends, and gives up new privileges for good.
int ssand_settle(void);

/// Lets the calling thread, and those that it makes, read files below some places and nothing else of any file system;
/// on kernels that know of it also no TCP, and no signals to processes outside.
///
/// Places that are not there are left out. Returns the version of the kernel's Landlock, at least 1.
int ssand_reach(const char *const *readable, int count);

/// Forbids all threads of the process what reading and coding files never needs: sockets, other programs and processes,
/// and whatever changes the system. Such calls fail with EPERM.
int ssand_forbid(void);

/// A descriptor that is ready for reading when a process has ended.
int ssand_ending(pid_t process);

#endif
