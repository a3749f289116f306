// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The reason why a file cannot be used: the fault, its place and the remedy.
public struct FileFault: Error, Equatable, Sendable {
    public enum Cause: Equatable, Sendable {
        case missing
        /// A link leads to nothing.
        case danglingLink(target: String)
        case tooManyLinks
        case wrongKind(FileKind, expected: FileKind)
        /// It has more bytes than the limit.
        case tooLong(limit: Int)
        /// It belongs neither to root nor to the user.
        case foreignOwner(UInt32, user: UInt32)
        /// Other users may change it, or files in the directory.
        case changeable(mode: UInt32)
        /// Other users may read a secret.
        case readable(FileKind, mode: UInt32)
        /// Another process is changing it (``FileLock``).
        case locked
        /// The system's answer (errno(3)).
        case refused(Int32)
    }

    public let cause: Cause
    /// The requested file.
    public let path: String
    /// The path of the fault: the file, or a directory or link on the way to it.
    public let place: String

    public init(_ cause: Cause, path: String, place: String? = nil) {
        self.cause = cause
        self.path = path
        self.place = place ?? path
    }

    /// Whether other users may change or read a file that must be private: the machine's setup is wrong.
    public var isExposure: Bool {
        switch cause {
        case .foreignOwner, .changeable, .readable: true
        case .missing, .danglingLink, .tooManyLinks, .wrongKind, .tooLong, .locked, .refused: false
        }
    }

    /// The fault of ``place``, in one line.
    public var problem: String {
        switch cause {
        case .missing: "\(place) is not there"
        case .danglingLink(let target): "\(place) is a link to \(target), which is not there"
        case .tooManyLinks: "\(place) leads through too many links"
        case .wrongKind(let kind, let expected): "\(place) is \(kind.rawValue), not \(expected.rawValue)"
        case .tooLong(let limit): "\(place) has more than \(limit) bytes"
        case .foreignOwner(let owner, let user):
            "\(place) belongs to user \(LocalAccounts.label(owner)), this process is user \(LocalAccounts.label(user))"
        case .changeable(let mode): "\(place) can be changed by other users (mode \(FileFault.octal(mode)))"
        case .readable(_, let mode): "\(place) is open to other users (mode \(FileFault.octal(mode)))"
        case .locked: "\(place) is being changed by another command"
        case .refused(let code): "\(place) cannot be opened: \(systemErrorText(code))"
        }
    }

    /// The operator's remedy.
    public var hint: String { hint(isRoot: geteuid() == 0) }

    /// - Parameter isRoot: whether the process may change owners. The hint never advises to take files from a service.
    func hint(isRoot: Bool) -> String {
        switch cause {
        case .missing: "check the path"
        case .danglingLink, .tooManyLinks: "correct or remove the link \(place)"
        case .wrongKind(_, let expected): "put \(expected.rawValue) there, or name another"
        case .tooLong: "name another file"
        case .foreignOwner(let owner, let user):
            isRoot && !FileFault.serviceUsers.contains(owner)
                ? "run it as \(LocalAccounts.label(owner)), or if what it holds is right: chown "
                    + "\(LocalAccounts.label(user)) \(place)"
                : "run it as that user, sudo -u \(LocalAccounts.label(owner)) COMMAND, or name a file of your own"
        case .changeable: "look whether it was changed, then: chmod go-w \(place)"
        case .readable(let kind, _):
            "if no other user has read it: chmod \(kind == .directory ? 700 : 600) \(place); else make a new secret"
        case .locked: "wait until that command has ended, and try again"
        case .refused(EACCES), .refused(EPERM): "run it with sudo, or as a user who may open it"
        case .refused: "see what is wrong with \(place)"
        }
    }

    /// The fault and the remedy, in one line.
    public var advice: String { "\(problem); \(hint)" }

    /// The users that Debian gives to services.
    private static let serviceUsers: Range<UInt32> = 1..<1000

    private static func octal(_ mode: UInt32) -> String { "0" + String(mode & 0o7777, radix: 8) }
}

extension FileFault: CustomStringConvertible {
    /// ``problem``, preceded by ``path`` if that is another file.
    public var description: String { place == path ? problem : "\(path): \(problem)" }
}
