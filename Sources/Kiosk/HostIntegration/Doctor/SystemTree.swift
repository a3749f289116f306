// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem

/// The kernel's files in `/proc`, `/sys` and `/dev`, below any root directory, so that tests can provide a tree.
///
/// Other machines have other files there, or none. Only a short file with the expected content is used.
public struct SystemTree: Sendable {
    /// The kernel writes a page at most.
    private static let longestText = 4096
    /// The largest number of entries: more than a directory of devices has.
    private static let mostNames = 1024

    private let root: String

    /// - Parameter root: `/` for this machine.
    public init(root: String = "/") { self.root = root == "/" ? "" : root }

    private func path(_ name: String) -> String { "\(root)/\(name)" }

    /// The first line of a file, trimmed; nil when it cannot be read.
    ///
    /// - Parameter name: below the root, without a leading slash.
    func line(_ name: String) -> String? {
        // A device tree's texts end with a zero byte.
        guard let bytes = try? OpenedFile.read(path(name), upTo: SystemTree.longestText) else { return nil }
        return String(validating: bytes, as: UTF8.self)?.split(whereSeparator: { $0 == "\n" || $0 == "\0" }).first
            .map { $0.trimmingCharacters(in: .whitespaces) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    func number(_ name: String) -> Int? { line(name).flatMap { Int($0) } }

    func isThere(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// The names in a directory, sorted; none when it is not a directory.
    func names(_ directory: String, _ isWanted: (String) -> Bool = { _ in true }) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: path(directory))) ?? []
        return all.prefix(SystemTree.mostNames).filter(isWanted).sorted()
    }

    /// The path of a directory whose file `name` identifies it, such as `class/hwmon/hwmon3` for `rpi_volt`.
    func entry(of directory: String, called name: String) -> String? {
        names(directory).map { "\(directory)/\($0)" }.first { line("\($0)/name") == name }
    }
}
