// SPDX-License-Identifier: Apache-2.0

// The attempts of a captured scanner. The test compiles this library and has it loaded into the scanner in advance,
// where it waits until the process has confined itself: the scanner then polls its standard output for the first
// message.
//
// For each attempt it writes "name errno" to standard error (0: the kernel did it), and "end" after the last one.
// Where an attempt that succeeds would harm the machine, its arguments are useless: any other errno than that of a
// refusal shows that the kernel looked at them.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Younger than some headers.
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif
#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif
#ifndef SYS_setxattrat
#define SYS_setxattrat 463
#endif

static void report(const char *name, long result) {
    int code = result == -1 ? errno : 0;
    char line[64];
    int count = snprintf(line, sizeof line, "%s %d\n", name, code);
    (void)!write(STDERR_FILENO, line, (size_t)count);
}

#define ATTEMPT(name, ...) report(name, syscall(__VA_ARGS__))
/// A call whose first argument no file, process or address has.
#define USELESS(name) report(#name, syscall(SYS_##name, -1L, -1L, -1L, -1L, -1L, -1L))

/// Attacks a file by its path.
static void attack_file(const char *key) {
    static const struct timespec longAgo[2];
    char other[4096];
    snprintf(other, sizeof other, "%s.other", key);
    ATTEMPT("fchmodat", SYS_fchmodat, AT_FDCWD, key, 0644, 0);
    ATTEMPT("fchmodat2", SYS_fchmodat2, AT_FDCWD, key, 0644, 0);
    ATTEMPT("utimensat", SYS_utimensat, AT_FDCWD, key, longAgo, 0);
    ATTEMPT("setxattr", SYS_setxattr, key, "user.intruder", "1", 1, 0);
    ATTEMPT("lsetxattr", SYS_lsetxattr, key, "user.intruder", "1", 1, 0);
    ATTEMPT("removexattr", SYS_removexattr, key, "user.intruder");
    ATTEMPT("fchownat", SYS_fchownat, AT_FDCWD, key, 65534, 65534, 0);
    ATTEMPT("truncate", SYS_truncate, key, 0);
    ATTEMPT("linkat", SYS_linkat, AT_FDCWD, key, AT_FDCWD, other, 0);
    ATTEMPT("symlinkat", SYS_symlinkat, key, AT_FDCWD, other);
    ATTEMPT("renameat2", SYS_renameat2, AT_FDCWD, key, AT_FDCWD, other, 0);
    ATTEMPT("unlinkat", SYS_unlinkat, AT_FDCWD, key, 0);
    ATTEMPT("mkdirat", SYS_mkdirat, AT_FDCWD, other, 0700);
    ATTEMPT("mknodat", SYS_mknodat, AT_FDCWD, other, 0010600, 0);
    ATTEMPT("openat for writing", SYS_openat, AT_FDCWD, key, O_WRONLY);
    ATTEMPT("openat for both", SYS_openat, AT_FDCWD, key, O_RDWR);
    ATTEMPT("openat that cuts off", SYS_openat, AT_FDCWD, key, O_RDONLY | O_TRUNC);
    ATTEMPT("openat that makes", SYS_openat, AT_FDCWD, other, O_RDONLY | O_CREAT, 0600);
    ATTEMPT("openat of a place", SYS_openat, AT_FDCWD, key, O_PATH);
    ATTEMPT("openat2", SYS_openat2, AT_FDCWD, key, NULL, 0);
    USELESS(fchmod);
    USELESS(fchown);
    USELESS(ftruncate);
    USELESS(fallocate);
    USELESS(fsetxattr);
    USELESS(setxattrat);
    USELESS(quotactl);
#ifdef __x86_64__
    ATTEMPT("open", SYS_open, key, O_RDONLY);
    ATTEMPT("creat", SYS_creat, other, 0600);
    ATTEMPT("chmod", SYS_chmod, key, 0644);
    ATTEMPT("chown", SYS_chown, key, 65534, 65534);
    ATTEMPT("lchown", SYS_lchown, key, 65534, 65534);
    ATTEMPT("utime", SYS_utime, key, longAgo);
    ATTEMPT("utimes", SYS_utimes, key, longAgo);
    ATTEMPT("link", SYS_link, key, other);
    ATTEMPT("symlink", SYS_symlink, key, other);
    ATTEMPT("rename", SYS_rename, key, other);
    ATTEMPT("unlink", SYS_unlink, key);
    ATTEMPT("mkdir", SYS_mkdir, other, 0700);
    ATTEMPT("rmdir", SYS_rmdir, other);
    ATTEMPT("mknod", SYS_mknod, other, 0010600, 0);
#endif
}

/// Attacks the parent by its number, the worst last.
static void attack_parent(pid_t parent) {
    static const struct rlimit64 none;
    struct sched_param weakest = {0};
    unsigned long cpus[16] = {1};
    ATTEMPT("prlimit64", SYS_prlimit64, parent, RLIMIT_NOFILE, &none, NULL);
    ATTEMPT("prlimit64 of another's", SYS_prlimit64, parent, RLIMIT_NOFILE, NULL, NULL);
    ATTEMPT("prlimit64 of its own", SYS_prlimit64, 0, RLIMIT_NICE, &none, NULL);
    ATTEMPT("setpriority", SYS_setpriority, PRIO_PROCESS, parent, 19);
    ATTEMPT("sched_setaffinity", SYS_sched_setaffinity, parent, sizeof cpus, cpus);
    ATTEMPT("sched_getaffinity", SYS_sched_getaffinity, parent, sizeof cpus, cpus);
    ATTEMPT("sched_setscheduler", SYS_sched_setscheduler, parent, SCHED_IDLE, &weakest);
    ATTEMPT("sched_setparam", SYS_sched_setparam, parent, &weakest);
    ATTEMPT("ioprio_set", SYS_ioprio_set, 1, parent, 3 << 13);
    ATTEMPT("pidfd_open", SYS_pidfd_open, parent, 0);
    ATTEMPT("process_vm_readv", SYS_process_vm_readv, parent, NULL, 0, NULL, 0, 0);
    ATTEMPT("process_vm_writev", SYS_process_vm_writev, parent, NULL, 0, NULL, 0, 0);
    ATTEMPT("kcmp", SYS_kcmp, parent, getpid(), 1, 0, 0);
    ATTEMPT("migrate_pages", SYS_migrate_pages, parent, 0, NULL, NULL);
    ATTEMPT("move_pages", SYS_move_pages, parent, 0, NULL, NULL, NULL, 0);
    ATTEMPT("setpgid", SYS_setpgid, 0, 0);
    ATTEMPT("setsid", SYS_setsid);
    ATTEMPT("fcntl F_SETOWN", SYS_fcntl, STDOUT_FILENO, F_SETOWN, parent);
    ATTEMPT("fcntl F_SETOWN_EX", SYS_fcntl, STDOUT_FILENO, F_SETOWN_EX, NULL);
    ATTEMPT("fcntl F_SETSIG", SYS_fcntl, STDOUT_FILENO, F_SETSIG, SIGKILL);
    ATTEMPT("fcntl O_ASYNC", SYS_fcntl, STDOUT_FILENO, F_SETFL, O_ASYNC | O_WRONLY);
    ATTEMPT("fcntl F_NOTIFY", SYS_fcntl, STDIN_FILENO, F_NOTIFY, 1);
    ATTEMPT("fcntl F_SETLEASE", SYS_fcntl, STDIN_FILENO, F_SETLEASE, F_RDLCK);
    ATTEMPT("fcntl F_SETLK", SYS_fcntl, STDIN_FILENO, F_SETLK, NULL);
    ATTEMPT("fcntl F_DUPFD", SYS_fcntl, STDIN_FILENO, F_DUPFD, -1);
    ATTEMPT("ioctl FIOSETOWN", SYS_ioctl, STDOUT_FILENO, 0x8901, &parent);
    ATTEMPT("ioctl FIOASYNC", SYS_ioctl, STDOUT_FILENO, 0x5452, &parent);
    // The address of an empty queue entry, which no signal has.
    ATTEMPT("rt_sigqueueinfo", SYS_rt_sigqueueinfo, parent, SIGKILL, NULL);
    ATTEMPT("rt_tgsigqueueinfo", SYS_rt_tgsigqueueinfo, parent, parent, SIGKILL, NULL);
    USELESS(pidfd_send_signal);
    USELESS(pidfd_getfd);
    USELESS(process_madvise);
    USELESS(process_mrelease);
    ATTEMPT("ptrace", SYS_ptrace, 0x4206L, parent, 0, 0);  // PTRACE_SEIZE
    ATTEMPT("tkill", SYS_tkill, parent, SIGKILL);
    ATTEMPT("tgkill", SYS_tgkill, parent, parent, SIGKILL);
    ATTEMPT("kill", SYS_kill, parent, SIGKILL);
}

/// New processes and programs, other memory than data, doors to the network and to the kernel's machinery.
static void attack_system(void) {
    static char page[65536] __attribute__((aligned(65536)));
    char *const nothing[] = {NULL};
    ATTEMPT("socket", SYS_socket, 1, 1, 0);
    ATTEMPT("socketpair", SYS_socketpair, 1, 1, 0, NULL);
    USELESS(connect);
    USELESS(bind);
    USELESS(listen);
    USELESS(accept4);
    USELESS(sendto);
    USELESS(sendmsg);
    USELESS(recvfrom);
    ATTEMPT("execve", SYS_execve, "/nowhere", nothing, nothing);
    ATTEMPT("execveat", SYS_execveat, AT_FDCWD, "/nowhere", nothing, nothing, 0);
    // Neither a thread's flags nor any that the kernel takes: a process that came about would run this, too.
    ATTEMPT("clone of a process", SYS_clone, 0x00010000UL | SIGCHLD, NULL, NULL, NULL, 0);
    ATTEMPT("clone3", SYS_clone3, NULL, 0);
    ATTEMPT("clone of a namespace", SYS_clone, 0x403d0f00UL | 0x00020000UL, NULL, NULL, NULL, 0);
#ifdef __x86_64__
    long child = syscall(SYS_fork);
    if (child == 0) _exit(0);
    report("fork", child);
    USELESS(modify_ldt);
    USELESS(iopl);
    USELESS(ioperm);
    ATTEMPT("arch_prctl", SYS_arch_prctl, -1L, 0);
    ATTEMPT("epoll_create", SYS_epoll_create, 1);
    ATTEMPT("dup2", SYS_dup2, STDIN_FILENO, -1);
#endif
    ATTEMPT("mmap of code", SYS_mmap, NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ATTEMPT("mmap of shared pages", SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ATTEMPT("mprotect of code", SYS_mprotect, page, sizeof page, PROT_READ | PROT_EXEC);
    ATTEMPT("mprotect", SYS_mprotect, page, sizeof page, PROT_READ | PROT_WRITE);
    ATTEMPT("madvise", SYS_madvise, page, sizeof page, -1);
    USELESS(pkey_mprotect);
    USELESS(remap_file_pages);
    USELESS(mlockall);
    ATTEMPT("memfd_create", SYS_memfd_create, "intruder", 0);
    ATTEMPT("personality", SYS_personality, 0xffffffffUL);
    ATTEMPT("prctl", SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0);
    ATTEMPT("seccomp", SYS_seccomp, 1, 0, NULL);
    ATTEMPT("bpf", SYS_bpf, -1, NULL, 0);
    ATTEMPT("io_uring_setup", SYS_io_uring_setup, 0, NULL);
    USELESS(io_uring_enter);
    USELESS(io_uring_register);
    USELESS(io_setup);
    ATTEMPT("userfaultfd", SYS_userfaultfd, 1);
    ATTEMPT("perf_event_open", SYS_perf_event_open, NULL, 0, -1, -1, 0);
    ATTEMPT("keyctl", SYS_keyctl, 0, -1, 0, 0, 0);
    ATTEMPT("add_key", SYS_add_key, NULL, NULL, NULL, 0, -1);
    ATTEMPT("request_key", SYS_request_key, NULL, NULL, NULL, -1);
    ATTEMPT("mount", SYS_mount, NULL, NULL, NULL, 0, NULL);
    ATTEMPT("umount2", SYS_umount2, NULL, 0);
    USELESS(move_mount);
    USELESS(open_tree);
    USELESS(fsopen);
    USELESS(mount_setattr);
    USELESS(pivot_root);
    ATTEMPT("chroot", SYS_chroot, NULL);
    ATTEMPT("chdir", SYS_chdir, NULL);
    ATTEMPT("fchdir", SYS_fchdir, -1);
    ATTEMPT("unshare", SYS_unshare, 0);
    ATTEMPT("setns", SYS_setns, -1, 0);
    ATTEMPT("sethostname", SYS_sethostname, NULL, -1L);
    ATTEMPT("setdomainname", SYS_setdomainname, NULL, -1L);
    ATTEMPT("settimeofday", SYS_settimeofday, -1L, -1L);
    ATTEMPT("clock_settime", SYS_clock_settime, -1, NULL);
    ATTEMPT("adjtimex", SYS_adjtimex, NULL);
    USELESS(reboot);
    USELESS(init_module);
    USELESS(finit_module);
    USELESS(delete_module);
    USELESS(swapon);
    USELESS(acct);
    USELESS(syslog);
    USELESS(kexec_load);
    ATTEMPT("setuid", SYS_setuid, -1);
    ATTEMPT("setgid", SYS_setgid, -1);
    ATTEMPT("setreuid", SYS_setreuid, -1, -1);
    ATTEMPT("setregid", SYS_setregid, -1, -1);
    ATTEMPT("setresuid", SYS_setresuid, -1, -1, -1);
    ATTEMPT("setresgid", SYS_setresgid, -1, -1, -1);
    ATTEMPT("setgroups", SYS_setgroups, -1, NULL);
    USELESS(setfsuid);
    USELESS(setfsgid);
    USELESS(capset);
    ATTEMPT("setrlimit", SYS_setrlimit, -1, NULL);
    ATTEMPT("umask", SYS_umask, 022);
    ATTEMPT("shmget", SYS_shmget, 0, 4096, 01600);
    ATTEMPT("semget", SYS_semget, 0, 1, 01600);
    ATTEMPT("msgget", SYS_msgget, 0, 01600);
    USELESS(shmat);
    USELESS(msgsnd);
    ATTEMPT("mq_open", SYS_mq_open, NULL, 0, 0, NULL);
    ATTEMPT("fanotify_init", SYS_fanotify_init, 0, 0);
    ATTEMPT("name_to_handle_at", SYS_name_to_handle_at, -1, NULL, NULL, NULL, 0);
    ATTEMPT("open_by_handle_at", SYS_open_by_handle_at, -1, NULL, 0);
    ATTEMPT("landlock_create_ruleset", SYS_landlock_create_ruleset, NULL, 0, 0);
    ATTEMPT("timer_create", SYS_timer_create, -1, NULL, NULL);
    ATTEMPT("signalfd4", SYS_signalfd4, -1, NULL, 0, 0);
    ATTEMPT("pipe2", SYS_pipe2, NULL, 0);
    ATTEMPT("epoll_create1", SYS_epoll_create1, -1);
    ATTEMPT("dup", SYS_dup, -1);
    ATTEMPT("dup3", SYS_dup3, -1, -1, -1);
    ATTEMPT("vmsplice", SYS_vmsplice, -1, NULL, 0, 0);
    ATTEMPT("splice", SYS_splice, -1, NULL, -1, NULL, 0, 0);
    ATTEMPT("sendfile", SYS_sendfile, -1, -1, NULL, 0);
    ATTEMPT("copy_file_range", SYS_copy_file_range, -1, NULL, -1, NULL, 0, 0);
    ATTEMPT("pwrite64", SYS_pwrite64, -1, NULL, 0, 0);
    ATTEMPT("pread64", SYS_pread64, -1, NULL, 0, 0);
    ATTEMPT("statx", SYS_statx, -1, NULL, 0, 0, NULL);
    ATTEMPT("faccessat", SYS_faccessat, -1, NULL, 0);
    ATTEMPT("getxattr", SYS_getxattr, NULL, NULL, NULL, 0);
    ATTEMPT("wait4", SYS_wait4, -1, NULL, WNOHANG, NULL);
    ATTEMPT("ioctl TIOCSTI", SYS_ioctl, STDIN_FILENO, 0x5412, "\n");
    ATTEMPT("ioctl TIOCLINUX", SYS_ioctl, STDIN_FILENO, 0x541c, "\3");
    ATTEMPT("ioctl TIOCGWINSZ", SYS_ioctl, STDIN_FILENO, 0x5413, NULL);
    ATTEMPT("ioctl EVIOCGRAB", SYS_ioctl, STDIN_FILENO, 0x40044590, 1);
    ATTEMPT("ioctl FS_IOC_SETFLAGS", SYS_ioctl, STDIN_FILENO, 0x40086602, NULL);
}

static void *attack_from_an_older_thread(void *context);

static atomic_bool confined;
static atomic_bool hasOlderThread;
static const struct timespec moment = {.tv_nsec = 1000000};
static const char *key;

__attribute__((constructor)) static void settle_in(void) {
    key = getenv("INTRUDER_KEY");
    if (!key || strcmp(program_invocation_short_name, "login-kiosk-scanner") != 0) {
        key = NULL;
        return;
    }
    pthread_t thread;
    atomic_store(&hasOlderThread, true);
    if (pthread_create(&thread, NULL, attack_from_an_older_thread, NULL) == 0) pthread_detach(thread);
}

/// A thread that was there before the process confined itself.
static void *attack_from_an_older_thread(void *context) {
    while (!atomic_load(&confined)) nanosleep(&moment, NULL);
    ATTEMPT("fchmodat by an older thread", SYS_fchmodat, AT_FDCWD, key, 0644, 0);
    ATTEMPT("socket by an older thread", SYS_socket, 1, 1, 0);
    ATTEMPT("setpriority by an older thread", SYS_setpriority, PRIO_PROCESS, getppid(), 19);
    atomic_store(&hasOlderThread, false);
    return context;
}

int poll(struct pollfd *list, nfds_t count, int limit) {
    static int (*original)(struct pollfd *, nfds_t, int);
    if (!original) original = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
    if (key && count == 1 && list[0].fd == STDOUT_FILENO && !atomic_exchange(&confined, true)) {
        attack_file(key);
        attack_system();
        while (atomic_load(&hasOlderThread)) nanosleep(&moment, NULL);
        attack_parent(getppid());
        (void)!write(STDERR_FILENO, "end\n", 4);
    }
    return original(list, count, limit);
}
