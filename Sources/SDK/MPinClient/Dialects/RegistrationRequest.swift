// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// Values for starting or restarting a registration.
struct RegistrationRequest {
    let userID: String
    let deviceName: String
    /// A one-time code that replaces the activation mail.
    var activateCode: SecretBytes?
    /// Data for the relying party, passed on unchanged.
    var userData: String?
    /// The browser session that the registration belongs to.
    var accessCode: AccessCode?
    /// The address for push messages.
    var pushIdentifier: String?
    /// The key of the new identity; nil in the dialects whose identities have none.
    var publicKey: DVSPublicKey?
    /// The registration to restart.
    var restarted: (mpinID: MPinID, regOTT: SecretBytes)?
}

/// Values for registering a key that replaces another, or is for signing.
struct KeyRequest {
    let userID: String
    let deviceName: String
    let publicKey: DVSPublicKey
    /// The token from a login: `dvsRegister.token`.
    let token: SecretBytes
}
