// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Guesses at what no public source of the protocol shows, all in one place. Where a server turns out to behave
/// otherwise, this file changes and nothing else does. Each guess accepts more than one form in replies (MIRACL
/// protocol, section 17).
enum Inferred {
    // MARK: 1. Names of the one-time password and the registration code in mfa-v2's final reply

    /// The digits of a one-time password or of a registration code.
    static let digitsKeys = ["OTP", "otp", "regCode", "code"]

    // MARK: 2. Spelling of mfa-v2's session keys

    static let registerOnlyKeys = ["registerOnly", "register_only", "RegisterOnly"]
    static let clientIDKeys = ["clientId", "clientID", "client_id"]
    static let redirectURIKeys = ["redirectURI", "redirectUri", "redirect_uri"]

    // MARK: 3. What a device is answered that may not make registration codes

    static let refusedRegistrationCode = [403: RefusalTable.Meaning(.notAllowed)]

    // MARK: 4. Whether mfa-v2 gives authorization codes to the final call

    /// Added to the final call of a login for an authorization code; a server that does not know it ignores it.
    static let asksForAuthorizationCode: JSONBody.Member = ("authzRequest", .boolean(true))

    // 5. Second factors: ``SecondFactor`` has no value.

    // MARK: 6. Where a service is found today

    /// Whether the reply says that there is no service document, so that other places are worth asking.
    static func hasNoServiceDocument(_ error: MPinError) -> Bool { error.httpStatus == 404 }

    /// Whether the reply to `POST /registration` says that this generation does not have it.
    static func hasNoOneShotRegistration(_ outcome: CallOutcome) -> Bool {
        if case .answered(let response) = outcome { response.status == 404 || response.status == 405 } else { false }
    }

    // MARK: 7. Units of times that servers announce

    /// A time in seconds since 1970 that may have been given in milliseconds: seconds have reached 11 digits only in
    /// the year 5138.
    static func seconds(_ time: Int64) -> Int64 { time > 100_000_000_000 ? time / 1000 : time }

    // MARK: 8. Length and alphabet of a code from a mail

    /// Anything that can be typed or follows from a link.
    static let verificationCodeLengths = 1...1024

    // 9. The class of an appliance among `ios` and `android`: `MPin.Configuration.osClass`, `linux` unless configured.

    // 10. Signing sessions: two ways are alive, one in each of the trust dialects; both are kept.

    // MARK: How the second part of a registration token completes the first one

    /// The parts one behind the other.
    static func completed(_ regOTT: SecretBytes, with second: SecretBytes) -> SecretBytes {
        SecretBytes(capacity: regOTT.count + second.count) { output in
            regOTT.withBytes { output.append($0) }
            second.withBytes { output.append($0) }
        }
    }

    // MARK: What a code for another device looks like

    /// Whether what a registration is started with is a code that a person typed, rather than the token of a
    /// verification: a server refuses both with the same word, and they are told apart by their form.
    static func isRegistrationCode(_ code: SecretBytes) -> Bool {
        code.count <= 10
            && code.withBytes { digits in digits.indices.allSatisfy { (0x30...0x39).contains(digits[$0]) } }
    }
}
