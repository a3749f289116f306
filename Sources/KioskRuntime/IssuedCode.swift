// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Digits that a server issued, for the person to read.
struct IssuedCode: Sendable {
    /// ASCII.
    let digits: SecretBytes
    /// How long the server takes them, from now.
    let lifetime: Duration
}
