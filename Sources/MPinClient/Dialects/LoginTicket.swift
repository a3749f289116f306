// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// What pass 2 gives for the final call. Only the dialect that read it knows what is inside.
struct LoginTicket {
    let content: SecretBytes
}
