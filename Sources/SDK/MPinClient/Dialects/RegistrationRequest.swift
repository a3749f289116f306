// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// Values that a registration is started or restarted with.
struct RegistrationRequest {
    let userID: String
    let deviceName: String
    /// A one-time code that replaces the activation mail.
    var activateCode: SecretBytes?
    /// For the relying party, passed on untouched.
    var userData: String?
    /// The browser session that the registration belongs to.
    var accessCode: AccessCode?
    /// Where the server may send push messages to.
    var pushIdentifier: String?
    /// The key that the identity gets; nil in the dialects whose identities have none.
    var publicKey: DVSPublicKey?
    /// The registration to restart.
    var restarted: (mpinID: MPinID, regOTT: SecretBytes)?
}

/// A key that takes the place of another, or that is for signing.
struct KeyRequest {
    let userID: String
    let deviceName: String
    let publicKey: DVSPublicKey
    /// From a login: `dvsRegister.token`.
    let token: SecretBytes
}
