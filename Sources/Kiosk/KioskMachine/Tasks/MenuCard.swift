// SPDX-License-Identifier: Apache-2.0

import Encoding
public import KioskPorts
import LoginValues

/// A printed code that begins a task of the menu at a service or a door.
///
/// An operator hangs it beside the kiosk. It holds no secret, names no person, and begins nothing that the person
/// could not begin with the keys (`docs/kiosk.md`, "Cards").
public struct MenuCard: Hashable, Sendable {
    public let task: KioskTask
    /// A door's name, or a line of the trust list that names one host; nil if the person chooses. Compare it with
    /// names that the kiosk knows, and do not show it: anybody can print a card.
    public let place: String?
    /// The operator's signature over ``unsignedText``, 32 hexadecimal digits; nil for an unsigned card. Only the
    /// holder of the key can check it.
    public private(set) var signature: String?

    /// - Returns: nil for an empty place, or one that makes the text longer than ``maximumLength``.
    public init?(_ task: KioskTask, at place: String? = nil) {
        self.task = task
        self.place = place
        guard place?.isEmpty != true, unsignedText.utf8.count <= MenuCard.maximumLength else { return nil }
    }

    /// The same card with a signature.
    ///
    /// - Returns: nil for a malformed signature, or when the card has no room for it.
    public func signed(_ signature: String) -> MenuCard? {
        guard signature.utf8.count == MenuCard.signatureLength, signature.utf8.allSatisfy(MenuCard.isSignatureDigit)
        else { return nil }
        var card = self
        card.signature = signature
        return card.text.utf8.count <= MenuCard.maximumLength ? card : nil
    }
}

extension MenuCard {
    /// Reads a card in front of the camera.
    ///
    /// - Returns: nil for any other code, and for one of several parts.
    public init?(_ symbol: Symbol) {
        guard symbol.parts == 1, let card = symbol.payload.withBytes({ MenuCard(symbol: $0) }) else { return nil }
        self = card
    }
}

// The text of a card: `login-kiosk:TASK` or `login-kiosk:TASK/PLACE`, each followed by `?SIGNATURE` or nothing.
// TASK is a task's name; PLACE is UTF-8, with bytes escaped that a path segment may not contain (RFC 3986,
// sections 2.1 and 3.3); SIGNATURE is 32 digits of 0 to 9 and a to f.
extension MenuCard {
    /// The longest text, in bytes: as for a login code, and enough for the longest name of a door.
    public static let maximumLength = 512

    private static let scheme = "login-kiosk:"
    private static let signatureLength = 32

    /// The card as the text of a QR code.
    public var text: String { signature.map { "\(unsignedText)?\($0)" } ?? unsignedText }

    /// The part of the text that a signature covers: ASCII, with one spelling for each card.
    public var unsignedText: String {
        var text = MenuCard.scheme + task.name
        guard let place else { return text }
        text += "/"
        return text + PercentEncoding.text(place, keeping: ":")
    }

    /// Reads the bytes of one QR code.
    ///
    /// - Returns: nil unless all bytes are a card.
    public init?(symbol bytes: Span<UInt8>) {
        let scheme = Array(MenuCard.scheme.utf8)
        guard (scheme.count...MenuCard.maximumLength).contains(bytes.count),
            scheme.indices.allSatisfy({ bytes[$0] == scheme[$0] })
        else { return nil }
        var rest = bytes.extracting(scheme.count...)
        var signature: String?
        // No other part of a card may contain a question mark.
        if let mark = rest.indices.first(where: { rest[$0] == UInt8(ascii: "?") }) {
            signature = MenuCard.text(rest.extracting((mark + 1)...))
            rest = rest.extracting(..<mark)
        }
        let slash = rest.indices.first { rest[$0] == UInt8(ascii: "/") }
        guard let task = KioskTask(named: MenuCard.text(rest.extracting(..<(slash ?? rest.count)))) else { return nil }
        var place: String?
        if let slash {
            place = MenuCard.decoded(rest.extracting((slash + 1)...))
            guard place != nil else { return nil }
        }
        guard let card = MenuCard(task, at: place) else { return nil }
        guard let signature else {
            self = card
            return
        }
        guard let signed = card.signed(signature) else { return nil }
        self = signed
    }

    /// One scalar a byte: bytes beyond ASCII then match no task's name, and no signature.
    private static func text(_ bytes: Span<UInt8>) -> String {
        var text = ""
        for index in bytes.indices { text.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
        return text
    }

    /// - Returns: nil for an invalid path segment, invalid UTF-8, or a control character.
    private static func decoded(_ segment: Span<UInt8>) -> String? {
        var decoded: [UInt8] = []
        var index = 0
        while index < segment.count {
            guard let (byte, isEscaped) = PercentEncoding.byte(in: segment, at: &index),
                isEscaped || isSegmentCharacter(byte), byte >= 0x20, byte != 0x7F
            else { return nil }
            decoded.append(byte)
        }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func isSignatureDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }

    private static func isSegmentCharacter(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) || "!$&'()*+,;=:@".utf8.contains(byte)
    }
}
