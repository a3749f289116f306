// SPDX-License-Identifier: Apache-2.0

/// The accounts of this machine in `/etc/passwd` and `/etc/group` (passwd(5), group(5)).
///
/// The files are not read by the C library, which has one list of all users for the whole process. Accounts of a
/// directory service are not in these files, so their groups are treated as open to others.
struct LocalAccounts {
    private struct User {
        let name: Substring
        let id: UInt32
        let group: UInt32
    }

    private static let maximumLength = 4 << 20

    private let users: [User]
    /// Names of the members of each group by its number.
    private let members: [UInt32: [Substring]]
    /// NIS adds accounts from elsewhere.
    private let isComplete: Bool

    static var ofThisMachine: LocalAccounts {
        func text(_ path: String) -> String {
            let bytes = try? OpenedFile.read(path, upTo: maximumLength)
            return String(decoding: bytes ?? [], as: UTF8.self)
        }
        return LocalAccounts(passwd: text("/etc/passwd"), group: text("/etc/group"))
    }

    init(passwd: String, group: String) {
        let userLines = LocalAccounts.lines(passwd), groupLines = LocalAccounts.lines(group)
        users = userLines.compactMap { fields in
            guard fields.count >= 4, let id = UInt32(fields[2]), let group = UInt32(fields[3]) else { return nil }
            return User(name: fields[0], id: id, group: group)
        }
        members = Dictionary(
            groupLines.compactMap { fields in
                guard fields.count >= 4, let id = UInt32(fields[2]) else { return nil }
                return (id, fields[3].split(separator: ","))
            }, uniquingKeysWith: +)
        isComplete = !(userLines + groupLines).contains { $0[0].hasPrefix("+") }
    }

    /// Whether `owner` is the only member of `group`: a user-private group, as Debian gives each user.
    func isPrivate(group: UInt32, of owner: UInt32) -> Bool {
        guard isComplete, let members = members[group] else { return false }
        let names = Set(users.filter { $0.id == owner }.map(\.name))
        let holders = users.filter { $0.group == group }
        return holders.contains { $0.id == owner } && holders.allSatisfy { $0.id == owner }
            && members.allSatisfy(names.contains)
    }

    /// A user's name, or the number if there is no name.
    static func label(_ user: UInt32) -> String {
        ofThisMachine.users.first { $0.id == user }.map { String($0.name) } ?? String(user)
    }

    private static func lines(_ text: String) -> [[Substring]] {
        text.split(separator: "\n").map { $0.split(separator: ":", omittingEmptySubsequences: false) }
    }
}
