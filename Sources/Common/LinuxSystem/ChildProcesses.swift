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
        // Safe: the folder is closed once, and an entry is read before the next call.
        guard let folder = unsafe opendir("/proc") else { return [] }
        defer { unsafe closedir(folder) }
        var children: [pid_t] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let process = pid_t(name), parent(of: process) == getpid() else { continue }
            children.append(process)
        }
        return children
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
