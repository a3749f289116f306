// SPDX-License-Identifier: Apache-2.0

import Foundation
public import LinuxSystem

/// Whether the scanner's process runs confined.
public enum ScannerCheck {
    private static let name = "scanner"

    /// - Parameters:
    ///   - executable: its program; nil when that is not installed.
    ///   - status: `/proc/PID/status` of the running process; nil when none was running.
    ///   - confinesFiles: whether it reported that the kernel restricts it to the files of its source.
    public static func judge(executable: String?, status: String?, confinesFiles: Bool) -> CheckResult {
        guard let executable else {
            return .failure(
                name, "login-kiosk-scanner is not installed beside this program", remedy: "install both: make install")
        }
        guard let status else {
            return .failure(
                name, "\(executable) does not stay running", remedy: "see why: login-kiosk scan --log-level debug")
        }
        // proc(5): 2 is a filter.
        guard field("Seccomp", in: status) == "2", field("NoNewPrivs", in: status) == "1" else {
            return .failure(
                name, "it runs without its system call filter", remedy: "use a kernel with seccomp filters")
        }
        guard confinesFiles else {
            return .warning(
                name,
                "\(executable) runs confined but for files: this kernel has no Landlock, so that it may read what its "
                    + "user may; its filter of system calls is alone",
                remedy: "use a kernel with CONFIG_SECURITY_LANDLOCK, and landlock in lsm= of its command line")
        }
        return .ok(name, "\(executable) runs confined")
    }

    /// Explains a program that must not be started.
    public static func judge(_ fault: FileFault) -> CheckResult {
        .failure(name, "\(fault)", remedy: fault.hint)
    }

    /// `/proc/PID/status` of a scanner that a process has started.
    public static func status(ofChildOf parent: Int32) -> String? {
        scanners().first { field("PPid", in: $0) == "\(parent)" }
    }

    /// Whether a scanner runs that another process than `parent` started: a kiosk's.
    public static func runs(besideThatOf parent: Int32) -> Bool {
        scanners().contains { field("PPid", in: $0) != "\(parent)" }
    }

    /// `/proc/PID/status` of every scanner on this machine.
    private static func scanners() -> [String] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.filter { Int32($0) != nil }.compactMap { process in
            guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
                // The kernel keeps 15 characters.
                field("Name", in: status) == String(CompanionProgram.scanner.name.prefix(15))
            else { return nil }
            return status
        }
    }

    private static func field(_ name: String, in status: String) -> String? {
        status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
            .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
}
