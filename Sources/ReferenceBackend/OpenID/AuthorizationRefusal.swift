// SPDX-License-Identifier: Apache-2.0

/// Why a person is not asked to log in. RFC 6749, section 4.1.2.1.
enum AuthorizationRefusal: Error {
    /// Only the person is told: the client is unknown, or the address to go on at is not its own.
    case page(String)
    /// The client is told, by way of the browser.
    case redirect(AuthorizationError)
}
