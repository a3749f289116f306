// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// A message between the kiosk and a confined process of its own.
public protocol PipeMessage: Sendable {
    /// Reads one message without its length.
    ///
    /// - Returns: nil for a kind that this version does not know.
    /// - Throws: when a known kind breaks the rules.
    init?(body: SecretBytes) throws(PipeMessageError)

    /// The message as bytes for the pipe, preceded by its length.
    func encoded() -> [UInt8]
}

/// The rule that a message or command broke. It reveals none of the content.
public enum PipeMessageError: Error, Equatable, Sendable {
    /// The length is 0 or too great.
    case invalidLength(UInt32)
    /// The message ends before its last field.
    case cutOff
    /// Bytes follow the last field.
    case trailingBytes(Int)
    /// A field has an invalid value.
    case invalidValue
    /// `hello` names an unknown version.
    case otherVersion(UInt16)
}
