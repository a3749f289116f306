// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// What pass 2 gives for the final call.
struct LoginTicket {
    /// The whole reply as received.
    let reply: SecretBytes
    /// One-time token of the login, as the text that the server compares.
    let authOTT: SecretBytes
}
