// SPDX-License-Identifier: Apache-2.0

/// The request in a login QR code: `baseURL#accessCode`.
public struct LoginRequest: Sendable, Equatable {
    /// The longest QR text that can be a login code, in bytes. A code that a person can scan comfortably
    /// is far shorter.
    public static let maximumLength = 512

    /// The address to which `/service` is appended; without trailing slashes and without query.
    public let baseURL: WebAddress
    /// The browser session that the code belongs to.
    public let accessCode: AccessCode

    /// Reads the bytes of one QR code. Blanks, line ends and a byte order mark around the text are ignored.
    ///
    /// - Throws: the reason why it is not a login code, which is safe to count and to log.
    public init(symbol: Span<UInt8>) throws(LoginRequestError) {
        let bytes = symbol.extracting(symbol.textRange)
        guard bytes.count <= LoginRequest.maximumLength else { throw .tooLong }
        var mark: Int?
        for index in bytes.indices where bytes[index] == UInt8(ascii: "#") {
            guard mark == nil else { throw .severalFragments }
            mark = index
        }
        guard let mark else { throw .noAccessCode }
        guard let accessCode = AccessCode(bytes.extracting((mark + 1)...)) else { throw .invalidAccessCode }
        let address: WebAddress
        do { address = try WebAddress(bytes: bytes.extracting(..<mark)) } catch { throw .invalidAddress(error) }
        guard address.query == nil else { throw .queryInAddress }
        baseURL = address.base
        self.accessCode = accessCode
    }
}

/// The reason why the text of a QR code is not a login code.
public enum LoginRequestError: Error, Hashable, Sendable {
    /// The text is longer than ``LoginRequest/maximumLength``.
    case tooLong
    /// The text has no `#`.
    case noAccessCode
    /// The text has more than one `#`.
    case severalFragments
    /// The text behind the `#` is not an ``AccessCode``.
    case invalidAccessCode
    /// The text before the `#` is not a ``WebAddress``.
    case invalidAddress(WebAddressError)
    /// The address has a query.
    case queryInAddress
}
