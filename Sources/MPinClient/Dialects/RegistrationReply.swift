// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// What a started registration is known by.
struct RegistrationReply {
    let mpinID: MPinID
    /// One-time token of the registration, as the text that the server compares.
    let regOTT: SecretBytes
    /// Whether the identity needs no activation mail.
    let isActive: Bool
    let expires: Expiration?
}
