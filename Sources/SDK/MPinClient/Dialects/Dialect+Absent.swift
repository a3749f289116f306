// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

// What not every dialect has: a dialect that has it says so itself.
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
