#include "CSegueProcesses.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

pid_t sproc_fork(void) {
    pid_t original = getpid();
    pid_t copy = fork();
    if (copy != 0) return copy;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have ended before the call above.
    if (getppid() != original) _exit(1);
    return 0;
}

void sproc_outlive(void) { prctl(PR_SET_PDEATHSIG, 0); }
