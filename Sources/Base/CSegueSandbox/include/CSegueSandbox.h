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
/// Missing paths are ignored. `newest` is the newest version of Landlock to use: tests simulate older kernels. Returns
/// the version in use, at least 1.
int ssand_reach(const char *const *readable, int count, int newest);

/// Allows the system calls that reading and coding files need, for all threads of the process. All others fail with
/// EPERM.
int ssand_forbid(void);

/// Returns 1 for a system call that is allowed with any arguments.
int ssand_allows(int call);

/// Tries all system calls that ssand_forbid() should forbid, for tests.
///
/// Sets `what` to a description of the first one that passes, whose number is returned if it has one; to NULL if all fail.
int ssand_probe(const char **what);

/// A descriptor that becomes readable when a process ends.
int ssand_ending(pid_t process);

#endif
