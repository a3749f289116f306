// SPDX-License-Identifier: Apache-2.0

import Waiting

/// One place of the public site where a dialect is spoken and people log in: what clients are configured with.
protocol SiteMount: Sendable {
    var dialect: Backend.Dialect { get }
    /// Below the origin, without slashes at the ends; empty for the origin itself.
    var path: String { get }
    var site: SiteDescription { get }
}

extension SiteMount {
    /// What the paths of its requests begin with, without a slash at the end.
    var base: String { path.isEmpty ? "" : "/" + path }

    /// What its tables are called by.
    var name: String { path.isEmpty ? "origin" : path }

    /// What the paths of its pages begin with.
    var root: String { base + "/" }

    /// A kiosk puts a typed code behind an origin of its trust list; elsewhere it needs the picture.
    var takesTypedCodes: Bool { path.isEmpty }

    /// Where it is reached, without a slash at the end. Known once the ports are bound.
    var url: String {
        get async throws { try await site.publicURL.value + base }
    }

    /// A cookie of this place alone.
    /// - Parameter purpose: what tells several cookies of one place apart, and the part of it that they are sent to.
    func cookie(_ purpose: String = "") -> SiteCookie {
        let words = ["login_kiosk", path.replacing("-", with: "_"), purpose].filter { !$0.isEmpty }
        let path = base + (purpose.isEmpty ? "" : "/" + purpose)
        return SiteCookie(name: words.joined(separator: "_"), path: path.isEmpty ? "/" : path) { try await url }
    }
}

/// What the site calls itself and where it is reached.
struct SiteDescription: Sendable {
    let name: String
    /// The public origin without a trailing slash. Known once the port is bound.
    let publicURL: Eventually<String>
}
