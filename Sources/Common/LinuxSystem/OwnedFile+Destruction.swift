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
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let folder = unsafe Glibc.open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return true }
        fsync(folder)
        close(folder)
        return true
    }
}
