// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The pictures that were drawn last. A page that loads its picture again costs no drawing, and an address draws only
/// so many new ones.
final class QRPictures: Sendable {
    static let capacity = 256
    static let drawingsOfOneAddress = 600
    static let period = Duration.seconds(60)

    private struct State {
        var pictures = ExpiringTable<String, [UInt8]>(capacity: capacity)
        var drawings = GuessBudget(perAddress: drawingsOfOneAddress, period: period)
        var drawn = 0
    }

    private let clock: any WallClock
    private let state = Mutex(State())

    init(clock: any WallClock) { self.clock = clock }

    /// How many were drawn.
    var drawn: Int { state.withLock { $0.drawn } }

    /// A QR code as a PNG.
    /// - Throws: `Refusal` 429 for an address that has others drawn all the time; `BackendError`.
    func png(of text: String) throws -> [UInt8] {
        let now = clock.now
        let known = try state.withLock { state throws(Refusal) -> [UInt8]? in
            if let known = state.pictures.value(for: text, now: now) { return known }
            guard state.drawings.admits(.current, now: now) else {
                throw .waiting(429, "Too many pictures", until: state.drawings.end(for: .current), now)
            }
            state.drawings.count(from: .current, now: now)
            state.drawn += 1
            return nil
        }
        if let known { return known }
        let picture = try QRPicture.png(of: text)
        state.withLock { $0.pictures.insert(picture, for: text, expires: now + PlatformSession.lifetime, now: now) }
        return picture
    }
}
