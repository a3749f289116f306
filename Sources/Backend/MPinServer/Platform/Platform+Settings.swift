// SPDX-License-Identifier: Apache-2.0

import BackendValues

/// The settings that clients before 2023 ask for first. docs/protocol/miracl.md, sections 4 and 5.
extension Platform {
    package static let prefix = "rps/v2"

    /// `GET /service`.
    package func serviceDescription(at mount: PlatformMount) async throws -> ServiceDescription {
        ServiceDescription(name: site.name, url: try await mount.url, prefix: Self.prefix)
    }

    /// `GET /rps/v2/clientSettings`.
    package func clientSettings(at mount: PlatformMount) async throws -> PlatformClientSettings {
        PlatformClientSettings(
            url: try await mount.url, appID: credentials.appID,
            seed: try RandomBytes.make(ClientSettings.seedLength))
    }
}
