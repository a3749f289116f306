// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import HTTPTypes
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// The recorded requests of the classic C++ client. `LoginTests` has its other logins.
@Suite struct ClassicClientTests {
    @Test func findsWhatItNeedsInServiceAndSettings() async throws {
        try await withBackend { backend in
            let wire = Wire(backend: backend, program: .classic)
            let service = try await wire.send(.get, "/service").object
            #expect(service.string("type") == "online")
            for key in ["name", "url", "rps_prefix", "logo_url"] { #expect(service.string(key) != nil, "\(key)") }
            let settings = try await wire.send(.get, "/rps/clientSettings").object
            for (key, path) in [
                ("registerURL", "/rps/user"), ("signatureURL", "/rps/signature"), ("certivoxURL", "/dta/"),
                ("timePermitsURL", "/rps/timePermit"), ("mpinAuthServerURL", "/rps"),
                ("codeStatusURL", "/rps/codeStatus"), ("authenticateURL", "/mpinAuthenticate"),
                ("mobileAuthenticateURL", "/rps/authenticate"),
            ] { #expect(settings.string(key) == backend.url + path) }
        }
    }

    @Test func registersAndLogsIn() async throws {
        try await withBackend { backend in
            let wire = Wire(backend: backend, program: .classic)
            let started = try await Device.start(.milagro, Device.userID, over: wire)
            #expect(started.status == 200 && started.object.flag("active") == false)
            let mpinID = try #require(started.object.string("mpinId"))
            let regOTT = try #require(started.object.string("regOTT"))
            func share() async throws -> Reply {
                try await Device.firstShare(.milagro, mpinID, regOTT: regOTT, over: wire)
            }
            #expect(try await share().status == 401)
            let again = try await wire.send(
                .put, "/rps/user/" + mpinID,
                [
                    "userId": .string(Device.userID), "mobile": 1, "deviceName": "kiosk-1", "regOTT": .string(regOTT),
                ])
            #expect(again.object.string("mpinId") == mpinID && again.object.string("regOTT") == regOTT)
            try await backend.confirmNewestMail()
            let device = try await Device.finishing(mpinID, regOTT: regOTT, pin: "1071", over: wire)
            #expect(try await share().status == 400)
            // This client reads the second PIN as the first, and a PIN of any length.
            for (pin, status) in [
                ("1071", 200), ("0009", 200), ("1234", 401), ("1071", 200), ("9999", 401), ("1", 401), ("", 410),
                ("1071", 410),
            ] {
                #expect(try await device.logIn(pin: pin).status == status)
                backend.clock.letDelaysPass()
            }
        }
    }
}
