// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem
import Synchronization

/// Looks for a file in folders that come and go, as those of USB sticks do.
///
/// A person with a stick chooses what lies there, so that nothing but a plain file of a modest size is read, and no
/// more folders are looked at than a machine has sockets.
public struct BroughtFiles: Sendable {
    public static let name = "login-kiosk.setup"
    /// Where sticks and boot partitions are mounted, on Raspberry Pi OS, on desktops and by the card's image.
    public static let usualFolders =
        "/boot/firmware:/run/login-kiosk:/media/*:/media/*/*:/run/media/*:/run/media/*/*"
    /// In bytes: more than any QR code, and less than what a person would wait for.
    public static let maximumLength = 64 * 1024
    static let folderCapacity = 64

    private let patterns: [String]

    /// - Parameter folders: absolute paths, parted by colons; a part `*` stands for every folder there.
    /// - Returns: nil for what is no such list.
    public init?(folders: String) {
        patterns = folders.split(separator: ":").map(String.init)
        guard patterns.allSatisfy({ $0.hasPrefix("/") }) else { return nil }
    }

    /// The files that are there now, by path.
    public func look() -> [String: [UInt8]] {
        var folders: [String] = []
        for pattern in patterns where folders.count < BroughtFiles.folderCapacity {
            folders += BroughtFiles.folders(pattern).prefix(BroughtFiles.folderCapacity - folders.count)
        }
        var found: [String: [UInt8]] = [:]
        for folder in folders {
            let path = "\(folder)/\(BroughtFiles.name)"
            // What cannot be read is none: a stick may be pulled out at any moment.
            guard let file = try? OpenedFile.open(path, isPlain: true) else { continue }
            found[path] = try? file.read(upTo: BroughtFiles.maximumLength)
        }
        return found
    }

    private static func folders(_ pattern: String) -> [String] {
        pattern.split(separator: "/").reduce([""]) { folders, part in
            guard part == "*" else { return folders.map { "\($0)/\(part)" } }
            return folders.flatMap { folder in
                let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
                return names.sorted().prefix(folderCapacity).map { "\(folder)/\($0)" }.filter(isFolder)
            }
        }
    }

    /// No link to one: it may lead anywhere.
    private static func isFolder(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType == .typeDirectory
    }
}

extension BroughtFiles {
    /// The files that are brought from now on, each once for as long as it stays as it is.
    ///
    /// A thread of its own looks at the folders, so that a medium that does not answer holds nothing else up.
    ///
    /// - Parameter interval: how long to wait between two looks.
    public func watched(every interval: Duration) -> AsyncStream<[UInt8]> {
        AsyncStream(bufferingPolicy: .bufferingNewest(4)) { sink in
            let hasEnded = HasEnded()
            sink.onTermination = { _ in hasEnded.value.withLock { $0 = true } }
            let seconds = interval / .seconds(1)
            Thread.detachNewThread {
                var known: [String: [UInt8]] = [:]
                while !hasEnded.value.withLock(\.self) {
                    let found = look()
                    for (path, content) in found.sorted(by: { $0.key < $1.key }) where known[path] != content {
                        sink.yield(content)
                    }
                    known = found
                    Thread.sleep(forTimeInterval: seconds)
                }
            }
        }
    }

    /// Whether no caller listens any more.
    private final class HasEnded: Sendable {
        let value = Mutex(false)
    }
}
