// SPDX-License-Identifier: Apache-2.0

import Encoding
public import LinuxSystem
public import LoginValues
import Sealing

/// The fleet key: 32 random bytes, known only to the operator and the fleet's kiosks.
///
/// It seals nothing directly: each purpose has a key of its own that is derived from it.
public struct FleetKey: Sendable {
    /// In bytes.
    public static let length = AuthenticatedSeal.keyLength
    /// Length of ``name``.
    static let nameLength = 4

    /// Seals personal cards.
    let cards: AuthenticatedSeal
    /// Signs the cards that begin tasks. They were called errand cards when the first were printed.
    private let menuCards: SecretBytes
    /// Distinguishes the fleet's cards from those of another, and reveals nothing about the key.
    let name: [UInt8]

    /// - Returns: nil for bytes of another length, or when OpenSSL failed.
    public init?(_ key: SecretBytes) {
        guard key.count == FleetKey.length, let cards = key.derivedKey(for: "login-kiosk personal card 1"),
            let name = key.derivedKey(for: "login-kiosk fleet name"),
            let menuCards = key.derivedKey(for: "login-kiosk errand card 1")
        else { return nil }
        self.cards = AuthenticatedSeal(key: cards)
        self.menuCards = menuCards
        self.name = name.withBytes { name in (0..<FleetKey.nameLength).map { name[$0] } }
    }

    /// Signature of a card that begins a task: half of an HMAC-SHA-256, as 32 digits of 0 to 9 and a to f.
    ///
    /// - Parameter text: of the card without a signature; ASCII.
    /// - Returns: nil when OpenSSL failed.
    public func signature(ofMenuCard text: String) -> String? {
        menuCards.derivedKey(for: text)?.withBytes { bytes in Hexadecimal.text((0..<16).map { bytes[$0] }) }
    }

    /// Reads the key from a file, which other users may not read.
    public init(file path: String) throws(FleetKeyError) {
        let file: OpenedFile
        do throws(FileFault) { file = try OwnedFile.open(path, .secret) } catch { throw .file(error) }
        guard file.size == FleetKey.length else { throw .notAKey(path: path) }
        let bytes: SecretBytes
        do throws(FileFault) {
            bytes = try SecretBytes(count: FleetKey.length) { bytes throws(FileFault) in try file.read(into: &bytes) }
        } catch { throw .file(error) }
        guard let key = FleetKey(bytes) else { throw .notAKey(path: path) }
        self = key
    }
}

/// The reason why a file contains no usable fleet key.
public enum FleetKeyError: Error, Sendable, CustomStringConvertible {
    case file(FileFault)
    case notAKey(path: String)

    public var description: String {
        switch self {
        case .file(let fault): "the fleet key \(fault)"
        case .notAKey(let path): "the fleet key \(path) must be a file of exactly \(FleetKey.length) bytes"
        }
    }

    /// The remedy.
    public var hint: String {
        switch self {
        case .file(let fault): fault.hint
        case .notAKey: "give every kiosk of the fleet the same one; a new one: head -c \(FleetKey.length) /dev/urandom"
        }
    }
}
