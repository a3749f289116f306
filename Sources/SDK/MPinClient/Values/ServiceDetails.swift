// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// The description of a service at its base URL (docs/protocol/milagro.md, section 4.2).
public struct ServiceDetails: Sendable, Hashable {
    /// The name for people, as the server wrote it: clean it before showing it.
    public let name: String
    /// The backend's address, for ``MPin/setBackend(_:rpsPrefix:namedBy:)``.
    public let backendURL: WebAddress
    /// The first part of the paths of the backend's requests, for ``MPin/setBackend(_:rpsPrefix:namedBy:)``.
    public let rpsPrefix: String
    /// The address of the service's logo, as the server wrote it; empty when there is none.
    public let logoURL: String
    /// The service that named the backend; nil if the configuration did.
    public let namedBy: Origin?
}
