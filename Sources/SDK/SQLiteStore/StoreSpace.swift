// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
public import MPinClient

/// Checks whether a store's directory has room for the largest save.
public enum StoreSpace {
    /// In bytes: the largest sealed record, the pages that lead to it, and the journal's copies of all of them.
    static let needed = 64 * 1024

    /// Writes as much as a save may need into a file without a name, which ends with its descriptor.
    ///
    /// - Throws: `full`, or `unavailable` when nothing can be written at all.
    public static func check(_ location: StoreLocation) throws(IdentityStorageError) {
        // A unique name, because other processes may check the same directory now. It is removed at once.
        let path = "\(location.directory)/.room-\(String(UInt64.random(in: .min ... .max), radix: 16))"
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(location) }
        defer { close(descriptor) }
        guard unsafe unlink(path) == 0 else { throw failure(location) }
        // Zeros would take no room on a file system that compresses.
        var state = UInt64(needed)
        let bytes = (0..<needed).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        var written = 0
        while written < needed {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                // Safe: the rest of the bytes, lent for the call.
                unsafe write(descriptor, bytes.baseAddress.map { unsafe $0 + written }, needed - written)
            }
            guard count > 0 else { throw failure(location) }
            written += count
        }
        // Some file systems report a full disk only here.
        guard fsync(descriptor) == 0 else { throw failure(location) }
    }

    private static func failure(_ location: StoreLocation) -> IdentityStorageError {
        let isFull = errno == ENOSPC || errno == EDQUOT
        return IdentityStorageError(
            isFull ? .full : .unavailable,
            detail: "\(location.directory) does not take the \(needed / 1024) KiB that a save may need: "
                + "\(systemErrorText()): \(isFull ? "free some space" : "make the medium writable")")
    }
}
