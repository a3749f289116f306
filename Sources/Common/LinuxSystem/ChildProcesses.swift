// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Children of this single-threaded process: those that it started, and the orphans that it was given.
enum ChildProcesses {
    static func all() -> [pid_t] { listed() ?? found() }

    /// - Returns: nil when the kernel has no such list (`CONFIG_PROC_CHILDREN`), such as that of Raspberry Pi OS.
    static func listed() -> [pid_t]? {
        guard let list = try? OpenedFile.read("/proc/thread-self/children", upTo: 1 << 16) else { return nil }
        return String(decoding: list, as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
    }

    /// Looks at every process that this one may see. Of the same user those are all but the ones with private memory
    /// (`PR_SET_DUMPABLE`), if the service manager hides others (`ProtectProc=`).
    static func found() -> [pid_t] {
        let names = try? DirectoryEntries.names(in: "/proc", atMost: .max) { name, _ in
            pid_t(name).flatMap(parent(of:)) == getpid()
        }
        return (names ?? []).compactMap { pid_t($0) }
    }

    /// - Returns: nil when it has ended.
    private static func parent(of process: pid_t) -> pid_t? {
        guard let bytes = try? OpenedFile.read("/proc/\(process)/stat", upTo: 4096) else { return nil }
        // Number, name in brackets, state, parent: proc(5). The name may have brackets too.
        let text = String(decoding: bytes, as: UTF8.self)
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 1 ? pid_t(fields[1]) : nil
    }
}
