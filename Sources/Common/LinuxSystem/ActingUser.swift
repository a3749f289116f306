// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A user in whose name a process of root's does some of its work: what belongs to that user is then judged and written
/// as that user would, and a link of theirs leads root nowhere.
public struct ActingUser: Sendable, Equatable {
    public var user: UInt32
    public var group: UInt32

    public init(user: UInt32, group: UInt32) {
        self.user = user
        self.group = group
    }

    public static var current: ActingUser { ActingUser(user: geteuid(), group: getegid()) }

    /// - Returns: whose a file or directory is; nil where there is none.
    public static func owner(of path: String) -> ActingUser? {
        var status = stat()
        // Safe: the structure is ours, and the text is lent for the call.
        guard unsafe stat(path, &status) == 0 else { return nil }
        return ActingUser(user: status.st_uid, group: status.st_gid)
    }

    /// A user's name, or the number where there is no name.
    public var name: String { LocalAccounts.label(user) }

    /// Does the work as this user, with no group but the own one. For the time of the work all threads of the process
    /// are this user's.
    ///
    /// - Throws: ``FileFault`` for a process that may not; else what the work throws.
    public func act<Result>(_ work: () throws -> Result) throws -> Result {
        let before = ActingUser.current
        guard self != before, user != before.user else { return try work() }
        var groups = [gid_t](repeating: 0, count: 64)
        let count = unsafe getgroups(Int32(groups.count), &groups)
        var own = [group]
        guard count >= 0, unsafe setgroups(1, &own) == 0, setegid(group) == 0, seteuid(user) == 0 else {
            throw FileFault(.refused(errno), path: "user \(name)")
        }
        defer {
            // A process that cannot go back must not go on.
            guard seteuid(before.user) == 0, setegid(before.group) == 0, unsafe setgroups(Int(count), &groups) == 0
            else { abort() }
        }
        return try work()
    }
}

extension OwnedFile {
    /// Gives a file another name in place of what had that name, in one step that survives a power cut. It needs no
    /// room.
    ///
    /// - Returns: false where there is no such file: it was moved before.
    @discardableResult
    public static func move(_ path: String, to target: String) throws(FileFault) -> Bool {
        guard isThere(path) else { return false }
        // Safe, here and below: texts are lent for the calls.
        guard unsafe rename(path, target) == 0 || errno == ENOENT && !isThere(path) else {
            throw FileFault(.refused(errno), path: target)
        }
        syncFolder(of: target)
        return true
    }

    /// Takes a file away; none is none.
    public static func remove(_ path: String) throws(FileFault) {
        guard isThere(path) else { return }
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw FileFault(.refused(errno), path: path) }
        syncFolder(of: path)
    }

    /// Asked first: where nothing may be written, nothing is left to do of what was done before.
    private static func isThere(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 || errno != ENOENT
    }

    private static func syncFolder(of path: String) {
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let folder = unsafe Glibc.open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }
}
