// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// The graphics cards of the machine.
enum Cards {
    static let folder = "/dev/dri"

    /// The paths of all cards, in the order of their numbers.
    static var all: [String] {
        let names = (try? DirectoryEntries.names(in: folder)) ?? []
        return names.compactMap { name in name.hasPrefix("card") ? Int(name.dropFirst(4)) : nil }.sorted()
            .map { "\(folder)/card\($0)" }
    }
}
