#define _GNU_SOURCE
#include "CSegueSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdint.h>
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

int ssand_reach(const char *const *readable, int count) {
    int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 0) return -errno;
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

static const int forbidden[] = {
    SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen), SCMP_SYS(accept),
    SCMP_SYS(accept4), SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(pidfd_getfd), SCMP_SYS(pidfd_send_signal),
    SCMP_SYS(kcmp), SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root), SCMP_SYS(chroot), SCMP_SYS(unshare),
    SCMP_SYS(setns), SCMP_SYS(open_tree), SCMP_SYS(move_mount), SCMP_SYS(fsopen), SCMP_SYS(fsmount), SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(io_uring_setup), SCMP_SYS(keyctl), SCMP_SYS(add_key),
    SCMP_SYS(request_key), SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(delete_module),
    SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load), SCMP_SYS(reboot), SCMP_SYS(swapon), SCMP_SYS(swapoff),
    SCMP_SYS(setuid), SCMP_SYS(setgid), SCMP_SYS(setreuid), SCMP_SYS(setregid), SCMP_SYS(setresuid),
    SCMP_SYS(setresgid), SCMP_SYS(setgroups), SCMP_SYS(capset), SCMP_SYS(personality), SCMP_SYS(sethostname),
    SCMP_SYS(settimeofday), SCMP_SYS(clock_settime), SCMP_SYS(clock_adjtime), SCMP_SYS(adjtimex),
    SCMP_SYS(open_by_handle_at), SCMP_SYS(quotactl), SCMP_SYS(acct), SCMP_SYS(mknod), SCMP_SYS(mknodat),
    SCMP_SYS(kill), SCMP_SYS(tkill), SCMP_SYS(chmod), SCMP_SYS(fchmod), SCMP_SYS(fchmodat), SCMP_SYS(chown),
    SCMP_SYS(fchown), SCMP_SYS(lchown), SCMP_SYS(fchownat), SCMP_SYS(setxattr), SCMP_SYS(lsetxattr),
    SCMP_SYS(fsetxattr), SCMP_SYS(removexattr), SCMP_SYS(utimensat), SCMP_SYS(prlimit64),
};

static int add_rules(scmp_filter_ctx filter) {
    int code = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    for (size_t place = 0; place < sizeof forbidden / sizeof *forbidden && code == 0; place++) {
        if (forbidden[place] == SCMP_SYS(prlimit64)) {
            // Reading its own limits is allowed, as the C library does it.
            code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), forbidden[place], 1, SCMP_A2(SCMP_CMP_NE, 0));
        } else {
            code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), forbidden[place], 0);
        }
    }
    // A process may signal itself, as abort() does.
    if (code == 0) code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(tgkill), 1,
                                           SCMP_A0(SCMP_CMP_NE, (scmp_datum_t)getpid()));
    // Threads are allowed, processes are not. The arguments of clone3 are in memory, which filters cannot read; the C
    // library falls back to clone if clone3 is missing.
    if (code == 0) code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                                           SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    if (code == 0) code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    return code;
}

int ssand_forbid(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) return -ENOMEM;
    int code = add_rules(filter);
    if (code == 0) code = seccomp_load(filter);
    seccomp_release(filter);
    return code;
}
