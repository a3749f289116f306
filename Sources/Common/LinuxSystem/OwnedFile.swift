// SPDX-License-Identifier: Apache-2.0

public import Glibc

/// Judges files that this program obeys or keeps secret: only root or this user may be able to change them, every
/// directory above them up to the root, and every directory that a link leads through.
///
/// It judges what it has opened, name by name, and reads content from the judged descriptor. A file that is opened by
/// its name later (a door's program, a library's file) is judged just before. A user who could exchange it in between
/// would fail the judgement. `docs/deployment.md` has the owners and modes.
public enum OwnedFile {
    public enum Need: Sendable {
        /// Other users may read it.
        case unaltered
        /// Other users may not even read it. If root owns it, its group may.
        case secret
    }

    /// Opens a file after judging it.
    ///
    /// - Parameters:
    ///   - followsLink: whether the path may end with a link.
    ///   - user: the only trusted owner besides root.
    public static func open(
        _ path: String, _ need: Need = .unaltered, followsLink: Bool = true, user: UInt32 = geteuid()
    ) throws(FileFault) -> OpenedFile {
        let judge = FileJudge(user: user)
        let walk = try PathWalk.follow(path, judge: judge, followsLast: followsLink)
        // Not opened before it is known to be a file: opening a device may have effects.
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

    /// The content of a judged file.
    ///
    /// - Parameter limit: in bytes; a longer file is refused.
    public static func read(
        _ path: String, _ need: Need = .unaltered, upTo limit: Int, user: UInt32 = geteuid()
    ) throws(FileFault) -> [UInt8] {
        try open(path, need, user: user).read(upTo: limit)
    }

    /// Judges a program, a directory or a library's file that is opened by its name later.
    ///
    /// - Parameters:
    ///   - kind: the required kind.
    ///   - followsLink: whether the path may end with a link.
    ///   - user: the only trusted owner besides root.
    ///   - alsoTrusted: a further trusted owner.
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

    /// Makes a directory with mode 0700, and missing ones above it. An existing one stays unchanged.
    ///
    /// - Throws: also when a directory above belongs to others than root and this user, or a link leads to nothing.
    public static func makeDirectory(_ path: String) throws(FileFault) {
        let walk = try PathWalk.follow(path, judge: FileJudge(user: geteuid()), makesDirectories: true)
        if let status = walk.status { try require(.directory, status, path, walk.place) }
    }

    /// Writes a file with all its content or not at all, also through a link. Judges its directory.
    ///
    /// - Parameter mode: nil keeps owner, group and mode of an existing file; a new one gets 0644 less the umask.
    public static func replace(_ path: String, with content: [UInt8], mode: mode_t? = nil) throws(FileFault) {
        try replace(path, with: content.span, mode: mode)
    }

    /// As `replace(_:with:mode:)`, for bytes that are lent.
    ///
    /// - Parameter unfinished: the file's name until it is whole, where others have to know what a power cut may leave
    ///   behind; nil for one that no other process uses.
    public static func replace(
        _ path: String, with content: Span<UInt8>, mode: mode_t? = nil, unfinished: String? = nil
    ) throws(FileFault) {
        let walk = try PathWalk.follow(path, judge: FileJudge(user: geteuid()))
        if let status = walk.status { try require(.file, status, path, walk.place) }
        let unfinished = unfinished ?? "\(walk.name).new-\(getpid())"
        try put(content, walk, path, mode: mode, unfinished) { folder, name in
            unsafe renameat(folder, unfinished, folder, name) == 0
        }
    }

    /// Makes a file that only this user may read, with all its content or not at all. Its directory is judged.
    ///
    /// - Returns: false when there is one already: that one stays, also where another process was faster. Read then
    ///   what is there.
    @discardableResult
    public static func create(_ path: String, with content: [UInt8]) throws(FileFault) -> Bool {
        let walk = try PathWalk.follow(path, judge: FileJudge(user: geteuid()))
        if let status = walk.status {
            try require(.file, status, path, walk.place)
            return false
        }
        // Two threads may make it at once.
        let unfinished = "\(walk.name).new-\(getpid())-\(UInt32.random(in: .min ... .max))"
        var isNew = true
        try put(content.span, walk, path, mode: 0o600, unfinished) { folder, name in
            defer { _ = unsafe unlinkat(folder, unfinished, 0) }
            // A link fails where a new name would overwrite. Safe: names are lent for the calls.
            if unsafe linkat(folder, unfinished, folder, name, 0) == 0 { return true }
            isNew = errno != EEXIST
            // The file system has no links.
            return unsafe !isNew || errno == EPERM && renameat(folder, unfinished, folder, name) == 0
        }
        return isNew
    }

    /// - Parameter settle: gives the finished file its name in the folder.
    private static func put(
        _ content: Span<UInt8>, _ walk: borrowing PathWalk, _ path: String, mode: mode_t?, _ unfinished: String,
        _ settle: (_ folder: Int32, _ name: String) -> Bool
    ) throws(FileFault) {
        // Left over by an earlier process. Safe, here and below: names are lent for the calls.
        _ = unsafe unlinkat(walk.folder, unfinished, 0)
        let descriptor = unsafe openat(
            walk.folder, unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode ?? 0o644)
        guard descriptor >= 0 else { throw FileFault(.refused(errno), path: path, place: walk.place) }
        defer { close(descriptor) }
        // The content is on the disk before the name is.
        guard write(content, descriptor), keepMode(descriptor, mode, walk.status), fsync(descriptor) == 0,
            settle(walk.folder, walk.name)
        else {
            let code = errno
            _ = unsafe unlinkat(walk.folder, unfinished, 0)
            throw FileFault(.refused(code), path: path, place: walk.place)
        }
        // Makes the name durable as well.
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

    private static func write(_ content: Span<UInt8>, _ descriptor: Int32) -> Bool {
        var written = 0
        while written < content.count {
            let count = unsafe content.withUnsafeBytes { bytes in
                // Safe: the slice ends where the bytes do.
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
    private static func keepMode(_ descriptor: Int32, _ mode: mode_t?, _ old: stat?) -> Bool {
        if let mode { return fchmod(descriptor, mode) == 0 }
        guard let old else { return true }
        // Only root may give a file to another user, and this user may not belong to the group.
        _ = fchown(descriptor, old.st_uid, old.st_gid)
        return fchmod(descriptor, old.st_mode & 0o777) == 0
    }
}
