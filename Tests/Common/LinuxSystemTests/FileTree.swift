// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Real files in a directory of their own, which is deleted with this object.
///
/// Root gives them to two users that need not exist. Without root all belong to this user.
final class FileTree {
    static let mayGiveAway = geteuid() == 0
    static let user: uid_t = mayGiveAway ? 4711 : geteuid()
    static let stranger: uid_t = user + 1

    let root: String

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "tree-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        give("", mode: 0o755)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// The absolute path of a name in the tree.
    func path(_ name: String) -> String { name.isEmpty ? root : "\(root)/\(name)" }

    func directory(_ name: String, _ mode: mode_t = 0o755, owner: uid_t = user) throws {
        // The parents one by one, whatever the umask is.
        var above = ""
        for part in name.split(separator: "/").dropLast() {
            above += above.isEmpty ? String(part) : "/\(part)"
            guard !FileManager.default.fileExists(atPath: path(above)) else { continue }
            try FileManager.default.createDirectory(atPath: path(above), withIntermediateDirectories: false)
            give(above, mode: 0o755)
        }
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        give(name, owner: owner, mode: mode)
    }

    func file(_ name: String, _ mode: mode_t = 0o644, owner: uid_t = user, content: String = "content") throws {
        try Data(content.utf8).write(to: URL(filePath: path(name)))
        give(name, owner: owner, mode: mode)
    }

    func link(_ name: String, to target: String, owner: uid_t = user) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
        if FileTree.mayGiveAway { _ = unsafe lchown(path(name), owner, owner) }
    }

    func give(_ name: String, owner: uid_t = user, group: gid_t? = nil, mode: mode_t) {
        if FileTree.mayGiveAway { _ = unsafe chown(path(name), owner, group ?? owner) }
        _ = unsafe chmod(path(name), mode)
    }
}
