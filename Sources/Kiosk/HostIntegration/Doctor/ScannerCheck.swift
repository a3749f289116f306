// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem

/// Whether the scanner's process runs confined.
public enum ScannerCheck {
    /// - Parameters:
    ///   - executable: its program; nil when that is not installed.
    ///   - status: `/proc/PID/status` of the running process; nil when none was running.
    ///   - confinesFiles: whether it reported that the kernel restricts it to the files of its source.
    public static func result(executable: String?, status: String?, confinesFiles: Bool) -> CheckResult {
        guard let executable else {
            return .failure(
                "login-kiosk-scanner is not installed beside this program", remedy: CompanionProgram.scanner.remedy)
        }
        guard let status else {
            return .failure(
                "\(executable) does not stay running", remedy: "see why: login-kiosk scan --log-level debug")
        }
        // proc(5): 2 is a filter.
        guard field("Seccomp", in: status) == "2", field("NoNewPrivs", in: status) == "1" else {
            return .failure(
                "it runs without its system call filter", remedy: "use a kernel with seccomp filters")
        }
        guard confinesFiles else {
            return .warning(
                "\(executable) runs confined but for files: this kernel has no Landlock, so that it may read what its "
                    + "user may; its filter of system calls is alone",
                remedy: "use a kernel with CONFIG_SECURITY_LANDLOCK, and landlock in lsm= of its command line")
        }
        return .ok("\(executable) runs confined")
    }

    /// `/proc/PID/status` of a scanner that this process has started.
    public static var ownStatus: String? { scanners().first { field("PPid", in: $0) == "\(getpid())" } }

    /// Whether a scanner runs that another process has started: a kiosk's.
    public static var isRunningElsewhere: Bool { scanners().contains { field("PPid", in: $0) != "\(getpid())" } }

    /// `/proc/PID/status` of every scanner on this machine.
    private static func scanners() -> [String] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.filter { Int32($0) != nil }.compactMap { process in
            guard let bytes = try? OpenedFile.read("/proc/\(process)/status", upTo: 1 << 16) else { return nil }
            let status = String(decoding: bytes, as: UTF8.self)
            // The kernel keeps 15 characters.
            return field("Name", in: status) == String(CompanionProgram.scanner.name.prefix(15)) ? status : nil
        }
    }

    private static func field(_ name: String, in status: String) -> String? {
        status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
            .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
}
