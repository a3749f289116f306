// SPDX-License-Identifier: Apache-2.0

import CSeccomp
import Glibc

/// The kernel's machine for filter programs, as far as the scanner's filter uses it (linux/filter.h).
struct FilterMachine {
    enum Verdict: Equatable {
        case allowed
        case refused(Int32)
        case killed
    }

    /// A program that the kernel would refuse, or an unknown instruction.
    enum Malformed: Error {
        case instruction(Int)
    }

    let program: [sock_filter]

    func run(
        _ number: UInt32, _ arguments: [UInt64] = [], architecture: UInt32
    ) throws(Malformed) -> Verdict {
        // seccomp_data: number, architecture, instruction pointer, six arguments.
        var words = [number, architecture, 0, 0]
        for index in 0..<6 {
            let argument = index < arguments.count ? arguments[index] : 0
            words += [UInt32(truncatingIfNeeded: argument), UInt32(truncatingIfNeeded: argument >> 32)]
        }
        var accumulator: UInt32 = 0
        var place = 0
        while program.indices.contains(place) {
            let instruction = program[place]
            let holds: Bool
            switch Int32(instruction.code) {
            case BPF_LD | BPF_W | BPF_ABS:
                guard instruction.k.isMultiple(of: 4), words.indices.contains(Int(instruction.k / 4)) else {
                    throw .instruction(place)
                }
                accumulator = words[Int(instruction.k / 4)]
                place += 1
                continue
            case BPF_RET | BPF_K: return try verdict(instruction.k, place)
            case BPF_JMP | BPF_JEQ | BPF_K: holds = accumulator == instruction.k
            case BPF_JMP | BPF_JGE | BPF_K: holds = accumulator >= instruction.k
            case BPF_JMP | BPF_JSET | BPF_K: holds = accumulator & instruction.k != 0
            default: throw .instruction(place)
            }
            place += 1 + Int(holds ? instruction.jt : instruction.jf)
        }
        throw .instruction(place)
    }

    private func verdict(_ value: UInt32, _ place: Int) throws(Malformed) -> Verdict {
        switch value & 0xFFFF_0000 {
        case UInt32(SECCOMP_RET_ALLOW): return .allowed
        case UInt32(SECCOMP_RET_ERRNO): return .refused(Int32(value & 0xFFFF))
        case UInt32(SECCOMP_RET_KILL_PROCESS): return .killed
        default: throw .instruction(place)
        }
    }
}
