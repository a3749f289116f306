// SPDX-License-Identifier: Apache-2.0

import CSeccomp
import Glibc

/// The seccomp filter: what a captured scanner must not ask of the kernel answers "operation not permitted".
///
/// It names what is refused, not what is allowed: the Swift runtime, zbar and libc may need others with their next
/// version, and must not fail at a customer's for it.
enum SystemCallFilter {
    static func install() throws(ConfinementError) {
        var program = instructions()
        // Safe: the kernel copies the program during the call, and the count is its own.
        let status = unsafe program.withUnsafeMutableBufferPointer { buffer in
            var whole = unsafe sock_fprog(len: UInt16(buffer.count), filter: buffer.baseAddress)
            return unsafe cseccomp_install(&whole)
        }
        guard status == 0 else { throw ConfinementError("system call filter", errno) }
    }

    private static var refused: [Int32] {
        // The network, and the door that leads around a filter.
        var calls = [
            __NR_socket, __NR_socketpair, __NR_bind, __NR_connect, __NR_listen, __NR_accept, __NR_accept4,
            __NR_io_uring_setup, __NR_io_uring_enter, __NR_io_uring_register,
        ]
        // Other programs and other processes.
        calls += [
            __NR_execve, __NR_execveat, __NR_kill, __NR_pidfd_send_signal, __NR_pidfd_getfd, __NR_ptrace,
            __NR_process_vm_readv, __NR_process_vm_writev,
        ]
        // The kernel's own machinery.
        calls += [
            __NR_bpf, __NR_perf_event_open, __NR_userfaultfd, __NR_keyctl, __NR_add_key, __NR_request_key, __NR_mount,
            __NR_unshare, __NR_setns,
        ]
        #if arch(x86_64)
            calls += [__NR_fork, __NR_vfork]
        #endif
        return calls
    }

    private static func instructions() -> [sock_filter] {
        let kill = UInt32(SECCOMP_RET_KILL_PROCESS)
        let allow = UInt32(SECCOMP_RET_ALLOW)
        var program = [
            load(4),  // seccomp_data.arch
            jump(BPF_JEQ, cseccomp_native_architecture, whenNot: 1),
            jumpOver(1),
            answer(kill),
            load(0),  // seccomp_data.nr
        ]
        #if arch(x86_64)
            // The x32 interface has numbers of its own for everything.
            program += [jump(BPF_JGE, 0x4000_0000, whenNot: 1), answer(kill)]
        #endif
        for call in refused { program += [jump(BPF_JEQ, UInt32(call), whenNot: 1), answer(errno: EPERM)] }
        // Its flags lie in memory, out of a filter's sight; libc then takes clone.
        program += [jump(BPF_JEQ, UInt32(__NR_clone3), whenNot: 1), answer(errno: ENOSYS)]
        // Typing into the terminal that the kiosk was started from.
        program += [
            jump(BPF_JEQ, UInt32(__NR_ioctl), whenNot: 6),
            load(24),  // seccomp_data.args[1], its low half
            jump(BPF_JEQ, UInt32(TIOCSTI), whenNot: 1),
            answer(errno: EPERM),
            jump(BPF_JEQ, UInt32(TIOCLINUX), whenNot: 1),
            answer(errno: EPERM),
            load(0),
        ]
        // A thread is fine, a process is not.
        program += [
            jump(BPF_JEQ, UInt32(__NR_clone), whenNot: 4),
            load(16),  // seccomp_data.args[0], its low half
            jump(BPF_JSET, cseccomp_clone_thread, whenNot: 1),
            answer(allow),
            answer(errno: EPERM),
            answer(allow),
        ]
        return program
    }

    private static func load(_ offset: UInt32) -> sock_filter {
        sock_filter(code: UInt16(BPF_LD | BPF_W | BPF_ABS), jt: 0, jf: 0, k: offset)
    }

    /// Goes on with the next instruction when the comparison holds, else leaves out `count` of them.
    private static func jump(_ comparison: Int32, _ value: UInt32, whenNot count: UInt8) -> sock_filter {
        sock_filter(code: UInt16(BPF_JMP | comparison | BPF_K), jt: 0, jf: count, k: value)
    }

    private static func jumpOver(_ count: UInt32) -> sock_filter {
        sock_filter(code: UInt16(BPF_JMP | BPF_JA), jt: 0, jf: 0, k: count)
    }

    private static func answer(_ value: UInt32) -> sock_filter {
        sock_filter(code: UInt16(BPF_RET | BPF_K), jt: 0, jf: 0, k: value)
    }

    private static func answer(errno code: Int32) -> sock_filter {
        answer(UInt32(SECCOMP_RET_ERRNO) | UInt32(code))
    }
}
