// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Servers that once sent a reply to another request. From then on each of their requests gets a connection of its own.
struct DistrustedServers {
    /// A kiosk knows only a few servers. Beyond this number one is forgotten, until it is detected again.
    private static let capacity = 64

    private var origins: Set<Origin> = []

    func contain(_ origin: Origin) -> Bool { origins.contains(origin) }

    mutating func insert(_ origin: Origin) {
        if origins.count >= Self.capacity, !origins.contains(origin) { origins.removeFirst() }
        origins.insert(origin)
    }
}
