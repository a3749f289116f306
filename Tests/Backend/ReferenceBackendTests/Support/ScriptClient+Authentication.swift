// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import MPinCrypto
import Testing

@testable import ReferenceBackend

extension ScriptClient {
    /// Sends all three requests and returns the last reply, or the first refusal.
    /// - Parameter accessID: the code of the client's last page, which it sends with every scope.
    func authenticate(pin: String, scope: String, accessID: String? = nil) async throws -> Reply {
        let attempt = try AuthenticationAttempt(
            identity: try identity, token: try #require(token), pin: TrustDevice.digits(pin), permit: nil)
        let first = try await send(
            "POST", "/rps/v2/pass1",
            #"{"scope":["\#(scope)"],"mpin_id":"\#(mpinIDHex)","dtas":"\#(dtas)","publicKey":"\#(publicKeyHex ?? "")","UT":"","#
                + #""U":"\#(Hexadecimal.text(attempt.commitment.u))"}"#)
        guard first.status == 200 else { return first }
        let challenge = try Challenge(bytes: try #require(first.object.string("y").flatMap { Hexadecimal.bytes($0) }))
        let response = Hexadecimal.text(try attempt.respond(to: challenge))
        let session = accessID.map { #""WID":"\#($0)","# } ?? ""
        let second = try await send(
            "POST", "/rps/v2/pass2", #"{"mpin_id":"\#(mpinIDHex)",\#(session)"V":"\#(response)"}"#)
        try #require(second.status == 200, "\(second.text)")
        let authOTT = try #require(second.object.string("authOTT"))
        return try await send(
            "POST", "/rps/v2/authenticate", #"{"authOTT":"\#(authOTT)"\#(version == .six ? "" : #","wam":"dvs""#)}"#)
    }
}
