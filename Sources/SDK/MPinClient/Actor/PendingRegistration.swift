// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// An unfinished registration with a key. It lives in memory: its private key must not be stored, and an identity that
/// it replaces stays good until it is finished.
struct PendingRegistration {
    let reply: RegistrationReply
    let deviceName: String
    let dialect: any Dialect
    let publicKey: DVSPublicKey
    /// Nil once the secret was combined.
    var privateKey: SecretBytes?

    func user(_ key: IdentityKey) -> User {
        var user = User(key: key, state: .activated, deviceName: deviceName)
        user.registrationExpires = reply.expires
        user.pinLength = reply.pinLength
        user.dialect = dialect.name
        user.customerID = reply.customerID
        user.appID = reply.appID
        user.setMPinID(reply.mpinID)
        user.verificationType = reply.verificationType
        return user
    }
}
