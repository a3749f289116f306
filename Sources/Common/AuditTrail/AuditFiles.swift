// SPDX-License-Identifier: Apache-2.0

import Glibc
public import LinuxSystem

/// The files of an audit log in their directory: `audit.jsonl` is current, `audit.jsonl.1` the previous one, and so on.
struct AuditFiles: Sendable {
    static let name = "audit.jsonl"

    let directory: String

    var current: String { "\(directory)/\(AuditFiles.name)" }
    /// Locked by the one process that writes. It is another file than the audit log, so that readers of the audit log
    /// cannot lock it.
    var lock: String { "\(directory)/audit.lock" }

    func earlier(_ number: Int) -> String { "\(current).\(number)" }

    /// The largest number of files: more than any limit allows.
    private static let most = 10_000

    /// The existing files, the oldest first.
    func present() throws(FileFault) -> [String] {
        // A file between two others may have been removed.
        let numbers = try directoryNumbers().sorted(by: >)
        return numbers.map { $0 == 0 ? current : earlier($0) }
    }

    private func directoryNumbers() throws(FileFault) -> [Int] {
        do throws(SystemFailure) {
            return try DirectoryEntries.names(in: directory, atMost: AuditFiles.most) { name, _ in
                AuditFiles.number(name) != nil
            }.compactMap(AuditFiles.number)
        } catch {
            guard error.code == ENOENT else { throw FileFault(.refused(error.code), path: directory) }
            return []
        }
    }

    /// The number of the file of that name; 0 for the current one.
    private static func number(_ name: String) -> Int? {
        if name == AuditFiles.name { return 0 }
        guard name.hasPrefix(AuditFiles.name + ".") else { return nil }
        let digits = name.dropFirst(AuditFiles.name.count + 1)
        // Excludes `01` and `+1`, which are other files.
        guard let number = Int(digits), (1..<most).contains(number), String(number) == digits else { return nil }
        return number
    }

    /// Makes room for a new current file, so that there are at most `most` files with it.
    func rotate(keeping most: Int) throws(AuditFault) {
        // A power cut during a move left a gap: files after it need not move.
        let free: Int = (1..<most).first { unsafe access(earlier($0), F_OK) != 0 } ?? most - 1
        for number in stride(from: free - 1, through: 0, by: -1) {
            let old = number == 0 ? current : earlier(number)
            // The last name is taken from the oldest file. Safe: paths are lent for the call.
            guard unsafe rename(old, earlier(number + 1)) == 0 || errno == ENOENT else {
                throw .unwritable(old, errno)
            }
        }
        do throws(FileFault) {
            for number in try directoryNumbers() where number >= most { _ = unsafe unlink(earlier(number)) }
        } catch { throw .file(error) }
    }
}

/// The reason why the audit log cannot be kept: the fault, its place and the remedy.
public enum AuditFault: Error, Sendable, Equatable, CustomStringConvertible {
    case file(FileFault)
    /// Another process writes it.
    case inUse(String)
    /// The system's answer (errno(3)).
    case unwritable(String, Int32)

    public var description: String {
        switch self {
        case .file(let fault): fault.description
        case .inUse(let directory): "\(directory): another process keeps its audit log here"
        case .unwritable(let path, let code): "\(path) cannot be written: \(systemErrorText(code))"
        }
    }

    public var hint: String {
        switch self {
        case .file(let fault): fault.hint
        case .inUse: "give each program that runs a directory of its own"
        case .unwritable(_, ENOSPC), .unwritable(_, EDQUOT): "make room on the disk"
        case .unwritable(let path, _): "see what is wrong with \(path)"
        }
    }
}
