// SPDX-License-Identifier: Apache-2.0

/// A key, as far as the machine may know it.
public enum KnownKey: Hashable, Sendable {
    /// 0...9, outside of any secret.
    case digit(UInt8)
    /// A digit of a PIN; only the interpreter knows which.
    case pinDigit
    /// A key with which the interpreter edited a code.
    case codeKey
    case enter
    /// Clears the typed text.
    case clear
    /// Removes the last character; leaves if there is none.
    case back
    case menu
    /// A printable character other than a digit.
    case character(Character)
}

/// A secret that is being typed; only the interpreter holds it.
public enum SecretEntry: Hashable, Sendable {
    case pin
    /// An access code, or one that activates. The interpreter edits it, and passes on OK, MENU, and BACK when nothing
    /// is typed.
    ///
    /// - Parameter tapsLetters: whether the digits of a number pad are tapped for letters.
    case code(tapsLetters: Bool)
}

/// The readings of a code's text that the machine wants.
public struct WantedReadings: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// An e-mail address, at a screen that asks for one.
    public static let address = WantedReadings(rawValue: 1)
    /// A code that activates a registration, or the link of a mail.
    public static let activation = WantedReadings(rawValue: 2)
    /// A document to be signed.
    public static let document = WantedReadings(rawValue: 4)
}
