// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import MPinCrypto
import Testing

@testable import ReferenceBackend

extension ClassicClient {
    /// Sends the request of `GetSessionDetails` for a code.
    func sessionDetails(_ accessCode: String) async throws -> Reply {
        try await send(
            "POST", try path("codeStatusURL"), "{\n\t\"status\" : \"wid\",\n\t\"wid\" : \"\(accessCode)\"\n}")
    }

    func announce(_ userID: String, for accessCode: String) async throws -> Reply {
        try await send(
            "POST", try path("codeStatusURL"),
            "{\n\t\"status\" : \"user\",\n\t\"wid\" : \"\(accessCode)\",\n\t\"userId\" : \"\(userID)\"\n}")
    }

    /// A permit. The first share is fetched each time, the second once a day.
    mutating func timePermit() async throws -> TimePermit {
        let first = try await get(try path("timePermitsURL") + "/" + mpinIDHex)
        try #require(first.status == 200)
        let date = try #require(first.object.integer("date"))
        if cachedPermit?.day != date {
            let hash = try #require(first.object.string("storageId"))
            let signature = try #require(first.object.string("signature"))
            let appID = try #require(settings.string("appID"))
            let second = try await get(
                try path("certivoxURL")
                    + "timePermit?hash_mpin_id=\(hash)&app_id=\(appID)&mobile=1&signature=\(signature)")
            try #require(second.status == 200)
            cachedPermit = (try TimePermitShare(bytes: Self.hex(second.object, "timePermit")), date)
        }
        return try TimePermit(
            combining: TimePermitShare(bytes: Self.hex(first.object, "timePermit")),
            try #require(cachedPermit?.share), day: EpochDay(UInt32(date)))
    }

    /// Sends both passes.
    ///
    /// - Returns: the reply of the second as the `mpinResponse` of the final request.
    mutating func passes(pin: String, accessCode: String = "0", otp: Bool = false) async throws -> String {
        let attempt = try AuthenticationAttempt(
            identity: identity, token: try #require(token), pin: Self.factor(pin), permit: try await timePermit())
        let commitment = attempt.commitment
        let first = try await send(
            "POST", try path("mpinAuthServerURL") + "/pass1",
            "{\n\t\"pass\" : 1,\n\t\"mpin_id\" : \"\(mpinIDHex)\",\n"
                + "\t\"UT\" : \"\(Hexadecimal.text(commitment.ut ?? []))\",\n"
                + "\t\"U\" : \"\(Hexadecimal.text(commitment.u))\"\n}")
        try #require(first.status == 200)
        let response = try attempt.respond(to: Challenge(bytes: Self.hex(first.object, "y")))
        let second = try await send(
            "POST", try path("mpinAuthServerURL") + "/pass2",
            "{\n\t\"pass\" : 2,\n\t\"OTP\" : \(otp),\n\t\"WID\" : \"\(accessCode)\",\n"
                + "\t\"V\" : \"\(Hexadecimal.text(response))\",\n\t\"mpin_id\" : \"\(mpinIDHex)\"\n}")
        try #require(second.status == 200)
        let authOTT = try #require(second.object.string("authOTT"))
        try #require(second.object.integer("pass") == 2 && second.object.string("version") == "0.3")
        let otpLine = try otp ? "\t\t\"OTP\" : \"\(#require(second.object.string("OTP")))\",\n" : ""
        return "{\n\t\"mpinResponse\" : {\n\(otpLine)\t\t\"authOTT\" : \"\(authOTT)\",\n"
            + "\t\t\"pass\" : 2,\n\t\t\"version\" : \"0.3\"\n\t}\n}"
    }

    /// A plain login. Returns the relying party's reply.
    mutating func logIn(pin: String, otp: Bool = false) async throws -> Reply {
        let body = try await passes(pin: pin, otp: otp)
        return try await send("POST", try path("authenticateURL"), body)
    }

    /// A login of the browser that shows a code or an access number. The server answers when the browser is done.
    mutating func logInBrowser(pin: String, accessCode: String) async throws -> Reply {
        let body = try await passes(pin: pin, accessCode: accessCode)
        return try await send("POST", try path("mobileAuthenticateURL"), body)
    }

    /// - Parameter reply: the reply of the login whose browser is logged out.
    func logOut(after reply: Reply) async throws -> Int {
        let data = try #require(reply.object.object("logoutData"))
        let members = try data.members.keys.sorted().map { "\t\"\($0)\" : \"\(try #require(data.string($0)))\"" }
        // The classic client appends the URL to the backend's, so it has to be a path.
        let path = try #require(reply.object.string("logoutURL"))
        return try await send("POST", path, "{\n\(members.joined(separator: ",\n"))\n}").status
    }
}
