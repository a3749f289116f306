// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// A project of the trust dialects: no client settings, only an address under which all paths are fixed.
struct TrustProject: Sendable {
    let url: WebAddress
    let id: String
    /// Nil as long as no registration has shown it.
    var generation: DialectName?
}
