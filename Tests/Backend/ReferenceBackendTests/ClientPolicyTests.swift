// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import Testing

@testable import ReferenceBackend

@Suite struct ClientPolicyTests {
    @Test func onlyTheCompanysDevicesAreServed() async throws {
        let header = try #require(HTTPField.Name("X-MIRACL-CID"))
        let classicHeader = try #require(HTTPField.Name("X-MIRACL-Client-ID"))
        try await withBackend(options: ["--company-id", "our-company"]) { backend in
            for path in [
                "/service", "/rps/clientSettings", "/mfa-v1/rps/clientSettings", "/mfa-v2/service",
                "/mfa-v2/rps/v2/clientSettings",
            ] {
                #expect(try await backend.client.get(path).status == 406)
                #expect(try await backend.client.get(path, headers: [header: "another"]).status == 406)
                #expect(try await backend.client.get(path, headers: [header: "our-company"]).status == 200)
                #expect(try await backend.client.get(path, headers: [classicHeader: "our-company"]).status == 200)
                #expect(
                    try await backend.client.get(
                        path, headers: [header: "another", classicHeader: "our-company"]
                    ).status == 406)
            }
            let started = try await backend.client.put("/rps/user", ["userId": "alice@example.com"])
            #expect(started.status == 406)
            #expect(try await backend.client.post("/mfa-v1/rps/pass1", [:]).status == 406)
            // Browsers send no company.
            #expect(try await backend.client.get("/").status == 200)
            #expect(try await backend.client.post("/rps/getQrUrl", [:]).status == 200)
        }
    }

    @Test func oldClientsAreTurnedAway() async throws {
        let header = try #require(HTTPField.Name("X-MIRACL-CLIENT"))
        try await withBackend(options: ["--minimum-client-version", "1.4"]) { backend in
            let silent = try await backend.client.get("/service")
            #expect(silent.status == 200)
            for (client, status) in [
                ("login-kiosk/1.4", 200), ("login-kiosk/1.4.0 extra", 200), ("login-kiosk/2.0-beta", 200),
                ("login-kiosk/10", 200), ("login-kiosk/1.3.9", 412), ("login-kiosk/0", 412), ("login-kiosk/", 412),
                ("login-kiosk/one", 412), ("another/0.1", 200),
            ] {
                #expect(
                    try await backend.client.get("/service", headers: [header: client]).status == status, "\(client)")
            }
        }
    }

    @Test func aVersionIsOneToFourNumbers() throws {
        for text in ["", ".", "1.", "1..2", "1.2.3.4.5", "a", "-1", "1.9999999999"] {
            #expect(ClientVersion(text) == nil, "\(text)")
        }
        #expect(try #require(ClientVersion("1.10")) > #require(ClientVersion("1.9.9.9")))
        #expect(ClientVersion("1") == ClientVersion("1.0.0.0"))
    }
}
