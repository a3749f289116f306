// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An exclusive lock for changing a file. A command that reads a file, checks it and replaces it holds the lock all the
/// time, so that no other command's change is lost.
///
/// The lock is flock(2) on a file of its own beside the file, `.NAME.lock`, mode 0600. The changed file itself cannot
/// be locked, because it is replaced by a new one. Its directory is not locked either: every user who may read a
/// directory could keep it locked. The kernel releases the lock when the process ends, however that ends. The lock
/// file of a killed process locks nothing.
///
/// A process that needs several locks takes them in the order of `docs/decisions/0098-locks-of-changed-files.md`.
public final class FileLock {
    /// Longer than any command takes to change a file on a slow card.
    public static let usualPatience = Duration.seconds(10)
    private static let pause: UInt32 = 10_000
    /// `O_PATH` (asm-generic/fcntl.h), which the C library's module lacks. It needs no right to read the directory.
    private static let placeOnly: Int32 = 0o10000000

    /// Kept open: the lock may be released by another user than the one who took it.
    private let folder: OpenedFile
    private let name: String
    private var file: OpenedFile?

    /// Waits until no other process has the lock. Follows a link: the lock is beside its target.
    ///
    /// - Parameters:
    ///   - path: the file to change. It may be missing, its directory may not.
    ///   - patience: the longest wait.
    /// - Throws: ``FileFault/Cause/locked`` when the time is over. Also for a directory that other users may change.
    public init(_ path: String, patience: Duration = usualPatience) throws(FileFault) {
        let locked = try ResolvedPath(path, OwnershipCheck())
        name = ".\(locked.name).lock"
        // Safe: the text is lent for the call.
        let number = unsafe Glibc.open(locked.folder, FileLock.placeOnly | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw FileFault(.refused(errno), path: path, place: locked.folder) }
        folder = try OpenedFile(owning: number, path: path)
        let end = ContinuousClock.now + patience
        while true {
            let opened = try open(path, locked.folder + name)
            guard flock(opened.descriptor, LOCK_EX | LOCK_NB) != 0 else {
                file = opened
                if isNamed(opened) { return }
                // Its previous holder had removed the file that this process opened.
                continue
            }
            let code = errno
            guard code == EWOULDBLOCK, ContinuousClock.now < end else {
                throw FileFault(code == EWOULDBLOCK ? .locked : .refused(code), path: path)
            }
            usleep(FileLock.pause)
        }
    }

    /// As `init(_:patience:)`, for work that needs no lock where nothing may be written.
    ///
    /// - Returns: nil when no lock can be made: the directory is missing, or not this user's.
    /// - Throws: ``FileFault/Cause/locked``, and nothing else.
    public static func ifPossible(_ path: String, patience: Duration = usualPatience) throws(FileFault) -> FileLock? {
        do throws(FileFault) { return try FileLock(path, patience: patience) } catch {
            guard error.cause == .locked else { return nil }
            throw error
        }
    }

    deinit { release() }

    /// Releases the lock. A second call does nothing.
    public func release() {
        // Safe: the name is lent for the call.
        if let file, isNamed(file) { _ = unsafe unlinkat(folder.descriptor, name, 0) }
        file = nil
    }

    private func open(_ path: String, _ place: String) throws(FileFault) -> OpenedFile {
        // Safe, here and below: names are lent for the calls, which write our own structures.
        let number = unsafe openat(
            folder.descriptor, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw FileFault(.refused(errno), path: path, place: place) }
        let file = try OpenedFile(owning: number, path: path)
        let kind = FileKind(file.status)
        let fault = kind == .file ? OwnershipCheck().fault(of: file.status, .secret) : .wrongKind(kind, expected: .file)
        if let fault { throw FileFault(fault, path: path, place: place) }
        return file
    }

    /// Whether the opened file still has the name.
    private func isNamed(_ file: OpenedFile) -> Bool {
        var named = stat()
        return unsafe fstatat(folder.descriptor, name, &named, AT_SYMLINK_NOFOLLOW) == 0
            && named.st_ino == file.status.st_ino && named.st_dev == file.status.st_dev
    }
}
