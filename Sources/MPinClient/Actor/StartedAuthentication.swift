// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// An authentication that waits for its PIN. Kept in memory only.
struct StartedAuthentication {
    /// Nil when the backend uses no permits.
    let permit: TimePermit?
}
