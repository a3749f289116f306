// SPDX-License-Identifier: Apache-2.0

import Waiting

/// What the site calls itself and where it is reached.
struct SiteDescription: Sendable {
    let name: String
    /// The public origin without a trailing slash. Known once the port is bound.
    let publicURL: Eventually<String>
}
