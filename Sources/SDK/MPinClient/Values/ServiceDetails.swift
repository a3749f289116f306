// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// Answer of a scanned base URL about itself (milagro protocol, section 4.2).
public struct ServiceDetails: Sendable, Hashable {
    /// For people; as the server wrote it, so a caller that shows it cleans it first.
    public let name: String
    /// The backend's address, as ``MPin/setBackend(_:rpsPrefix:namedBy:)`` takes it.
    public let backendURL: WebAddress
    public let rpsPrefix: String
    /// As the server wrote it; empty when there is none.
    public let logoURL: String
    /// The service that named the backend; nil where the configuration does.
    public let namedBy: Origin?
}
