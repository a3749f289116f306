// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The way from the root directory to a file, one name after the other by opened directories, so that nothing can be
/// exchanged between judgement and use. It follows links itself instead of letting the kernel do so: each directory
/// that a link leads through is judged too.
struct PathWalk: ~Copyable {
    /// As many as the kernel follows (path_resolution(7)).
    private static let maximumLinks = 40

    /// `O_PATH` (asm-generic/fcntl.h), which the C library's module lacks: opens a path without opening its file.
    private static let placeOnly: Int32 = 0o10000000

    /// An open directory on the way.
    private struct Directory: ~Copyable {
        let descriptor: Int32
        let status: stat

        init(owning descriptor: Int32, _ status: stat) {
            self.descriptor = descriptor
            self.status = status
        }

        deinit { close(descriptor) }
    }

    private struct Link {
        let place: String
        let target: String
        /// The number of names left when it was met; those of its target come before.
        let depth: Int
    }

    private let path: String
    private let judge: FileJudge?
    private let makesDirectories: Bool
    private let followsLast: Bool
    private var directory: Directory
    /// The directory's path without links; empty for the root.
    private var directoryPlace = ""
    /// The names left, the next one last.
    private var rest: [Substring]
    private var links: [Link] = []
    private var followed = 0

    /// The last name, within ``folder``.
    private(set) var name = "."
    /// The file's path without links.
    private(set) var place: String
    /// The status of the last name; nil when it is missing.
    private(set) var status: stat?

    /// An open directory, valid during this value's lifetime.
    var folder: Int32 { directory.descriptor }

    /// Follows `path`.
    ///
    /// - Parameters:
    ///   - judge: checks every directory on the way.
    ///   - makesDirectories: makes missing directories, the last name included, with mode 0700.
    ///   - followsLast: whether to follow a link at the last name.
    static func follow(
        _ path: String, judge: FileJudge? = nil, makesDirectories: Bool = false, followsLast: Bool = true
    ) throws(FileFault) -> PathWalk {
        let names = try absolute(path).split(separator: "/")
        var walk = PathWalk(
            path, names: names, from: try root(path, judge), judge, makesDirectories: makesDirectories,
            followsLast: followsLast)
        try walk.go()
        return walk
    }

    private init(
        _ path: String, names: [Substring], from root: consuming Directory, _ judge: FileJudge?,
        makesDirectories: Bool, followsLast: Bool
    ) {
        self.path = path
        self.judge = judge
        self.makesDirectories = makesDirectories
        self.followsLast = followsLast
        place = path
        rest = names.reversed()
        directory = root
    }

    private mutating func go() throws(FileFault) {
        while let name = rest.popLast() {
            links.removeAll { $0.depth > rest.count }
            guard name != "." else { continue }
            let place = name == ".." ? PathWalk.parent(of: directoryPlace) : directoryPlace + "/" + name
            guard let (descriptor, status) = try open(name, place) else {
                // The last name may belong to a file that is yet to be made.
                (self.name, self.place) = (String(name), shown(place))
                return
            }
            let next = Directory(owning: descriptor, status)
            switch FileKind(status) {
            case .link where !rest.isEmpty || followsLast: try follow(next, place)
            case .directory where !rest.isEmpty || name == "..":
                try judge?.requireSoundDirectory(status, path, place)
                directory = next
                directoryPlace = place
            case let kind:
                guard rest.isEmpty else {
                    throw FileFault(.wrongKind(kind, expected: .directory), path: path, place: shown(place))
                }
                (self.name, self.place, self.status) = (String(name), shown(place), status)
                return
            }
        }
        // A path that ends with the root, with `.` or with `..`.
        (name, place, status) = (".", shown(directoryPlace), directory.status)
    }

    /// - Returns: nil when the last name of the path is missing.
    private func open(_ name: Substring, _ place: String) throws(FileFault) -> (Int32, stat)? {
        let name = String(name)
        // Safe, here and below: names are lent for the calls, which write our own structures.
        var descriptor = unsafe openat(directory.descriptor, name, PathWalk.placeOnly | O_NOFOLLOW | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT {
            if let link = links.last {
                throw FileFault(.danglingLink(target: link.target), path: path, place: shown(link.place))
            }
            guard makesDirectories else {
                if rest.isEmpty { return nil }
                throw FileFault(.missing, path: path, place: place)
            }
            // Another process may have been faster.
            guard unsafe mkdirat(directory.descriptor, name, 0o700) == 0 || errno == EEXIST else {
                throw FileFault(.refused(errno), path: path, place: shown(place))
            }
            // Undoes the umask.
            _ = unsafe fchmodat(directory.descriptor, name, 0o700, 0)
            descriptor = unsafe openat(directory.descriptor, name, PathWalk.placeOnly | O_NOFOLLOW | O_CLOEXEC)
        }
        guard descriptor >= 0 else { throw FileFault(.refused(errno), path: path, place: shown(place)) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw FileFault(.refused(code), path: path, place: shown(place))
        }
        return (descriptor, status)
    }

    private mutating func follow(_ link: borrowing Directory, _ place: String) throws(FileFault) {
        try judge?.requireSoundLink(link.status, in: directory.status, path, shown(place))
        followed += 1
        guard followed <= PathWalk.maximumLinks else { throw FileFault(.tooManyLinks, path: path, place: place) }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        // Safe: the buffer is lent for the call, with its size.
        let count = unsafe readlinkat(link.descriptor, "", &buffer, buffer.count)
        guard count > 0 else { throw FileFault(.refused(errno), path: path, place: place) }
        let target = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        links.append(Link(place: place, target: target, depth: rest.count))
        rest += target.split(separator: "/").reversed()
        guard target.hasPrefix("/") else { return }
        directory = try PathWalk.root(path, judge)
        directoryPlace = ""
    }

    /// The path as requested, if it leads to the same file.
    private func shown(_ place: String) -> String {
        if place.isEmpty { return "/" }
        return path.hasPrefix("/") || followed > 0 || !rest.isEmpty ? place : path
    }

    private static func root(_ path: String, _ judge: FileJudge?) throws(FileFault) -> Directory {
        let descriptor = unsafe Glibc.open("/", PathWalk.placeOnly | O_DIRECTORY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0 else {
            throw FileFault(.refused(errno), path: path, place: "/")
        }
        let root = Directory(owning: descriptor, status)
        try judge?.requireSoundDirectory(status, path, "/")
        return root
    }

    private static func absolute(_ path: String) throws(FileFault) -> String {
        guard !path.isEmpty else { throw FileFault(.missing, path: path) }
        guard !path.hasPrefix("/") else { return path }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        // Safe: the buffer is lent for the call, with its size.
        guard unsafe getcwd(&buffer, buffer.count) != nil else {
            throw FileFault(.refused(errno), path: path, place: ".")
        }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) + "/" + path
    }

    private static func parent(of place: String) -> String {
        String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])
    }
}
