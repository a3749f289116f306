// SPDX-License-Identifier: Apache-2.0

public import Glibc

/// The time in which the main thread of a process was ready to run but had no processor.
public enum ProcessorWait {
    /// - Returns: the total of the process; zero when the kernel does not tell (`/proc/PID/schedstat`, proc(5)), or
    ///   the process has ended.
    public static func total(of process: pid_t) -> Duration {
        // Safe: the text is lent for the call.
        let file = unsafe open("/proc/\(process)/schedstat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return .zero }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        // Safe: the count is the buffer's own.
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
        // Time on a processor, time waiting for one, both in nanoseconds, and the number of time slices.
        let numbers = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard numbers.count >= 2, let waited = Int64(numbers[1]) else { return .zero }
        return .nanoseconds(waited)
    }
}
