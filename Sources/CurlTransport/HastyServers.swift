// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Servers that closed a kept connection instead of replying. Requests that count once keep off their kept connections.
struct HastyServers {
    /// A kiosk knows a few servers. Beyond that somebody is forgotten, and found out again.
    private static let capacity = 64

    private var origins: Set<Origin> = []

    func contain(_ origin: Origin) -> Bool { origins.contains(origin) }

    mutating func insert(_ origin: Origin) {
        if origins.count >= Self.capacity, !origins.contains(origin) { origins.removeFirst() }
        origins.insert(origin)
    }
}
