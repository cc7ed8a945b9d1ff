#pragma once

#include <sys/types.h>

/// fork(2), which Swift does not import: a copy of this process, of the calling thread alone.
///
/// The copy is killed when the thread that made it ends.
///
/// Returns 0 in the copy, its number in the process itself, or -1 with errno.
pid_t sproc_fork(void);

/// Lets this process, a copy that sproc_fork made, live on when the thread that made it ends.
void sproc_outlive(void);
