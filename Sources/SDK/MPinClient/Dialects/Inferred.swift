// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Guesses about facts that no public source of the protocol shows. If a server behaves otherwise, only this file
/// changes. Each guess accepts more than one form in replies (docs/protocol/miracl.md, section 17).
enum Inferred {
    // MARK: 1. Names of the one-time password and the registration code in mfa-v2's final reply

    /// Keys of the digits of a one-time password or of a registration code.
    static let digitsKeys = ["OTP", "otp", "regCode", "code"]

    // MARK: 2. Spelling of mfa-v2's session keys

    static let registerOnlyKeys = ["registerOnly", "register_only", "RegisterOnly"]
    static let clientIDKeys = ["clientId", "clientID", "client_id"]
    static let redirectURIKeys = ["redirectURI", "redirectUri", "redirect_uri"]

    // MARK: 3. What a device is answered that may not make registration codes

    static let refusedRegistrationCode = [403: RefusalTable.Meaning(.notAllowed)]

    // MARK: 4. Whether mfa-v2 gives authorization codes to the `authenticate` request

    /// Added to the `authenticate` request of a login for an authorization code; a server that does not know it ignores
    /// it.
    static let asksForAuthorizationCode: JSONBody.Member = ("authzRequest", .boolean(true))

    // 5. Second factors: ``SecondFactor`` has no value.

    // MARK: 6. Where a service is found today

    /// Whether the reply means that there is no service document, so that other addresses are tried.
    static func hasNoServiceDocument(_ error: MPinError) -> Bool { error.httpStatus == 404 }

    /// Whether the reply to `POST /registration` means that this generation does not have that request.
    static func hasNoOneShotRegistration(_ outcome: CallOutcome) -> Bool {
        if case .answered(let response) = outcome { response.status == 404 || response.status == 405 } else { false }
    }

    // MARK: 7. Units of times that servers announce

    /// Reads seconds since 1970 that may be given in milliseconds. Seconds reach 12 digits only in the year 5138.
    static func seconds(_ time: Int64) -> Int64 { time > 100_000_000_000 ? time / 1000 : time }

    // MARK: 8. Length and alphabet of a code from a mail

    /// Long enough for anything that is typed or comes in a link.
    static let verificationCodeLengths = 1...1024

    // 9. The class of an appliance among `ios` and `android`: `MPin.Configuration.osClass`, `linux` unless configured.

    // 10. Signing sessions: each of the trust dialects has its own way, and both are supported.

    // MARK: How the second part of a registration token completes the first one

    /// Joins both parts, the second behind the first.
    static func completed(_ regOTT: SecretBytes, with second: SecretBytes) -> SecretBytes {
        SecretBytes(capacity: regOTT.count + second.count) { output in
            regOTT.withBytes { output.append($0) }
            second.withBytes { output.append($0) }
        }
    }

    // MARK: What a registration code looks like

    /// Whether a registration is started with a typed code instead of a verification's token. A server refuses both
    /// with the same error, so the form of the code has to distinguish them.
    static func isRegistrationCode(_ code: SecretBytes) -> Bool { code.count <= 10 && code.isDecimal }
}
