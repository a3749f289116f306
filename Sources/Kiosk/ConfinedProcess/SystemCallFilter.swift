// SPDX-License-Identifier: Apache-2.0

import CSeccomp
import Glibc

/// The seccomp filter: calls outside of the list of ``AllowedCall`` fail with "operation not permitted".
enum SystemCallFilter {
    /// Installs it for all threads, permanently.
    static func install(_ calls: [AllowedCall]) throws(ConfinementError) {
        let interface = KernelInterface.native
        var program = instructions(calls, on: interface)
        // Safe: the kernel copies the program during the call, and the count is its own.
        let status = unsafe program.withUnsafeMutableBufferPointer { buffer in
            var whole = unsafe sock_fprog(len: UInt16(buffer.count), filter: buffer.baseAddress)
            return unsafe cseccomp_install(&whole)
        }
        guard status == 0 else { throw ConfinementError("system call filter", status < 0 ? errno : EBUSY) }
    }

    /// The program that the kernel runs at each call, for the machine of linux/filter.h.
    static func instructions(_ calls: [AllowedCall], on interface: KernelInterface) -> [sock_filter] {
        let killing = answer(UInt32(SECCOMP_RET_KILL_PROCESS))
        var program = [load(4), skip(1, if: BPF_JEQ, interface.auditNumber), killing]  // seccomp_data.arch
        program.append(load(0))  // seccomp_data.nr
        if let foreign = interface.foreignNumbers { program += [skip(1, unless: BPF_JGE, foreign), killing] }
        for number in numbers(of: calls, on: interface) {
            let same = calls.filter { $0.number(on: interface) == number }
            let answers = same.flatMap(\.alternatives).flatMap { allow(when: $0) } + [answer(errno: EPERM)]
            program += [skip(answers.count, unless: BPF_JEQ, number)] + answers
        }
        // Its flags are in memory, which a filter cannot see; libc then uses clone.
        program += [skip(1, unless: BPF_JEQ, UInt32(__NR_clone3)), answer(errno: ENOSYS), answer(errno: EPERM)]
        return program
    }

    /// Each number once, in the order of the list.
    private static func numbers(of calls: [AllowedCall], on interface: KernelInterface) -> [UInt32] {
        var seen: Set<UInt32> = []
        return calls.compactMap { $0.number(on: interface) }.filter { seen.insert($0).inserted }
    }

    /// Ends with "allowed" when all conditions hold, otherwise continues after it.
    private static func allow(when conditions: [AllowedCall.Condition]) -> [sock_filter] {
        var rest = [answer(UInt32(SECCOMP_RET_ALLOW))]
        for condition in conditions.reversed() {
            rest =
                switch condition {
                case .argument(let index, is: let value):
                    [load(16 + index * 8), skip(rest.count, unless: BPF_JEQ, value)] + rest
                case .without(let bits, in: let index):
                    [load(16 + index * 8), skip(rest.count, if: BPF_JSET, bits)] + rest
                case .upperHalf(let index, is: let value):
                    [load(20 + index * 8), skip(rest.count, unless: BPF_JEQ, value)] + rest
                }
        }
        return rest
    }

    /// - Parameter offset: into seccomp_data, whose arguments have 8 bytes each from 16 on, the low half first.
    private static func load(_ offset: Int) -> sock_filter {
        sock_filter(code: UInt16(BPF_LD | BPF_W | BPF_ABS), jt: 0, jf: 0, k: UInt32(offset))
    }

    /// Skips `count` instructions, at most 255, when the comparison holds.
    private static func skip(_ count: Int, if comparison: Int32, _ value: UInt32) -> sock_filter {
        sock_filter(code: UInt16(BPF_JMP | comparison | BPF_K), jt: UInt8(count), jf: 0, k: value)
    }

    private static func skip(_ count: Int, unless comparison: Int32, _ value: UInt32) -> sock_filter {
        sock_filter(code: UInt16(BPF_JMP | comparison | BPF_K), jt: 0, jf: UInt8(count), k: value)
    }

    private static func answer(_ value: UInt32) -> sock_filter {
        sock_filter(code: UInt16(BPF_RET | BPF_K), jt: 0, jf: 0, k: value)
    }

    private static func answer(errno code: Int32) -> sock_filter {
        answer(UInt32(SECCOMP_RET_ERRNO) | UInt32(code))
    }
}
