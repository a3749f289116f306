// SPDX-License-Identifier: Apache-2.0

import CSeccomp
import Glibc

/// A processor's interface to the kernel, with its own numbers for calls and some arguments. Every program can make
/// the filter of every processor, so that tests cover all.
public enum KernelInterface: CaseIterable, Sendable {
    /// Also called x86-64.
    case amd64
    case arm64

    public static var native: KernelInterface {
        #if arch(x86_64)
            .amd64
        #elseif arch(arm64)
            .arm64
        #else
            #error("name the system calls of this processor")
        #endif
    }

    /// The kernel's number for a filter (linux/audit.h).
    public var auditNumber: UInt32 {
        switch self {
        case .amd64: cseccomp_x86_64
        case .arm64: cseccomp_arm64
        }
    }

    /// Calls from this number on belong to another interface of the same processor: x32 has its own numbers.
    public var foreignNumbers: UInt32? { self == .amd64 ? 0x4000_0000 : nil }

    /// `O_DIRECTORY` (asm/fcntl.h).
    public var directoryOnly: UInt32 { self == .amd64 ? 0o200_000 : 0o40_000 }

    /// `O_NOFOLLOW`.
    public var noLink: UInt32 { self == .amd64 ? 0o400_000 : 0o100_000 }

    /// `O_LARGEFILE`, which libc leaves out on these processors and the kernel adds.
    public var largeFile: UInt32 { self == .amd64 ? 0o100_000 : 0o400_000 }
}
