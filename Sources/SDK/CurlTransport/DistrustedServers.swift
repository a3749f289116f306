// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Servers that once answered with what was no reply to its request. Each of their requests gets a connection of its
/// own from then on.
struct DistrustedServers {
    /// A kiosk knows a few servers. Beyond that one is forgotten, and found out again.
    private static let capacity = 64

    private var origins: Set<Origin> = []

    func contain(_ origin: Origin) -> Bool { origins.contains(origin) }

    mutating func insert(_ origin: Origin) {
        if origins.count >= Self.capacity, !origins.contains(origin) { origins.removeFirst() }
        origins.insert(origin)
    }
}
