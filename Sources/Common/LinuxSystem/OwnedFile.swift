// SPDX-License-Identifier: Apache-2.0

public import Glibc

/// Checks files that this program obeys or keeps secret: only root or this user may be able to change them, every
/// directory above them up to the root, and every directory that a link leads through: ``ResolvedPath``.
///
/// A file that is opened by its name later (a door's program, a library's file) is checked just before.
/// `docs/deployment.md` has the owners and modes.
public enum OwnedFile {
    public enum Need: Sendable {
        /// Other users may read it.
        case unaltered
        /// Other users may not even read it. If root owns it, its group may.
        case secret
    }

    /// Opens a file after checking it.
    ///
    /// - Parameters:
    ///   - followsLink: whether the path may end with a link.
    ///   - user: the only trusted owner besides root.
    public static func open(
        _ path: String, _ need: Need = .unaltered, followsLink: Bool = true, user: UInt32 = geteuid()
    ) throws(FileFault) -> OpenedFile {
        var resolved = try ResolvedPath(path, OwnershipCheck(user: user), followsLast: followsLink)
        // Opened only once it is known to be a file: opening a device may have effects.
        try resolved.requireSound(.file, need)
        // Safe: the text is lent for the call.
        let number = unsafe Glibc.open(resolved.place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { throw resolved.fault(.refused(errno)) }
        let file = try OpenedFile(owning: number, path: path)
        resolved.status = file.status
        try resolved.requireSound(.file, need)
        return file
    }

    /// Opens a file that may be missing, as `open(_:_:followsLink:user:)`.
    ///
    /// - Returns: nil for a missing file.
    public static func find(_ path: String, _ need: Need = .unaltered) throws(FileFault) -> OpenedFile? {
        do throws(FileFault) { return try open(path, need) } catch {
            guard error.cause == .missing else { throw error }
            return nil
        }
    }

    /// The content of a checked file.
    ///
    /// - Parameter limit: in bytes; a longer file is refused.
    public static func read(
        _ path: String, _ need: Need = .unaltered, upTo limit: Int, user: UInt32 = geteuid()
    ) throws(FileFault) -> [UInt8] {
        try open(path, need, user: user).read(upTo: limit)
    }

    /// Checks a program, a directory or a library's file that is opened by its name later.
    ///
    /// - Parameters:
    ///   - kind: the required kind.
    ///   - followsLink: whether the path may end with a link.
    ///   - user: the only trusted owner besides root.
    ///   - alsoTrusted: a further trusted owner.
    public static func check(
        _ path: String, _ need: Need = .unaltered, _ kind: FileKind = .file, followsLink: Bool = true,
        user: UInt32 = geteuid(), alsoTrusted: UInt32? = nil
    ) throws(FileFault) {
        try ResolvedPath(path, OwnershipCheck(user: user, alsoTrusted: alsoTrusted), followsLast: followsLink)
            .requireSound(kind, need)
    }

    /// Makes a directory with mode 0700, and missing ones above it. An existing one stays unchanged.
    ///
    /// - Throws: also when a directory above belongs to others than root and this user, or a link leads to nothing.
    public static func makeDirectory(_ path: String) throws(FileFault) {
        try ResolvedPath(path, OwnershipCheck(), makesDirectories: true).requireKind(.directory)
    }

    /// Writes a file with all its content or not at all, also through a link. Checks its directory.
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
        let file = try ResolvedPath(path, OwnershipCheck())
        try file.requireKind(.file)
        let unfinished = file.folder + (unfinished ?? "\(file.name).new-\(getpid())")
        try put(content, file, mode: mode, unfinished) { unsafe rename(unfinished, file.place) == 0 }
    }

    /// Makes a file that only this user may read, with all its content or not at all. Its directory is checked.
    ///
    /// - Returns: false when there is one already. The existing file stays, even if another process has just created
    ///   it, except on file systems that cannot refuse to overwrite (exFAT). Then read the existing file.
    @discardableResult
    public static func create(_ path: String, with content: [UInt8]) throws(FileFault) -> Bool {
        try create(path, with: content.span)
    }

    /// As `create(_:with:)`, for bytes that are lent.
    public static func create(_ path: String, with content: Span<UInt8>) throws(FileFault) -> Bool {
        let file = try ResolvedPath(path, OwnershipCheck())
        try file.requireKind(.file)
        guard file.status == nil else { return false }
        // Two threads may make it at once.
        let unfinished = "\(file.place).new-\(getpid())-\(UInt32.random(in: .min ... .max))"
        var isNew = true
        try put(content, file, mode: 0o600, unfinished) {
            // Safe: texts are lent for the calls.
            if renameToNew(unfinished, file.place) == 0 { return true }
            isNew = errno != EEXIST
            // Some file systems cannot refuse to overwrite, for example exFAT.
            return unsafe !isNew || [EINVAL, ENOSYS].contains(errno) && rename(unfinished, file.place) == 0
        }
        if !isNew { _ = unsafe unlink(unfinished) }
        return isNew
    }

    /// - Parameter settle: gives the finished file its name.
    private static func put(
        _ content: Span<UInt8>, _ file: ResolvedPath, mode: mode_t?, _ unfinished: String, settle: () -> Bool
    ) throws(FileFault) {
        // Left over by an earlier process. Safe, here and below: texts are lent for the calls.
        _ = unsafe unlink(unfinished)
        let descriptor = unsafe Glibc.open(
            unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode ?? 0o644)
        guard descriptor >= 0 else { throw file.fault(.refused(errno)) }
        defer { close(descriptor) }
        let isWritten = unsafe content.withUnsafeBytes { unsafe StandardStream.write($0, to: descriptor) }
        // The content is on the disk before the name is.
        guard isWritten, keepMode(descriptor, mode, file.status), fsync(descriptor) == 0, settle()
        else {
            let code = errno
            _ = unsafe unlink(unfinished)
            throw file.fault(.refused(code))
        }
        syncFolder(of: file.place)
    }

    /// Sets `mode` if given; otherwise keeps the old owner, group and mode.
    private static func keepMode(_ descriptor: Int32, _ mode: mode_t?, _ old: stat?) -> Bool {
        if let mode { return fchmod(descriptor, mode) == 0 }
        guard let old else { return true }
        // Only root may give a file to another user, and this user may not belong to the group.
        _ = fchown(descriptor, old.st_uid, old.st_gid)
        return fchmod(descriptor, old.st_mode & 0o777) == 0
    }
}
