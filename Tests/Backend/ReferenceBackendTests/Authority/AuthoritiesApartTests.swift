// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import Foundation
import HTTPTypes
import KioskTestKit
import MPinCrypto
import Patience
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// A backend with D-TAs in other processes. It holds no half, and a D-TA's failure costs nobody a registration, an
/// attempt or a login.
@Suite struct AuthoritiesApartTests {
    @Test func devicesRegisterAndLogIn() async throws {
        try await withAuthorities { pair in
            try await pair.withBackend { backend in
                let settings = try await backend.client.get("/rps/clientSettings").object
                #expect(settings.string("certivoxURL") == pair.second.url + "/")
                let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
                #expect(try await device.logIn(pin: "1234").status == 200)
                #expect(try await device.logIn(pin: "9999").status == 401)
                // The public listener has no D-TA.
                for path in ["/dta/clientSecret", "/dta/timePermit", "/dta/status", "/trust-2025/dta/2/clientSecret"] {
                    #expect(try await backend.client.get(path).status == 404, "\(path)")
                }
                for file in ["dta1/master", "dta2/master"] {
                    #expect(try StateDirectory.read(backend.state.path + "/" + file) == nil)
                }
            }
            // Each D-TA's log shows the number of requested shares, and the RPS's name for the identity.
            for authority in [pair.first, pair.second] {
                #expect(authority.log.text.contains("\"of\": client secret"))
                #expect(authority.log.text.contains("\"of\": server secret"))
            }
        }
    }

    @Test func aRegistrationOutlivesADTAThatDoesNotAnswer() async throws {
        try await withScriptedAuthorities { pair in
            try await pair.withBackend { backend in
                for (number, failing) in [pair.first, pair.second].enumerated() {
                    let (mpinID, regOTT) = try await backend.startRegistration("user\(number)@example.com")
                    try await backend.confirmNewestMail()
                    failing.answer { _ in .failure }
                    let refused = try await backend.client.get("/rps/signature/\(mpinID)?regOTT=\(regOTT)")
                    #expect(refused.status == 503 && refused.headers[.retryAfter] == nil)
                    #expect(refused.object.string("message")?.contains("Try again") == true)
                    failing.answer { _ in .honest }
                    let device = try await Device.finishing(mpinID, regOTT: regOTT, pin: "1234", at: backend)
                    #expect(try await device.logIn(pin: "1234").status == 200)
                    // Today's permit is cached, tomorrow's is not.
                    failing.answer { _ in .failure }
                    let permit = try await backend.client.get("/rps/timePermit/\(mpinID)")
                    #expect(permit.status == 200)
                    pair.clock.advance(by: .seconds(86_400))
                    let next = try await backend.client.get("/rps/timePermit/\(mpinID)")
                    #expect(next.status == (number == 0 ? 503 : 200))
                    failing.answer { _ in .honest }
                    #expect(try await device.logIn(pin: "1234").status == 200)
                }
            }
        }
    }

    @Test(arguments: TrustProject.generations)
    func anActivationTokenOutlivesIt(_ generation: PlatformGeneration) async throws {
        try await withScriptedAuthorities { pair in
            try await pair.withBackend { backend in
                let project = try await TrustProject(generation, at: backend)
                let key = Hexadecimal.text(try DVSPrivateKey.random().publicKey.bytes)
                for failing in [pair.first, pair.second] {
                    let user = "user\(backend.clock.now.seconds)@example.com"
                    let token = try await project.verified(user)
                    let (path, body): (String, [String: JSONValue]?)
                    if generation == .trust2025 {
                        path = "/registration"
                        body = [
                            "userId": .string(user), "deviceName": "kiosk", "activationToken": .string(token),
                            "publicKey": .string(key),
                        ]
                    } else {
                        let started = try await project.send(
                            .put, "/rps/v2/user",
                            ["userId": .string(user), "deviceName": "kiosk", "activateCode": .string(token)],
                            expecting: 200)
                        let (mpinID, regOTT) = (started.string("mpinId") ?? "", started.string("regOTT") ?? "")
                        path = "/rps/v2/signature/\(mpinID)?regOTT=\(regOTT)&publicKey=\(key)"
                        body = nil
                    }
                    func ask() async throws -> Int {
                        if let body { return try await project.post(path, body).status }
                        return try await backend.client.get(project.base + path).status
                    }
                    failing.answer { _ in .failure }
                    #expect(try await ask() == 503)
                    failing.answer { _ in .honest }
                    #expect(try await ask() == 200)
                    // Only once.
                    #expect(try await ask() != 200)
                    backend.clock.advance(by: .seconds(700))
                }
            }
        }
    }

    @Test func loginsBeginWhenBothHaveAnswered() async throws {
        try await withScriptedAuthorities { pair in
            let device = try await pair.withBackend { backend in
                try await Device.registered("alice@example.com", pin: "1234", at: backend)
            }
            for failing in [pair.first, pair.second] {
                failing.answer { _ in .failure }
                try await pair.withBackend(knowsSecret: false) { backend in
                    let moved = device.moved(
                        to: backend.below("/milagro-without-permits"), dialect: .milagroWithoutPermits)
                    let digits = Array("1234".utf8)
                    let attempt = try AuthenticationAttempt(
                        identity: MPinIdentity(moved.mpinID), token: moved.token, pin: PinFactor(digits: digits.span),
                        permit: nil)
                    let early = try await moved.backend.client.post(
                        "/rps/pass1",
                        [
                            "pass": 1, "mpin_id": .string(moved.mpinIDHex),
                            "U": .string(Hexadecimal.text(attempt.commitment.u)), "UT": "",
                        ])
                    #expect(early.status == 503 && early.headers[.retryAfter] != nil)
                    #expect(try await backend.client.get("/readyz").status == 503)
                    try await pair.clock.waitForSleeper()
                    #expect(backend.log.text.contains("\"kind\": failed"))
                    failing.answer { _ in .honest }
                    pair.clock.advance(by: .seconds(60))
                    try await backend.waitForServerSecret()
                    #expect(try await backend.client.get("/readyz").status == 200)
                    let verdict = try await moved.logIn()
                    #expect(verdict.status == 200)
                }
            }
        }
    }

    /// With another half every right PIN would be wrong, and block its owner.
    @Test func aDTAWithAnotherHalfIsNotBelieved() async throws {
        try await withScriptedAuthorities { pair in
            let device = try await pair.withBackend { backend in
                try await Device.registered("alice@example.com", pin: "1234", at: backend)
            }
            try pair.first.changeHalf()
            try await pair.withBackend(knowsSecret: false) { backend in
                try await pair.clock.waitForSleeper()
                #expect(backend.log.text.contains("\"kind\": other-half"))
                #expect(try await backend.client.get("/rps/timePermit/\(device.mpinIDHex)").status == 503)
                let state = try BackendState(directory: backend.state.path, clock: backend.clock)
                #expect(try await state.users().map(\.status) == [.registered])
            }
        }
    }

    /// A person who registers is told to try again, and can.
    @Test func aDTAThatComesBackWithAnotherHalfCostsNoRegistrationAndNoTry() async throws {
        try await withScriptedAuthorities { pair in
            try await pair.withBackend { backend in
                let device = try await Device.registered("bob@example.com", pin: "1234", at: backend)
                let (mpinID, regOTT) = try await backend.startRegistration("alice@example.com")
                try await backend.confirmNewestMail()
                try pair.second.changeHalf()
                // The second answer would differ if the first had used the registration up.
                for _ in 0..<2 {
                    let refused = try await backend.client.get("/rps/signature/\(mpinID)?regOTT=\(regOTT)")
                    #expect(refused.status == 503)
                }
                #expect(backend.log.text.contains("\"kind\": other-half"))
                #expect(try await backend.client.get("/rps/timePermit/\(device.mpinIDHex)").status == 503)
                #expect(try await backend.client.get("/readyz").status == 200)
            }
        }
    }

    /// Operators learn of an unreachable D-TA before a registration fails.
    @Test func bothAreAskedNowAndThen() async throws {
        try await withScriptedAuthorities { pair in
            try await pair.withBackend { backend in
                _ = (pair.first.takeRequests(), pair.second.takeRequests())
                for _ in 0..<2 {
                    try await pair.clock.waitForSleeper()
                    pair.second.answer { _ in .failure }
                    pair.clock.advance(by: .seconds(30))
                }
                try await pair.clock.waitForSleeper()
                #expect(pair.first.takeRequests() == ["serverSecret", "serverSecret"])
                #expect(pair.second.takeRequests() == ["serverSecret", "serverSecret"])
                #expect(backend.log.text.contains("\"kind\": failed"))
                #expect(try await backend.client.get("/readyz").status == 200)
            }
        }
    }

    /// A second backend that sees these D-TAs for the first time, on a database of other D-TAs.
    @Test func otherDTAsThanThoseOfTheDatabaseAreNotBelieved() async throws {
        let home = TemporaryFolder()
        let database = try BackendStorage.embedded(in: StateDirectory(path: home.path))
        let isFirst = try await database.durable.belongs(toServerSecret: [1, 2, 3])
        #expect(isFirst)
        try await withScriptedAuthorities { pair in
            try await pair.withBackend(knowsSecret: false, storage: database) { backend in
                try await pair.clock.waitForSleeper()
                #expect(backend.log.text.contains("is not the one that the people of this database"))
                #expect(try await backend.client.get("/readyz").status == 503)
            }
        }
    }

    @Test func twoDTAsWithOneHalfAreNotTwo() async throws {
        try await withScriptedAuthorities { pair in
            let share = hex(pair.first.authority.serverSecretShare())
            pair.second.answer { _ in .body("{\"serverSecret\":\"\(share)\"}") }
            try await pair.withBackend(knowsSecret: false) { backend in
                try await pair.clock.waitForSleeper()
                #expect(backend.log.text.contains("\"kind\": same-half"))
            }
        }
    }

    @Test func clocksThatDifferAreNamed() async throws {
        try await withAuthorities { pair in
            try await pair.withBackend { backend in
                let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
                let day = Duration.seconds(86_400)
                for apart in [day, .zero - day, day * 30, .zero - day * 30] {
                    // D-TA 1 tells the RPS, whose request names the day.
                    pair.first.clock.advance(by: apart)
                    let refused = try await backend.client.get("/rps/timePermit/\(device.mpinIDHex)")
                    #expect(refused.status == 503)
                    #expect(backend.log.text.contains("compare the clocks"))
                    #expect(pair.first.log.text.contains("compare the clocks"))
                    pair.first.clock.advance(by: .zero - apart)
                }
                // D-TA 2 tells device and operator.
                let first = try await backend.client.get("/rps/timePermit/\(device.mpinIDHex)").object
                let query =
                    "hash_mpin_id=\(first.string("storageId") ?? "")&signature=\(first.string("signature") ?? "")"
                pair.second.clock.advance(by: day)
                let late = try await backend.authority.get("/timePermit?\(query)")
                #expect(late.status == 401)
                #expect(late.object.string("message")?.contains("compare the clocks") == true)
                #expect(pair.second.log.text.contains("compare the clocks"))
                // A clock that is ahead makes every request look old.
                pair.first.clock.advance(by: .seconds(61))
                let (mpinID, regOTT) = try await backend.startRegistration("bob@example.com")
                try await backend.confirmNewestMail()
                #expect(try await backend.client.get("/rps/signature/\(mpinID)?regOTT=\(regOTT)").status == 503)
                #expect(backend.log.text.contains("status 408: Request expired"))
            }
        }
    }

    /// People who registered while both halves were inside stay registered.
    @Test func halvesMoveOutOfABackend() async throws {
        let clock = ManualWallClock()
        let folders = [TemporaryFolder(), TemporaryFolder(), TemporaryFolder()]
        let device = try await withBackend(state: folders[0], clock: clock) { backend in
            try await Device.registered("alice@example.com", pin: "1234", at: backend)
        }
        for number in 1...2 {
            let master = folders[0].path + "/dta\(number)/master"
            let folder = try StateDirectory(path: folders[number].path).folder("dta\(number)")
            try StateDirectory.create(folder + "/master", content: try #require(try StateDirectory.read(master)))
            #expect(unsafe unlink(master) == 0)
        }
        try await withAuthority(half: 1, state: folders[1]) { first in
            try await withAuthority(half: 2, state: folders[2]) { second in
                for (number, authority) in zip(1...2, [first, second]) {
                    try StateDirectory.create(
                        folders[0].path + "/dta\(number)/credentials",
                        content: try #require(try StateDirectory.read(authority.credentialsFile)))
                }
                let pair = RunningAuthorities(first: first, second: second, state: folders[0], clock: clock)
                try await pair.withBackend { (backend: RunningBackend) async throws -> Void in
                    let moved = device.moved(to: backend)
                    #expect(try await moved.logIn(pin: "1234").status == 200)
                    #expect(try await moved.logIn(pin: "9999").status == 401)
                }
            }
        }
    }

    @Test func theStateDirectoryHoldsKeysButNoHalf() async throws {
        try await withAuthorities { pair in
            try SharedSigningKey.put(into: pair.state)
            func complaint() -> String {
                Backend.complaint(options: ["--dta1", pair.first.url, "--dta2", pair.second.url], in: pair.state)
            }
            #expect(complaint().isEmpty)
            let path = pair.state.path
            for number in 1...2 {
                let half = "\(path)/dta\(number)/master"
                try StateDirectory.create(half, content: [1])
                #expect(complaint().contains("\(half) is half \(number) of the master secret"))
                _ = unsafe unlink(half)
                #expect(complaint().isEmpty)
            }
            let (first, second) = ("\(path)/dta1/credentials", "\(path)/dta2/credentials")
            let content = try #require(try StateDirectory.read(second))
            try StateDirectory.replace(second, content: try #require(try StateDirectory.read(first)))
            #expect(complaint().contains("same key"))
            _ = unsafe unlink(second)
            #expect(complaint().contains("copy the file of this name from the machine of D-TA 2"))
            try StateDirectory.create(second, content: content)
            _ = unsafe chmod(second, 0o640)
            #expect(complaint().contains("\(second) is open to other users"))
        }
    }

    @Test(arguments: [
        "http://dta.example.com", "http://127.0.0.1.example.com:1", "ftp://127.0.0.1", "dta.example.com", "https://",
        "https://dta.example.com?x", "https://dta.example.com#x", "https://user@dta.example.com", "",
        "https://dta.example.com/a b",
    ])
    func anAddressThatIsNone(_ address: String) throws {
        for (first, second) in [(address, "https://b"), ("https://b", address), ("https://b/", "https://b")] {
            let complaint = Backend.complaint(options: ["--dta1", first, "--dta2", second])
            #expect(complaint.contains("it has to be https://") || complaint.contains("both D-TAs have one address"))
        }
        // The D-TA's path below a server.
        let settings = try Backend.Configuration(
            options: ["--dta1", "https://dta.example.com:8490/one/", "--dta2", "http://[::1]:80"])
        #expect(settings.authorities.first?.text == "https://dta.example.com:8490/one")
    }
}
