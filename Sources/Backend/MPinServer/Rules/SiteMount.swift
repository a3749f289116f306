// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import LinuxSystem

/// An endpoint of the public site where people log in with one dialect. Clients are configured with its address.
package protocol SiteMount: Sendable {
    var dialect: Dialect { get }
    /// The path below the origin, without slashes at the ends; empty for the origin itself.
    var path: String { get }
    var site: SiteDescription { get }
}

extension SiteMount {
    /// The path prefix of its requests, without a trailing slash.
    package var base: String { path.isEmpty ? "" : "/" + path }

    /// The prefix of its tables' names.
    package var name: String { path.isEmpty ? "origin" : path }

    /// The path prefix of its pages.
    package var root: String { base + "/" }

    /// Whether a kiosk accepts a typed code. It adds the code to an origin in its trust list, so other endpoints
    /// need the picture.
    package var takesTypedCodes: Bool { path.isEmpty }

    /// The endpoint's address, without a trailing slash. Known once the ports are bound.
    package var url: String {
        get async throws { try await site.publicURL.value + base }
    }
}

/// The site's name and address.
package struct SiteDescription: Sendable {
    package let name: String
    /// The public origin without a trailing slash. Known once the port is bound.
    package let publicURL: Eventually<String>
    /// The time after which a page replaces an unread code.
    package let codeLifetime: Duration
    /// The people who may register.
    package let registrations: RegistrationPolicy.Extent

    package init(
        name: String, publicURL: Eventually<String>, codeLifetime: Duration, registrations: RegistrationPolicy.Extent
    ) {
        self.name = name
        self.publicURL = publicURL
        self.codeLifetime = codeLifetime
        self.registrations = registrations
    }
}

/// An endpoint of the public site with the RPS, D-TA and web site of a classic dialect.
package struct ClassicMount: SiteMount {
    package let dialect: Dialect
    package let path: String
    package let site: SiteDescription

    package init(dialect: Dialect, path: String, site: SiteDescription) {
        self.dialect = dialect
        self.path = path
        self.site = site
    }
}

/// An endpoint of the public site with the platform. Clients are configured with its project URL.
package struct PlatformMount: SiteMount {
    package let generation: PlatformGeneration
    package let path: String
    package let site: SiteDescription
    /// The tables with browsers that were logged in at its pages, by the site and by its OpenID provider. A device
    /// that has a page's code does not know which of the two made it.
    package var browserTables: [any VolatileTable] = []

    package init(generation: PlatformGeneration, path: String, site: SiteDescription) {
        self.generation = generation
        self.path = path
        self.site = site
    }

    package var dialect: Dialect { generation.dialect }
}
