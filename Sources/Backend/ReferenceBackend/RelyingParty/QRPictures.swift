// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinServer
import Synchronization

/// A cache of the last pictures, in this process's memory. A page that loads its picture again causes no drawing, and
/// the number of new pictures for each address is limited.
final class QRPictures: Sendable {
    static let capacity = 256
    static let drawingsOfOneAddress = 600
    static let period = Duration.seconds(60)

    private struct State {
        var pictures = ExpiringTable<String, [UInt8]>(capacity: capacity)
        /// New pictures for each address within the period.
        var drawings = ExpiringTable<ClientAddress, Int>(capacity: 4096)
        var drawn = 0
    }

    private let clock: any WallClock
    private let state = Mutex(State())

    init(clock: any WallClock) { self.clock = clock }

    /// Number of drawn pictures.
    var drawn: Int { state.withLock { $0.drawn } }

    /// A QR code as a PNG.
    /// - Throws: `Refusal` 429 for an address that asks for too many new ones; `BackendError`.
    func png(of text: String) throws -> [UInt8] {
        let now = clock.now
        let known = try state.withLock { state throws(Refusal) -> [UInt8]? in
            if let known = state.pictures.value(for: text, now: now) { return known }
            let isAdmitted = state.drawings.change(.current, now: now) { entry in
                guard (entry?.value ?? 0) < Self.drawingsOfOneAddress else { return false }
                entry = TableEntry(value: (entry?.value ?? 0) + 1, expires: entry?.expires ?? now + Self.period)
                return true
            }
            guard isAdmitted else {
                let end = state.drawings.entry(for: .current, now: now)?.expires
                throw .waiting(429, "Too many pictures", until: end, now)
            }
            state.drawn += 1
            return nil
        }
        if let known { return known }
        let picture = try QRPicture.png(of: text)
        state.withLock { $0.pictures.insert(picture, for: text, expires: now + LoginSession.lifetime, now: now) }
        return picture
    }
}
