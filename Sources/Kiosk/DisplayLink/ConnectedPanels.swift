// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// The panels that the kernel sees at graphics cards. Looking opens no card.
public enum ConnectedPanels {
    public struct Panel: Sendable, Equatable {
        /// Such as `card0-HDMI-A-1`.
        public let connector: String
        /// The size that the panel prefers, such as `800x480`; nil when the kernel has none.
        public let size: String?

        /// The name of its card, such as `card0`.
        public var card: String { String(connector.prefix { $0 != "-" }) }
    }

    /// The kernel's folder of cards and their connectors.
    private static let folder = "/sys/class/drm"

    /// Sorted by connector.
    public static var all: [Panel] { panels(in: folder) }

    static func panels(in folder: String) -> [Panel] {
        let connectors = try? DirectoryEntries.names(in: folder) { name, _ in
            name.hasPrefix("card") && name.contains("-")
        }
        return (connectors ?? []).sorted().filter { name in
            // "disconnected" ends with the same word.
            let status = try? OpenedFile.read("\(folder)/\(name)/status", upTo: 4096)
            return status?.starts(with: Array("connected".utf8)) == true
        }.map { name in
            // A mode a line, the preferred one first. A panel with many modes has more than is read here.
            let modes = try? OpenedFile.read("\(folder)/\(name)/modes", upTo: 4096)
            let first = modes?.split(separator: UInt8(ascii: "\n")).first
            return Panel(connector: name, size: first.map { String(decoding: $0, as: UTF8.self) })
        }
    }
}
