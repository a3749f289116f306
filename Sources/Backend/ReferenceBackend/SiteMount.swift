// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// A place of the public site where people log in with one dialect. Clients are configured with its address.
protocol SiteMount: Sendable {
    var dialect: Backend.Dialect { get }
    /// The path below the origin, without slashes at the ends; empty for the origin itself.
    var path: String { get }
    var site: SiteDescription { get }
}

extension SiteMount {
    /// The path prefix of its requests, without a trailing slash.
    var base: String { path.isEmpty ? "" : "/" + path }

    /// The prefix of its tables' names.
    var name: String { path.isEmpty ? "origin" : path }

    /// The path prefix of its pages.
    var root: String { base + "/" }

    /// Whether a kiosk accepts a typed code. It adds the code to an origin in its trust list, so other places need
    /// the picture.
    var takesTypedCodes: Bool { path.isEmpty }

    /// The place's address, without a trailing slash. Known once the ports are bound.
    var url: String {
        get async throws { try await site.publicURL.value + base }
    }

    /// A cookie of this place only.
    /// - Parameter purpose: distinguishes cookies of one place, and is the part of the path that gets them.
    func cookie(_ purpose: String = "") -> SiteCookie {
        let words = ["login_kiosk", path.replacing("-", with: "_"), purpose.replacing("/", with: "_")]
            .filter { !$0.isEmpty }
        let path = base + (purpose.isEmpty ? "" : "/" + purpose)
        return SiteCookie(name: words.joined(separator: "_"), path: path.isEmpty ? "/" : path) { try await url }
    }
}

/// The site's name and address.
struct SiteDescription: Sendable {
    let name: String
    /// The public origin without a trailing slash. Known once the port is bound.
    let publicURL: Eventually<String>
    /// The time after which a page replaces an unread code.
    var codeLifetime = Duration.seconds(30)
}
