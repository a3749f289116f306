// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// Whose identity is to be verified.
struct VerificationRequest {
    let userID: String
    let deviceName: String
    /// The session that the verification belongs to.
    let accessCode: AccessCode?
    /// The identity that this device has already, and whose PIN the person wants to choose anew.
    let mpinID: MPinID?
}
