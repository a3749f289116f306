// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// An open directory of this user. Closing it gives up its lock.
struct PrivateDirectory: ~Copyable {
    let path: String
    private let descriptor: Int32

    /// Opens the directory, making it (mode 0700) and missing ones above it first when `creating`.
    init(_ path: String, creating: Bool) throws(StoreOpeningError) {
        if creating {
            do throws(FileFault) { try OwnedFile.makeDirectory(path) } catch {
                throw StoreOpeningError(error, "the directory")
            }
        }
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StoreOpeningError(.unavailable, "the directory \(path) cannot be opened: \(systemErrorText())")
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        // A child that another thread forks at this moment has the descriptor, too, until it starts its program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// - Throws: when the directory or one above it belongs to another user, or other users may enter it.
    func requirePrivate() throws(StoreOpeningError) {
        do throws(FileFault) { try OwnedFile.check(path, .secret, .directory) } catch {
            throw StoreOpeningError(error, "the directory")
        }
    }

    /// - Returns: false when another process holds the lock.
    ///
    /// The lock is the directory's own (`flock`), so it needs no file and works on a read-only medium. It ends with
    /// the process, however that ends.
    func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Makes added, changed and removed names in the directory durable.
    func sync() throws(StoreOpeningError) {
        guard fsync(descriptor) == 0 else {
            throw StoreOpeningError(.unavailable, "the directory \(path) cannot be written: \(systemErrorText())")
        }
    }

    /// The directory's path without symbolic links, for comparisons.
    func realPath() throws(StoreOpeningError) -> String {
        // Safe: the call allocates the text, which is freed here.
        guard let text = unsafe realpath(path, nil) else {
            throw StoreOpeningError(.unavailable, "the directory \(path) cannot be found: \(systemErrorText())")
        }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }

    /// The directory of a path's last component.
    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A path's last component.
    static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }
}
