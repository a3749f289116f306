// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem

/// Looks for a file in folders that come and go, such as those of USB sticks.
///
/// The owner of a stick chooses its contents. So only a plain file of modest size is read, in a bounded number of
/// folders.
public struct RemovableMedia: Sendable {
    public static let name = "login-kiosk.profile"
    /// The folders where Raspberry Pi OS, desktops and the card's image mount sticks and boot partitions.
    public static let usualFolders =
        "/boot/firmware:/run/login-kiosk:/media/*:/media/*/*:/run/media/*:/run/media/*/*"
    /// The longest file in bytes: longer than any QR code, and quick to read.
    public static let maximumLength = 64 * 1024
    static let folderCapacity = 64

    private let patterns: [String]

    /// - Parameter folders: absolute paths, separated by colons; a component `*` stands for every folder there.
    /// - Returns: nil when it is no such list.
    public init?(folders: String) {
        patterns = folders.split(separator: ":").map(String.init)
        guard patterns.allSatisfy({ $0.hasPrefix("/") }) else { return nil }
    }

    /// The files that are there now, by path.
    public func look() -> [String: [UInt8]] {
        var folders: [String] = []
        for pattern in patterns where folders.count < RemovableMedia.folderCapacity {
            folders += RemovableMedia.folders(pattern).prefix(RemovableMedia.folderCapacity - folders.count)
        }
        var found: [String: [UInt8]] = [:]
        for folder in folders {
            let path = "\(folder)/\(RemovableMedia.name)"
            // Unreadable files are ignored: somebody may pull out a stick at any moment.
            guard let file = try? OpenedFile.open(path, isPlain: true) else { continue }
            found[path] = try? file.read(upTo: RemovableMedia.maximumLength)
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

    /// Excludes links to folders, which may lead anywhere.
    private static func isFolder(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType == .typeDirectory
    }
}

extension RemovableMedia {
    /// The files that appear from now on, each once while it does not change.
    ///
    /// A thread of its own looks at the folders, so that a medium that does not answer delays nothing else.
    ///
    /// - Parameter interval: the time between two looks.
    public func watched(every interval: Duration) -> AsyncStream<[UInt8]> {
        AsyncStream(bufferingPolicy: .bufferingNewest(4)) { sink in
            let hasEnded = Waker.required()
            sink.onTermination = { _ in hasEnded.raise() }
            do throws(SystemRefusal) {
                try SystemThread.detach { watch(every: interval, until: hasEnded) { sink.yield($0) } }
            } catch { preconditionFailure("\(error)") }
        }
    }

    private func watch(every interval: Duration, until hasEnded: Waker, _ tell: ([UInt8]) -> Void) {
        var known: [String: [UInt8]] = [:]
        while !hasEnded.isRaised {
            let found = look()
            for (path, content) in found.sorted(by: { $0.key < $1.key }) where known[path] != content { tell(content) }
            known = found
            hasEnded.wait(within: interval)
        }
    }
}
