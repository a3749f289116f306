// SPDX-License-Identifier: Apache-2.0

/// The clients that an operator has registered.
struct ClientRegistration: Sendable {
    /// Of relying parties that have the state directory's credentials.
    var redirectURIs: [String] = []
    var publicClients: [OpenIDClient] = []
}
