// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// A key by the page's name for it.
struct PageKey: Hashable {
    /// A longer text is not a name.
    static let maximumLength = 8

    let key: Key

    init(_ key: Key) { self.key = key }

    /// - Returns: nil when no key has the name.
    init?(name: some StringProtocol) {
        switch name {
        case "enter": key = .enter
        case "clear": key = .clear
        case "back": key = .back
        case "menu": key = .menu
        default:
            guard let character = name.first, name.utf8.count == 1, let code = character.asciiValue,
                (0x21...0x7E).contains(code)
            else { return nil }
            key = (0x30...0x39).contains(code) ? .digit(code - 0x30) : .character(character)
        }
    }

    var name: String {
        switch key {
        case .digit(let digit): "\(digit)"
        case .enter: "enter"
        case .clear: "clear"
        case .back: "back"
        case .menu: "menu"
        case .character(let character): String(character)
        }
    }
}

/// Keys on the page, for a kiosk with a touch screen and no keypad.
///
/// Input passes through a browser, which does not wipe it, so the operator has to switch these keys on.
public final class PageKeypad: Keypad {
    private let keys: AsyncStream<KeypadReport>
    private let sink: AsyncStream<KeypadReport>.Continuation

    init() {
        (keys, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(16))
    }

    /// The signs of the page's own keys.
    public let keyNames = KeyNames.touched

    public func reports() -> AsyncStream<KeypadReport> { keys }

    func press(_ key: Key) { sink.yield(.pressed(KeyPress(key))) }
}
