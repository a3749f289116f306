// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// A registration with a key, which lives in memory until it is finished: its private key must not be stored, and the
/// identity that it may replace stays good until then.
struct PendingRegistration {
    let reply: RegistrationReply
    let deviceName: String
    let dialect: any Dialect
    let publicKey: DVSPublicKey
    /// Gone once the secret was put together.
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
