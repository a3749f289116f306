// SPDX-License-Identifier: Apache-2.0

/// A key, as far as the machine may know it.
public enum KnownKey: Hashable, Sendable {
    /// 0...9, outside of any secret.
    case digit(UInt8)
    /// A digit of a PIN; which one stays with the interpreter.
    case pinDigit
    /// A key that edited the code being typed, which the interpreter did.
    case codeKey
    case enter
    /// Forgets what was typed.
    case clear
    /// Takes the last character back; with nothing typed, leaves.
    case back
    case menu
    /// A printable character that is no digit.
    case character(Character)
}

/// A secret that is being typed; it stays with the interpreter.
public enum SecretEntry: Hashable, Sendable {
    case pin
    /// An access code, or one that activates: the interpreter edits it, and tells of OK, MENU, and of BACK when nothing
    /// is typed, as of any key.
    ///
    /// - Parameter tapsLetters: whether the digits of a number pad are tapped for letters.
    case code(tapsLetters: Bool)
}

/// The readings that the machine wants of the text of a code in view.
public struct WantedReadings: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// An e-mail address, where one is typed.
    public static let address = WantedReadings(rawValue: 1)
    /// A code that activates a registration, or the link of a mail.
    public static let activation = WantedReadings(rawValue: 2)
    /// A document to be signed.
    public static let document = WantedReadings(rawValue: 4)
}
