// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Whether the pages with secrets stay out of swap.
public enum MemoryCheck {
    /// - Parameter lockFailure: the `errno` of a page that could not be locked; nil when all were.
    public static func result(lockFailure: Int32?) -> CheckResult {
        guard let lockFailure else { return .ok("PIN and tokens stay out of swap and core files") }
        return .warning(
            "PIN and tokens may be written to swap: memory cannot be locked (\(systemErrorText(lockFailure)))",
            remedy: "allow 8 MiB of locked memory: LimitMEMLOCK=8M in the unit, ulimit -l 8192 in a shell")
    }
}
