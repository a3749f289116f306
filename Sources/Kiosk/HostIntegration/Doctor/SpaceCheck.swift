// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Whether the file system of the identities has room for a while.
public enum SpaceCheck {
    /// In bytes: for the journal, updates, and a copy of the identities.
    static let limit = 256 * 1024 * 1024

    /// - Parameter path: of the store's directory, or of an existing one above it.
    /// - Returns: nil when the system does not report it.
    public static func result(_ path: String) -> CheckResult? {
        var place = path
        var status = statvfs()
        // Safe: the path is lent for the call, which writes our own structure.
        while unsafe statvfs(place, &status) != 0 {
            guard errno == ENOENT, let slash = place.lastIndex(of: "/"), slash > place.startIndex else { return nil }
            place = String(place[..<slash])
        }
        let free = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return result(
            place, free: free.overflow ? .max : Int(clamping: free.partialValue),
            freeNames: status.f_files == 0 ? nil : Int(clamping: status.f_favail),
            isReadOnly: UInt(status.f_flag) & UInt(ST_RDONLY) != 0)
    }

    /// - Parameters:
    ///   - free: bytes that a plain user may still write.
    ///   - freeNames: files that may still be made; nil if the file system does not count them.
    static func result(_ place: String, free: Int, freeNames: Int?, isReadOnly: Bool) -> CheckResult {
        if isReadOnly {
            return .failure(
                "\(place) is read-only: nothing can be saved",
                remedy: "see why, an error of the medium makes it so: journalctl -k | grep -i -e mmc -e ext4")
        }
        if let freeNames, freeNames < 1000 {
            return .warning(
                "\(place) has room for \(freeNames) more files", remedy: "remove what is not needed: df -i")
        }
        let text = "\(place) has \(free / 1024 / 1024) MiB free"
        guard free < limit else { return .ok(text) }
        return .warning(text, remedy: "remove what is not needed: journalctl --vacuum-size=50M, apt-get clean")
    }
}
