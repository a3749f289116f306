// SPDX-License-Identifier: Apache-2.0

import Glibc
import KioskPorts

/// Finds the pictures of a folder.
enum FolderListing {
    /// The most pictures that are played from one folder.
    static let maximumCount = 100_000

    private static let endings = [".png", ".jpg", ".jpeg", ".pgm"]
    /// Pictures of other kinds are listed, too: they are told of by name when it is their turn.
    private static let listed = endings + ForeignPicture.endings

    static func pictures(in folder: String) throws(FrameSourceError) -> [String] {
        guard let directory = unsafe opendir(folder) else {
            let code = errno
            throw FrameSourceError(
                code == ENOENT || code == ENOTDIR ? .notFound : .unreadable, at: folder,
                problem: "cannot be opened as a folder (\(Descriptor.reason(code)))", remedy: "check the path")
        }
        // Safe: ours until here.
        defer { unsafe closedir(directory) }
        var names: [String] = []
        // Safe: an entry is valid until the next readdir on the same directory; its name is copied before.
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            let lowercased = name.lowercased()
            guard !name.hasPrefix("."), listed.contains(where: { lowercased.hasSuffix($0) }) else { continue }
            guard names.count < maximumCount else {
                throw FrameSourceError(
                    .tooLarge, at: folder, problem: "holds more than \(maximumCount) pictures",
                    remedy: "divide it into several folders")
            }
            names.append(name)
        }
        guard !names.isEmpty else {
            throw FrameSourceError(
                .empty, at: folder, problem: "holds no picture",
                remedy: "put files there that end in \(endings.joined(separator: ", "))")
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { folder + "/" + $0 }
    }
}
