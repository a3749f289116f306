// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The path of a file without links. Each directory from the root on is checked before anything in it is looked at,
/// also those that links lead through.
///
/// In a checked directory no other user can replace a name. The path therefore leads to the checked file until root or
/// the trusted user changes that, and the file may be opened by its path.
struct ResolvedPath {
    /// The largest number of followed links: the kernel's limit (path_resolution(7)).
    private static let maximumLinks = 40

    /// The path as requested.
    private let path: String
    /// The same from the root on.
    private let absolute: String
    private let check: OwnershipCheck?
    /// The path without links.
    private(set) var place = "/"
    /// nil when the last name is missing: the file may be yet to be made.
    var status: stat?

    /// The directory of ``place``, with its slash.
    var folder: String { String(place[...(place.lastIndex(of: "/") ?? place.startIndex)]) }
    var name: String { String(place.dropFirst(folder.count)) }

    /// - Parameters:
    ///   - check: checks the directories; nil follows links only.
    ///   - makesDirectories: makes missing directories, the last name included, with mode 0700.
    ///   - followsLast: whether to follow a link at the last name.
    init(
        _ path: String, _ check: OwnershipCheck?, makesDirectories: Bool = false, followsLast: Bool = true
    ) throws(FileFault) {
        let names = ResolvedPath.names(try ResolvedPath.absolute(path))
        self.path = path
        absolute = "/" + names.joined(separator: "/")
        self.check = check
        guard let root = try status(of: "/") else { throw fault(.missing) }
        try requireSoundDirectory(root, "/")
        var walk = Walk(rest: names.reversed(), directories: [("", root)])
        while let name = walk.next() {
            let next = "\(walk.directory.place)/\(name)"
            guard let found = try entry(next, walk, makesDirectories: makesDirectories) else {
                guard walk.rest.isEmpty else { throw fault(.missing, next) }
                place = next
                return
            }
            if FileKind(found) == .link, !walk.rest.isEmpty || followsLast {
                try follow(found, next, &walk)
            } else if walk.rest.isEmpty {
                (place, status) = (next, found)
                return
            } else {
                try enter(found, next, &walk)
            }
        }
        // A path that ends with the root, with `.` or with `..`.
        let last = walk.directory
        (place, status) = (last.place.isEmpty ? "/" : last.place, last.status)
    }

    /// The state of the way from the root to the file.
    private struct Walk {
        /// The names that are left, the next one last.
        var rest: [Substring]
        /// The directories from the root to the current one, whose places have no slash at their end.
        var directories: [(place: String, status: stat)]
        /// The links that the next name comes from. `depth` is the number of names that were left when the link was
        /// met; those of its target come before.
        var links: [(place: String, target: String, depth: Int)] = []
        var followed = 0

        var directory: (place: String, status: stat) { directories[directories.count - 1] }

        /// Takes the names up to the next one that is neither `.` nor `..`.
        mutating func next() -> Substring? {
            while let name = rest.popLast() {
                links.removeAll { $0.depth > rest.count }
                switch name {
                case ".": continue
                case "..": if directories.count > 1 { directories.removeLast() }
                default: return name
                }
            }
            return nil
        }
    }

    /// - Returns: nil when nothing has the name.
    private func entry(_ place: String, _ walk: Walk, makesDirectories: Bool) throws(FileFault) -> stat? {
        if let found = try status(of: place) { return found }
        if let link = walk.links.last { throw fault(.danglingLink(target: link.target), link.place) }
        return makesDirectories ? try makeDirectory(place) : nil
    }

    private func follow(_ link: stat, _ place: String, _ walk: inout Walk) throws(FileFault) {
        if let cause = check?.fault(ofLink: link, in: walk.directory.status) { throw fault(cause, place) }
        walk.followed += 1
        guard walk.followed <= ResolvedPath.maximumLinks else { throw fault(.tooManyLinks, place) }
        guard let target = SymbolicLink.target(of: place) else { throw fault(.refused(errno), place) }
        walk.links.append((place, target, walk.rest.count))
        walk.rest += ResolvedPath.names(target).reversed()
        if target.hasPrefix("/") { walk.directories.removeLast(walk.directories.count - 1) }
    }

    private func enter(_ directory: stat, _ place: String, _ walk: inout Walk) throws(FileFault) {
        guard FileKind(directory) == .directory else {
            throw fault(.wrongKind(FileKind(directory), expected: .directory), place)
        }
        try requireSoundDirectory(directory, place)
        walk.directories.append((place, directory))
    }

    /// Requires a missing file, or one of the kind.
    func requireKind(_ kind: FileKind) throws(FileFault) {
        guard let status, FileKind(status) != kind else { return }
        throw fault(.wrongKind(FileKind(status), expected: kind))
    }

    /// Requires a file of the kind that no other user could have changed, or read if it is a secret.
    func requireSound(_ kind: FileKind, _ need: OwnedFile.Need) throws(FileFault) {
        guard let status else { throw fault(.missing) }
        try requireKind(kind)
        if let cause = check?.fault(of: status, need) { throw fault(cause) }
    }

    private func requireSoundDirectory(_ status: stat, _ place: String) throws(FileFault) {
        if let cause = check?.fault(ofDirectory: status) { throw fault(cause, place) }
    }

    /// - Parameter place: the file itself if nil.
    func fault(_ cause: FileFault.Cause, _ place: String? = nil) -> FileFault {
        let place = place ?? self.place
        return FileFault(cause, path: path, place: place == absolute ? path : place)
    }

    /// - Returns: nil when nothing has the name.
    private func status(of place: String) throws(FileFault) -> stat? {
        var status = stat()
        // Safe, here and below: texts are lent for the calls, which write our own structures.
        if unsafe lstat(place, &status) == 0 { return status }
        guard errno == ENOENT else { throw fault(.refused(errno), place) }
        return nil
    }

    private func makeDirectory(_ place: String) throws(FileFault) -> stat? {
        if unsafe mkdir(place, 0o700) == 0 {
            // Undoes the umask.
            _ = unsafe chmod(place, 0o700)
        } else if errno != EEXIST {
            throw fault(.refused(errno), place)
        }
        // Another process may have been faster, and made something else.
        return try status(of: place)
    }

    /// A last `.` stays: what stands before it must be a directory.
    private static func names(_ path: String) -> [Substring] {
        let names = path.split(separator: "/")
        return names.dropLast().filter { $0 != "." } + names.suffix(1)
    }

    private static func absolute(_ path: String) throws(FileFault) -> String {
        guard !path.isEmpty else { throw FileFault(.missing, path: path) }
        guard !path.hasPrefix("/") else { return path }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard unsafe getcwd(&buffer, buffer.count) != nil else {
            throw FileFault(.refused(errno), path: path, place: ".")
        }
        return CText.string(writtenInto: buffer) + "/" + path
    }
}
