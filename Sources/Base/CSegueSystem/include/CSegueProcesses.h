#pragma once

#include <sys/types.h>

/// fork(2), which Swift does not import.
///
/// The child is killed when the thread that created it ends.
///
/// Returns 0 in the child, the child's id in the parent, or -1 with errno set.
pid_t sproc_fork(void);

/// Lets a child of sproc_fork outlive the thread that created it.
void sproc_outlive(void);
