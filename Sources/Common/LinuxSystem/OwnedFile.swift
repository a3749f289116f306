// SPDX-License-Identifier: Apache-2.0

public import Glibc

/// The one judgement about files that this program obeys or hides: whether they are root's or this user's alone to
/// change, and every directory above them up to the root, and every directory that a link leads through.
///
/// It judges what it has opened, name by name, and content is read from the descriptor that was judged. What is opened
/// by its name later on (a door's program, a library's file) is judged just before: a user who could exchange it in
/// between would have been found by the judgement. `docs/deployment.md` has the owners and modes.
public enum OwnedFile {
    public enum Need: Sendable {
        /// Other users may read it.
        case unaltered
        /// Other users may not even read it. One that root owns may be readable by its group.
        case secret
    }

    /// Opens a file after judging it.
    ///
    /// - Parameters:
    ///   - followsLink: whether the path may end with a link.
    ///   - user: beside root the only owner that is trusted.
    public static func open(
        _ path: String, _ need: Need = .unaltered, followsLink: Bool = true, user: UInt32 = geteuid()
    ) throws(FileFault) -> OpenedFile {
        let judge = FileJudge(user: user)
        let walk = try PathWalk.follow(path, judge: judge, followsLast: followsLink)
        // Not opened before it is known for a file: opening a device may do something.
        guard let status = walk.status else { throw FileFault(.missing, path: path, place: walk.place) }
        try require(.file, status, path, walk.place)
        // Safe: the name is lent for the call.
        let number = unsafe openat(walk.folder, walk.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { throw FileFault(.refused(errno), path: path, place: walk.place) }
        let file = try OpenedFile(owning: number, path: path)
        try require(.file, file.status, path, walk.place)
        try judge.requireSound(file.status, need, path, walk.place)
        return file
    }

    /// The content of a file that was judged.
    ///
    /// - Parameter limit: in bytes; a longer file is refused.
    public static func read(
        _ path: String, _ need: Need = .unaltered, upTo limit: Int, user: UInt32 = geteuid()
    ) throws(FileFault) -> [UInt8] {
        try open(path, need, user: user).read(upTo: limit)
    }

    /// Judges what is opened by its name later on: a program, a directory, a library's file.
    ///
    /// - Parameters:
    ///   - kind: what it has to be.
    ///   - followsLink: whether the path may end with a link.
    ///   - user: beside root the only owner that is trusted.
    ///   - alsoTrusted: one more owner that is trusted.
    public static func judge(
        _ path: String, _ need: Need = .unaltered, _ kind: FileKind = .file, followsLink: Bool = true,
        user: UInt32 = geteuid(), alsoTrusted: UInt32? = nil
    ) throws(FileFault) {
        let judge = FileJudge(user: user, alsoTrusted: alsoTrusted)
        let walk = try PathWalk.follow(path, judge: judge, followsLast: followsLink)
        guard let status = walk.status else { throw FileFault(.missing, path: path, place: walk.place) }
        try require(kind, status, path, walk.place)
        try judge.requireSound(status, need, path, walk.place)
    }

    /// Makes a directory with mode 0700, and missing ones above it. One that is there stays as it is.
    ///
    /// - Throws: also when a directory above is not root's or this user's alone, or a link leads to nothing.
    public static func makeDirectory(_ path: String) throws(FileFault) {
        let walk = try PathWalk.follow(path, judge: FileJudge(user: geteuid()), makesDirectories: true)
        if let status = walk.status { try require(.directory, status, path, walk.place) }
    }

    /// Puts a file in place with all its content or not at all, also where a link leads to it. Its directory is judged.
    ///
    /// - Parameter mode: nil keeps owner, group and mode of the file that is there; a new one gets 0644 less the umask.
    public static func replace(_ path: String, with content: [UInt8], mode: mode_t? = nil) throws(FileFault) {
        let walk = try PathWalk.follow(path, judge: FileJudge(user: geteuid()))
        if let status = walk.status { try require(.file, status, path, walk.place) }
        let temporary = "\(walk.name).new-\(getpid())"
        // Left over by an earlier process of this number. Safe, here and below: names are lent for the calls.
        _ = unsafe unlinkat(walk.folder, temporary, 0)
        let descriptor = unsafe openat(
            walk.folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode ?? 0o644)
        guard descriptor >= 0 else { throw FileFault(.refused(errno), path: path, place: walk.place) }
        defer { close(descriptor) }
        guard write(content, descriptor), settle(descriptor, mode, walk.status), fsync(descriptor) == 0,
            unsafe renameat(walk.folder, temporary, walk.folder, walk.name) == 0
        else {
            let code = errno
            _ = unsafe unlinkat(walk.folder, temporary, 0)
            throw FileFault(.refused(code), path: path, place: walk.place)
        }
        // The name is on the disk as well.
        let folder = unsafe openat(walk.folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    private static func require(
        _ kind: FileKind, _ status: stat, _ path: String, _ place: String
    ) throws(FileFault) {
        let found = FileKind(status)
        guard found == kind else { throw FileFault(.wrongKind(found, expected: kind), path: path, place: place) }
    }

    private static func write(_ content: [UInt8], _ descriptor: Int32) -> Bool {
        var written = 0
        while written < content.count {
            let count = unsafe content.withUnsafeBytes { bytes in
                // Safe: the slice ends where the array does.
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
                return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }

    /// Owner, group and mode: as said, else as they were.
    private static func settle(_ descriptor: Int32, _ mode: mode_t?, _ old: stat?) -> Bool {
        if let mode { return fchmod(descriptor, mode) == 0 }
        guard let old else { return true }
        // Only root may give a file to another user; the group may be one that this user is not in.
        _ = fchown(descriptor, old.st_uid, old.st_gid)
        return fchmod(descriptor, old.st_mode & 0o777) == 0
    }
}
