// SPDX-License-Identifier: Apache-2.0

/// One place of the public site where clients find the platform: the project URL that they are configured with.
struct PlatformMount: SiteMount {
    let generation: PlatformGeneration
    let path: String
    let site: SiteDescription

    var dialect: Backend.Dialect { generation.dialect }
}
