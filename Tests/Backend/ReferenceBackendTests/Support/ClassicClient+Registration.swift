// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import MPinCrypto
import Testing

@testable import ReferenceBackend

extension ClassicClient {
    mutating func startRegistration(_ userID: String) async throws {
        adopt(
            try await send(
                "PUT", try path("registerURL"),
                "{\n\t\"userId\" : \"\(userID)\",\n\t\"mobile\" : 1,\n\t\"deviceName\" : \"kiosk-1\",\n"
                    + "\t\"userData\" : \"data8\",\n\t\"activateCode\" : \"code7\"\n}"))
        try #require(!mpinIDHex.isEmpty && !regOTT.isEmpty)
    }

    mutating func restartRegistration(_ userID: String) async throws {
        adopt(
            try await send(
                "PUT", try path("registerURL") + "/" + mpinIDHex,
                "{\n\t\"userId\" : \"\(userID)\",\n\t\"mobile\" : 1,\n\t\"deviceName\" : \"kiosk-1\",\n"
                    + "\t\"regOTT\" : \"\(regOTT)\"\n}"))
    }

    /// Sends the first request of a confirmation.
    func firstShare() async throws -> Reply {
        try await get(try path("signatureURL") + "/" + mpinIDHex + "?regOTT=" + regOTT)
    }

    /// Confirms and finishes the registration.
    mutating func finishRegistration(pin: String) async throws {
        let first = try await firstShare()
        try #require(first.status == 200)
        // The query is sent unchanged.
        let params = try #require(first.object.string("params"))
        let second = try await get(try path("certivoxURL") + "clientSecret?" + params)
        try #require(second.status == 200)
        let secret = try ClientSecret(
            combining: ClientSecretShare(bytes: Self.hex(first.object, "clientSecretShare")),
            ClientSecretShare(bytes: Self.hex(second.object, "clientSecret")))
        token = try Token(extracting: Self.factor(pin), from: secret, for: identity)
    }

    var identity: MPinIdentity { MPinIdentity(MPinID(Hexadecimal.bytes(mpinIDHex) ?? [])) }

    private mutating func adopt(_ reply: Reply) {
        #expect(reply.status == 200)
        #expect(reply.object.flag("active") == false)
        mpinIDHex = reply.object.string("mpinId") ?? ""
        regOTT = reply.object.string("regOTT") ?? ""
    }
}
