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
    /// The beginning of the paths of its requests, without a slash at the end.
    var base: String { path.isEmpty ? "" : "/" + path }

    /// The name that its tables are called by.
    var name: String { path.isEmpty ? "origin" : path }

    /// The beginning of the paths of its pages.
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
        let words = ["login_kiosk", path.replacing("-", with: "_"), purpose.replacing("/", with: "_")]
            .filter { !$0.isEmpty }
        let path = base + (purpose.isEmpty ? "" : "/" + purpose)
        return SiteCookie(name: words.joined(separator: "_"), path: path.isEmpty ? "/" : path) { try await url }
    }
}

/// The name of the site, and the address where it is reached.
struct SiteDescription: Sendable {
    let name: String
    /// The public origin without a trailing slash. Known once the port is bound.
    let publicURL: Eventually<String>
    /// How long a page shows a code that no device reads.
    var codeLifetime = Duration.seconds(30)
}
