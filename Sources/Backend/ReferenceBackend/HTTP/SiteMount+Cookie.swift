// SPDX-License-Identifier: Apache-2.0

package import BackendHTTP
import MPinServer

extension SiteMount {
    /// A cookie of this endpoint only.
    /// - Parameter purpose: distinguishes cookies of one endpoint, and is the part of the path that gets them.
    package func cookie(_ purpose: String = "") -> SiteCookie {
        let words = ["login_kiosk", path.replacing("-", with: "_"), purpose.replacing("/", with: "_")]
            .filter { !$0.isEmpty }
        let path = base + (purpose.isEmpty ? "" : "/" + purpose)
        return SiteCookie(name: words.joined(separator: "_"), path: path.isEmpty ? "/" : path) { try await url }
    }
}
