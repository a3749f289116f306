// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A user whose identity a process of root takes for some of its work. Files of that user are then checked and written
/// with the user's rights, so that their links give no access as root.
public struct ActingUser: Sendable, Equatable {
    public var user: UInt32
    public var group: UInt32

    public init(user: UInt32, group: UInt32) {
        self.user = user
        self.group = group
    }

    public static var current: ActingUser { ActingUser(user: geteuid(), group: getegid()) }

    /// - Returns: the owner of a file or directory; nil when there is none.
    public static func owner(of path: String) -> ActingUser? {
        var status = stat()
        // Safe: the call writes our own structure; the text is lent for it.
        guard unsafe stat(path, &status) == 0 else { return nil }
        return ActingUser(user: status.st_uid, group: status.st_gid)
    }

    /// A user's name, or the number if there is no name.
    public var name: String { LocalAccounts.label(user) }

    /// Does the work as this user, with only their own group. Meanwhile all threads of the process act as this user.
    ///
    /// - Throws: ``FileFault`` for a process without the right to do so, and errors of the work.
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
            // A process that cannot become root again must not continue.
            guard seteuid(before.user) == 0, setegid(before.group) == 0, unsafe setgroups(Int(count), &groups) == 0
            else { abort() }
        }
        return try work()
    }
}
