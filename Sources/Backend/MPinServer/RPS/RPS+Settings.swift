// SPDX-License-Identifier: Apache-2.0

import BackendValues

/// The settings that a client learns first. docs/protocol/milagro.md, sections 4.2 and 4.3.
extension RPS {
    package static let prefix = "rps"
    static let logoPath = "/logo.svg"

    /// `GET /service`.
    package func serviceDescription() async throws -> ServiceDescription {
        ServiceDescription(name: mount.site.name, url: try await mount.url, prefix: Self.prefix)
    }

    /// `GET /rps/clientSettings`.
    package func clientSettings() async throws -> ClientSettings {
        ClientSettings(
            url: try await mount.url, authorityURL: authorities.second.url, appID: credentials.appID,
            dialect: dialect,
            seed: try RandomBytes.make(ClientSettings.seedLength))
    }
}
