// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

// Parts that not every dialect has. A dialect that has one implements it.
extension Dialect {
    static var registersKeys: Bool { false }
    static var checksPINLength: Bool { false }

    func startVerification(_: VerificationRequest) throws(MPinError) -> Exchange<VerificationStart> {
        throw absent("startVerification")
    }

    func finishVerification(userID _: String, code _: SecretBytes) throws(MPinError) -> Exchange<VerificationResult> {
        throw absent("finishVerification")
    }

    func registerKey(_: KeyRequest) throws(MPinError) -> Exchange<SecretOffer> {
        throw absent("the key's registration")
    }

    var timePermits: (any TimePermitDialect)? { nil }

    func registrationCode(jwt _: SecretBytes, deviceName _: String) -> Exchange<OneTimePassword>? { nil }
}
