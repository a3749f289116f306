// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The kernel's numbers about a process, proc(5).
struct ProcessFigures {
    /// User and system time of all its threads, in nanoseconds. The kernel counts in ticks of usually 10 ms.
    var processorTime: Double
    /// Resident memory, now and at its peak, in KiB.
    var residentKiB: Int
    var peakResidentKiB: Int

    static func current(of process: Int32) throws -> ProcessFigures {
        let folder = "/proc/\(process)"
        let figures = ProcessFigures(
            stat: try String(contentsOfFile: "\(folder)/stat", encoding: .utf8),
            status: try String(contentsOfFile: "\(folder)/status", encoding: .utf8),
            ticksPerSecond: sysconf(Int32(_SC_CLK_TCK)))
        guard let figures else { throw BenchmarkError.wrongResult("\(folder)") }
        return figures
    }

    /// Nil when a field is missing.
    init?(stat: String, status: String, ticksPerSecond: Int) {
        // The second field is the program's name in parentheses, with any characters. The third follows the last
        // parenthesis.
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]),
            let resident = Self.kibibytes("VmRSS", in: status), let peak = Self.kibibytes("VmHWM", in: status)
        else { return nil }
        processorTime = Double(user + system) / Double(ticksPerSecond) * 1e9
        residentKiB = resident
        peakResidentKiB = peak
    }

    /// Lines look like `VmRSS:	   12345 kB`.
    private static func kibibytes(_ name: String, in status: String) -> Int? {
        status.split(separator: "\n").first { $0.hasPrefix(name + ":") }?
            .split { $0 == " " || $0 == "\t" || $0 == ":" }.dropFirst().first.flatMap { Int($0) }
    }
}
