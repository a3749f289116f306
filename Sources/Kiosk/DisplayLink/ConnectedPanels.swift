// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// The panels that the kernel sees at graphics cards. Looking opens no card.
public enum ConnectedPanels {
    /// The kernel's folder of cards and their connectors.
    private static let folder = "/sys/class/drm"

    /// The connectors with a panel, such as `card0-HDMI-A-1`, sorted.
    public static var all: [String] { names(in: folder) }

    static func names(in folder: String) -> [String] {
        let connectors = try? DirectoryEntries.names(in: folder) { name, _ in
            name.hasPrefix("card") && name.contains("-")
        }
        return (connectors ?? []).filter { name in
            // "disconnected" ends with the same word.
            let status = try? OpenedFile.read("\(folder)/\(name)/status", upTo: 4096)
            return status?.starts(with: Array("connected".utf8)) == true
        }.sorted()
    }
}
