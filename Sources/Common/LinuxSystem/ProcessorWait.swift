// SPDX-License-Identifier: Apache-2.0

public import Glibc

/// The time in which the main thread of a process was ready to run but had no processor.
public enum ProcessorWait {
    /// - Returns: the total of the process; zero when the kernel does not count it (`/proc/PID/schedstat`, proc(5)), or
    ///   the process has ended.
    public static func total(of process: pid_t) -> Duration {
        guard let bytes = try? OpenedFile.read("/proc/\(process)/schedstat", upTo: 128) else { return .zero }
        // Time on a processor, time waiting for one, both in nanoseconds, and the number of time slices.
        let numbers = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard numbers.count >= 2, let waited = Int64(numbers[1]) else { return .zero }
        return .nanoseconds(waited)
    }
}
