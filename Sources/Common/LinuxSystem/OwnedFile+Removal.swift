// SPDX-License-Identifier: Apache-2.0

import Glibc

extension OwnedFile {
    /// The longest file that is overwritten: more than any key.
    private static let longestSecret = 64 * 1024

    /// Destroys a secret: overwrites its bytes before it removes its name, both durably. The medium may still keep
    /// earlier data, but no file system shows it any more.
    ///
    /// - Returns: false when there was none.
    @discardableResult
    public static func destroy(_ path: String) throws(FileFault) -> Bool {
        // Safe, here and below: texts and bytes are lent for the calls.
        let descriptor = unsafe Glibc.open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT { return false }
        if descriptor >= 0 {
            var status = stat()
            if unsafe fstat(descriptor, &status) == 0, FileKind(status) == .file {
                let zeros = [UInt8](repeating: 0, count: min(Int(status.st_size), longestSecret))
                // Works on a full disk, because the room exists. A file that cannot be overwritten is removed
                // nevertheless.
                _ = unsafe zeros.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
                fsync(descriptor)
            }
            close(descriptor)
        }
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw FileFault(.refused(errno), path: path) }
        syncFolder(of: path)
        return true
    }

    /// Renames a file, replacing the one of the new name, in one step that survives a power cut. It needs no room.
    ///
    /// - Returns: false when there is no such file because it was already moved.
    @discardableResult
    public static func move(_ path: String, to target: String) throws(FileFault) -> Bool {
        guard isThere(path) else { return false }
        // Safe, here and below: texts are lent for the calls.
        guard unsafe rename(path, target) == 0 || errno == ENOENT && !isThere(path) else {
            throw FileFault(.refused(errno), path: target)
        }
        syncFolder(of: target)
        return true
    }

    /// Removes a file; a missing one is not an error.
    public static func remove(_ path: String) throws(FileFault) {
        guard isThere(path) else { return }
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw FileFault(.refused(errno), path: path) }
        syncFolder(of: path)
    }

    /// Checked first, so that work already done succeeds even where nothing may be written.
    private static func isThere(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 || errno != ENOENT
    }

    /// Makes a new or removed name durable.
    static func syncFolder(of path: String) {
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let folder = unsafe Glibc.open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }
}
