// SPDX-License-Identifier: Apache-2.0

/// One place of the public site where clients find the platform: the project URL that they are configured with.
struct PlatformMount: Sendable {
    let generation: PlatformGeneration
    /// Below the origin, without slashes at the ends; empty for the origin itself.
    let path: String
    let site: SiteDescription

    /// The project URL, without a slash at the end.
    var url: String {
        get async throws { try await site.publicURL.value + (path.isEmpty ? "" : "/" + path) }
    }

    /// What the paths of its pages begin with.
    var root: String { path.isEmpty ? "/" : "/" + path + "/" }
}
