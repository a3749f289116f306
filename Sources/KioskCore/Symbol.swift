// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// One QR code that was read in a frame.
///
/// Its bytes may carry an access code and are kept like one: wiped when dropped, never printed.
public struct Symbol: Sendable, Equatable {
    /// What the largest QR code (version 40, level L, byte mode) holds: ISO/IEC 18004, table 7.
    public static let payloadLengths = 1...2953

    /// The bytes of the code as they stand in it: no character set is guessed.
    public let payload: SecretBytes
    /// How many QR codes the bytes were joined from (structured append); 1 is an undivided code.
    public let parts: Int
    public var sighting: SymbolSighting

    /// - Returns: nil when the payload is empty or longer than a QR code can be, or `parts` is not 1...16.
    public init?(payload: SecretBytes, parts: Int, sighting: SymbolSighting) {
        guard Symbol.payloadLengths.contains(payload.count), (1...16).contains(parts) else { return nil }
        self.payload = payload
        self.parts = parts
        self.sighting = sighting
    }
}
