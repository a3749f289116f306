// SPDX-License-Identifier: Apache-2.0

public import KioskCore

/// Keys on the page, for a kiosk with a touch screen and no keypad.
///
/// What is typed here passes through a browser and is not wiped there: that is why they have to be switched on.
public final class PageKeypad: Keypad {
    /// Known to whoever was told the page's address at this start, and to nobody else.
    let token: String

    private let keys: AsyncStream<KeypadReport>
    private let sink: AsyncStream<KeypadReport>.Continuation

    init() {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        var generator = SystemRandomNumberGenerator()
        // 190 bits.
        token = String((0..<32).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] })
        (keys, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(16))
    }

    public func reports() -> AsyncStream<KeypadReport> { keys }

    func press(_ key: Key) { sink.yield(.pressed(KeyPress(key))) }

    /// Whether `claim` is the token; how long that takes tells nothing about it.
    func admits(_ claim: String) -> Bool {
        let (claim, token) = (Array(claim.utf8), Array(token.utf8))
        guard claim.count == token.count else { return false }
        return zip(claim, token).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
