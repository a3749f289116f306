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

    var usesTimePermits: Bool { false }

    func firstTimePermitShare(of _: MPinID) throws(MPinError) -> Exchange<FirstTimePermitShare> {
        throw absent("the time permit")
    }

    func storedTimePermitShare(_: FirstTimePermitShare) -> Exchange<TimePermitShare>? { nil }

    func secondTimePermitShare(_ first: FirstTimePermitShare) -> Exchange<TimePermitShare> {
        Exchange(.timePermitShare2, get(first.secondShareURL), success: Self.success) { object throws(JSONError) in
            try object.timePermitShare("timePermit")
        }
    }

    func logout(_ ticket: LogoutTicket) -> Exchange<Void> {
        // Whatever page comes with the success: the session is over.
        Exchange(
            call: Call(kind: .logout, request: send(.post, ticket.data, to: ticket.url)), success: Self.success
        ) { _ throws(JSONError) in }
    }

    func registrationCode(jwt _: SecretBytes, deviceName _: String) -> Exchange<OneTimePassword>? { nil }
}
