// SPDX-License-Identifier: Apache-2.0

import Glibc
public import KioskPorts
import LinuxSystem

/// Finds the pictures of a folder.
public enum FolderListing {
    /// The most pictures that are played from one folder.
    static let maximumCount = 100_000

    private static let endings = [".png", ".jpg", ".jpeg"]
    /// Pictures of other kinds are listed, too, and reported by name when they are reached.
    private static let listed = endings + ForeignPicture.endings

    /// The paths of the pictures, sorted by the bytes of their names.
    public static func pictures(in folder: String) throws(FrameSourceError) -> [String] {
        let names: [String]
        do throws(SystemFailure) {
            names = try DirectoryEntries.names(in: folder, atMost: maximumCount + 1) { name, _ in
                let lowercased = name.lowercased()
                return !name.hasPrefix(".") && listed.contains { lowercased.hasSuffix($0) }
            }
        } catch {
            throw FrameSourceError(
                error.code == ENOENT || error.code == ENOTDIR ? .notFound : .unreadable, at: folder,
                problem: "cannot be opened as a folder (\(error.reason))", remedy: "check the path")
        }
        guard names.count <= maximumCount else {
            throw FrameSourceError(
                .tooLarge, at: folder, problem: "holds more than \(maximumCount) pictures",
                remedy: "divide it into several folders")
        }
        guard !names.isEmpty else {
            throw FrameSourceError(
                .empty, at: folder, problem: "holds no picture",
                remedy: "put files there that end in \(endings.joined(separator: ", "))")
        }
        let start = folder.hasSuffix("/") ? folder : folder + "/"
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { start + $0 }
    }
}
