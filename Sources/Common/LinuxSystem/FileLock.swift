// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The right to change a file, which one process has at a time. A command that reads a file, judges it and replaces it
/// holds the lock meanwhile, so that no other command's change is lost.
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

    /// Keeps the judged directory open.
    private let walk: PathWalk
    private let name: String
    private var descriptor: Int32

    /// Waits until no other process has the lock. Follows a link: the lock is beside its target.
    ///
    /// - Parameters:
    ///   - path: the file to change. It may be missing, its directory may not.
    ///   - patience: the longest wait.
    /// - Throws: ``FileFault/Cause/locked`` when the time is over. Also for a directory that other users may change.
    public init(_ path: String, patience: Duration = usualPatience) throws(FileFault) {
        let walk = try PathWalk.follow(path, judge: FileJudge(user: geteuid()))
        let name = ".\(walk.name).lock"
        let end = ContinuousClock.now + patience
        var opened = try FileLock.open(name, in: walk.folder, path)
        while true {
            if flock(opened, LOCK_EX | LOCK_NB) == 0 {
                // Its previous holder had removed the file that this process opened.
                if FileLock.isNamed(opened, name, in: walk.folder) { break }
                close(opened)
                opened = try FileLock.open(name, in: walk.folder, path)
                continue
            }
            let code = errno
            guard code == EWOULDBLOCK, ContinuousClock.now < end else {
                close(opened)
                throw FileFault(code == EWOULDBLOCK ? .locked : .refused(code), path: path)
            }
            usleep(FileLock.pause)
        }
        self.walk = walk
        self.name = name
        descriptor = opened
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
        guard descriptor >= 0 else { return }
        // Safe: the name is lent for the call.
        if FileLock.isNamed(descriptor, name, in: walk.folder) { _ = unsafe unlinkat(walk.folder, name, 0) }
        close(descriptor)
        descriptor = -1
    }

    private static func open(_ name: String, in folder: Int32, _ path: String) throws(FileFault) -> Int32 {
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        // Safe, here and below: names are lent for the calls, which write our own structures.
        let descriptor = unsafe openat(
            folder, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFault(.refused(errno), path: path, place: parent + name) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, FileKind(status) == .file else {
            close(descriptor)
            throw FileFault(.wrongKind(FileKind(status), expected: .file), path: path, place: parent + name)
        }
        do throws(FileFault) {
            try FileJudge(user: geteuid()).requireSound(status, .secret, path, parent + name)
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Whether the opened file still has the name.
    private static func isNamed(_ descriptor: Int32, _ name: String, in folder: Int32) -> Bool {
        var (opened, named) = (stat(), stat())
        return unsafe fstat(descriptor, &opened) == 0
            && fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0
            && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }
}
