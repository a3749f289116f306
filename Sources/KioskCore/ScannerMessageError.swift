// SPDX-License-Identifier: Apache-2.0

/// How a message or command broke the rules of the pipe. None of it says what the message carried.
public enum ScannerMessageError: Error, Equatable, Sendable {
    /// The length in front is 0 or more than a message may have.
    case invalidLength(UInt32)
    /// The message ends before its last field.
    case cutOff
    /// Bytes follow the last field.
    case trailingBytes(Int)
    /// A field holds what it must not.
    case invalidValue
    /// `hello` names a version that this side does not speak.
    case otherVersion(UInt16)
}
