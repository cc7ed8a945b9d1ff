#define _GNU_SOURCE
#include "CSegueSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int ssand_settle(void) {
    // Process lists would show the name of the link that started it.
    if (prctl(PR_SET_NAME, "segue-worker") != 0) return -errno;
    // The descriptors of the parent are not for it.
    if (syscall(SYS_close_range, 3, ~0U, 0) < 0 && errno != ENOSYS) return -errno;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) return -errno;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -errno;
    return 0;
}

int ssand_ending(pid_t process) {
    int found = (int)syscall(SYS_pidfd_open, process, 0);
    return found < 0 ? -errno : found;
}

// The system's header may be older than the kernel, so later additions are defined here.
struct ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

enum { TRUNCATE_FILE = 14, DEVICE_CONTROL = 15 };

static uint64_t handled_files(int version) {
    int count = version >= 5 ? DEVICE_CONTROL + 1 : version >= 3 ? TRUNCATE_FILE + 1 : version >= 2 ? 14 : 13;
    return (UINT64_C(1) << count) - 1;
}

static int allow(int rules, const char *path) {
    struct stat status;
    int place = open(path, O_PATH | O_CLOEXEC);
    if (place < 0) return 0;
    uint64_t rights = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE;
    if (fstat(place, &status) == 0 && S_ISDIR(status.st_mode)) rights |= LANDLOCK_ACCESS_FS_READ_DIR;
    struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = place};
    int code = (int)syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    int error = errno;
    close(place);
    return code < 0 ? -error : 0;
}

int ssand_reach(const char *const *readable, int count, int newest) {
    int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 0) return -errno;
    if (newest < 1) return -ENOSYS;
    if (version > newest) version = newest;
    struct ruleset wanted = {.files = handled_files(version), .network = 3, .scopes = 3};
    size_t size = version >= 6 ? sizeof wanted : version >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
    int rules = (int)syscall(SYS_landlock_create_ruleset, &wanted, size, 0);
    if (rules < 0) return -errno;
    int code = 0;
    for (int place = 0; place < count && code == 0; place++) code = allow(rules, readable[place]);
    if (code == 0 && syscall(SYS_landlock_restrict_self, rules, 0) < 0) code = -errno;
    close(rules);
    return code < 0 ? code : version;
}

// What decoding and encoding need: memory, threads, time, and reading. Everything else fails with EPERM. Numbers that an
// architecture lacks are negative, and ignored.
static const int allowed[] = {
    // Files that are open, or that Landlock lets it open.
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(preadv), SCMP_SYS(preadv2), SCMP_SYS(write),
    SCMP_SYS(writev), SCMP_SYS(pwrite64), SCMP_SYS(lseek), SCMP_SYS(_llseek), SCMP_SYS(close), SCMP_SYS(open),
    SCMP_SYS(openat), SCMP_SYS(openat2), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(fstat), SCMP_SYS(newfstatat),
    SCMP_SYS(fstat64), SCMP_SYS(fstatat64), SCMP_SYS(statx), SCMP_SYS(fstatfs), SCMP_SYS(access), SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(getdents64), SCMP_SYS(getcwd),
    SCMP_SYS(fadvise64), SCMP_SYS(fadvise64_64), SCMP_SYS(dup), SCMP_SYS(dup3), SCMP_SYS(pipe2), SCMP_SYS(eventfd2),
    SCMP_SYS(timerfd_create), SCMP_SYS(timerfd_settime), SCMP_SYS(timerfd_gettime), SCMP_SYS(epoll_create1),
    SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait), SCMP_SYS(epoll_pwait2), SCMP_SYS(poll),
    SCMP_SYS(ppoll), SCMP_SYS(select), SCMP_SYS(pselect6), SCMP_SYS(recvmsg), SCMP_SYS(sendmsg), SCMP_SYS(recvfrom),
    // Memory.
    SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(mmap2), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(mprotect),
    SCMP_SYS(madvise), SCMP_SYS(mincore), SCMP_SYS(membarrier), SCMP_SYS(get_mempolicy),
    // Threads, its own signals, and its end.
    SCMP_SYS(futex), SCMP_SYS(futex_time64), SCMP_SYS(futex_waitv), SCMP_SYS(set_robust_list), SCMP_SYS(rseq),
    SCMP_SYS(set_tid_address), SCMP_SYS(arch_prctl), SCMP_SYS(gettid), SCMP_SYS(getpid), SCMP_SYS(getppid),
    SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid), SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getparam), SCMP_SYS(sched_getscheduler),
    SCMP_SYS(sched_get_priority_max), SCMP_SYS(sched_get_priority_min), SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack), SCMP_SYS(restart_syscall),
    SCMP_SYS(pause), SCMP_SYS(exit), SCMP_SYS(exit_group),
    // Time and the machine.
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_gettime64), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep),
    SCMP_SYS(clock_nanosleep_time64), SCMP_SYS(nanosleep), SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(times),
    SCMP_SYS(getrusage), SCMP_SYS(getrlimit), SCMP_SYS(ugetrlimit), SCMP_SYS(sysinfo), SCMP_SYS(uname),
    SCMP_SYS(getrandom), SCMP_SYS(getcpu),
};

// A call that is allowed with certain values of one of its arguments.
struct narrow {
    int call;
    struct scmp_arg_cmp argument;
};

static int add_narrow(scmp_filter_ctx filter) {
    const scmp_datum_t own = (scmp_datum_t)getpid();
    const struct narrow narrow[] = {
        // Flags and locks, but no owner or signal, which would reach other processes.
        {SCMP_SYS(fcntl), SCMP_A1_32(SCMP_CMP_LE, F_SETLKW)},
        {SCMP_SYS(fcntl), SCMP_A1_32(SCMP_CMP_EQ, F_DUPFD_CLOEXEC)},
        {SCMP_SYS(fcntl64), SCMP_A1_32(SCMP_CMP_LE, F_SETLKW)},
        {SCMP_SYS(fcntl64), SCMP_A1_32(SCMP_CMP_EQ, F_DUPFD_CLOEXEC)},
        // The names of threads.
        {SCMP_SYS(prctl), SCMP_A0_32(SCMP_CMP_EQ, PR_SET_NAME)},
        {SCMP_SYS(prctl), SCMP_A0_32(SCMP_CMP_EQ, PR_GET_NAME)},
        // The C library asks whether standard error is a terminal.
        {SCMP_SYS(ioctl), SCMP_A1_32(SCMP_CMP_EQ, TCGETS)},
        // A process may signal itself, as abort() does.
        {SCMP_SYS(tgkill), SCMP_A0(SCMP_CMP_EQ, own)},
        // Encoders lower the priority of their own threads.
        {SCMP_SYS(setpriority), SCMP_A1_32(SCMP_CMP_EQ, 0)},
        // Its limits may be read.
        {SCMP_SYS(prlimit64), SCMP_A2(SCMP_CMP_EQ, 0)},
        // Threads are allowed, processes are not.
        {SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)},
    };
    int code = 0;
    for (size_t place = 0; place < sizeof narrow / sizeof *narrow && code == 0; place++) {
        code = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, narrow[place].call, 1, &narrow[place].argument);
    }
    // The arguments of clone3 are in memory, which filters cannot read; the C library falls back to clone if clone3 is
    // missing.
    if (code == 0) code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    return code;
}

int ssand_allows(int call) {
    for (size_t place = 0; place < sizeof allowed / sizeof *allowed; place++) {
        if (allowed[place] == call) return 1;
    }
    return 0;
}

int ssand_forbid(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter) return -ENOMEM;
    int code = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    for (size_t place = 0; place < sizeof allowed / sizeof *allowed && code == 0; place++) {
        code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[place], 0);
    }
    if (code == 0) code = add_narrow(filter);
    if (code == 0) code = seccomp_load(filter);
    seccomp_release(filter);
    return code;
}
