// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import GRDB
import HTTPTypes
import MPinCrypto
import Patience
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import OperatorPage
@testable import ReferenceBackend

/// Strangers without a PIN, a code or a password cannot end anything of other people.
@Suite struct StrangerTests {
    private static let someone = "alice@example.com"

    /// More than the tables hold.
    private static let flood = 4200

    @Test(arguments: [Dialect.milagro, .trust2025])
    func aFloodOfPagesEndsNoLogin(_ dialect: Dialect) async throws {
        try await Device.withEndpoint(dialect) { endpoint in
            let device = try await Device.registered(dialect, at: endpoint)
            let loggedIn = try await Browser.opened(endpoint)
            try await device.logIn(loggedIn, at: endpoint.base)
            // Another browser is in the middle of a login, and a third one was sent to the provider.
            let waiting = try await Browser.opened(endpoint)
            let sent = Browser(endpoint.below(""))
            _ = try await sent.follow(try await sent.get(endpoint.base + "/login"))

            let pages = try await Stranger("127.0.0.2", at: endpoint).get(endpoint.base + "/", times: Self.flood)
            #expect(pages.allSatisfy { $0.status == 200 })

            #expect(try await loggedIn.get("/protected").status == 200)
            try await device.logIn(waiting, at: endpoint.base)
            let back = try await sent.get(sent.authorization("cancel"))
            #expect(try await sent.follow(back).status == 401)
        }
    }

    /// Entries of newcomers are bounded by address, and nothing of others is dropped.
    @Test func newcomersAreBoundedByAddress() async throws {
        try await withBackend { backend in
            let project = try await TrustProject(.trust2025, at: backend)
            let hash = String(repeating: "ab", count: 32)
            let body: [String: JSONValue] = ["projectId": .string(project.id), "hash": .string(hash)]
            let session = try await project.post("/rps/v2/session", body)
            let webOTT = try #require(session.object.string("webOTT"))
            let accessID = try #require(session.object.string("accessId"))

            let path = project.base + "/rps/v2/session"
            let stranger = Stranger("127.0.0.2", at: backend)
            let replies = try await stranger.post(path, Array(repeating: body, count: 300))
            #expect(replies.prefix(256).allSatisfy { $0.status == 200 })
            #expect(replies.dropFirst(256).allSatisfy { $0.status == 429 && $0.headers[.retryAfter] == "300" })
            // Their pages need no memory, and another address has its own bounds.
            #expect(try await stranger.get(project.base + "/")[0].status == 200)
            #expect(try await project.post("/rps/v2/session", body).status == 200)

            let report = try await project.post("/rps/v2/codeStatus", ["status": "wid", "wid": .string(accessID)])
            #expect(report.object.string("hash") == hash)
            let access = try await project.post("/rps/v2/access", ["webOTT": .string(webOTT)])
            #expect(access.object.string("status") == "wid")
            backend.clock.advance(by: LoginSession.lifetime)
            #expect(try await stranger.post(path, [body])[0].status == 200)
        }
    }

    @Test func wrongCodesOfAStrangerLeaveThePersonsOwn() async throws {
        try await withBackend { backend in
            let project = try await TrustProject(.trust2025, at: backend)
            let device = try await Device.registered(at: project)
            backend.clock.advance(by: .seconds(10))
            _ = try await project.mail(to: Self.someone, mpinIDHex: device.mpinIDHex)
            let code = try await project.newestCode()
            let wrong = code == "00000000" ? "00000001" : "00000000"
            let path = project.base + "/verification/confirmation"
            let stranger = Stranger("127.0.0.2", at: backend)
            let guess: [String: JSONValue] = ["userId": .string(Self.someone), "code": .string(wrong)]
            #expect(try await stranger.post(path, Array(repeating: guess, count: 20)).allSatisfy { $0.status == 400 })
            // A flood of wrong codes for others does not reset the stranger's own attempts.
            let others = (0..<Self.flood).map { number -> [String: JSONValue] in
                ["userId": .string("user\(number)@example.com"), "code": .string(wrong)]
            }
            _ = try await stranger.post(path, others)
            let right: [String: JSONValue] = ["userId": .string(Self.someone), "code": .string(code)]
            #expect(try await stranger.post(path, [right])[0].status == 400)
            #expect(try await project.confirm(Self.someone, code: code).status == 200)
        }
    }

    /// A stranger asks for mails at a person's address as often as the waits permit. The person's code stays, and few
    /// codes can be guessed at.
    @Test func mailsThatAStrangerAsksForEndNoCode() async throws {
        try await withBackend { backend in
            let project = try await TrustProject(.trust2025, at: backend)
            _ = try await project.mail(to: Self.someone)
            let (code, link) = (try await project.newestCode(), try await project.newestLinkCode())
            let end = backend.clock.now + .seconds(3599)
            let stranger = Stranger("127.0.0.2", at: backend)
            let body: [String: JSONValue] = ["projectId": .string(project.id), "userId": .string(Self.someone)]
            var codes: Set<String> = [code]
            while backend.clock.now < end {
                backend.clock.advance(by: min(.seconds(10), end - backend.clock.now))
                let asked = try await stranger.post(project.base + "/verification/email", [body])[0]
                if asked.status == 200 { codes.insert(try await project.newestCode()) }
            }
            #expect((5...12).contains(codes.count))
            let page = try await backend.client.get(
                project.base + "/verification/confirmation?"
                    + UserCode(userID: Self.someone, code: link).query)
            #expect(page.text.contains(code))
            #expect(try await project.confirm(Self.someone, code: code).status == 200)
        }
    }

    @Test func aRegistrationUnderWayIsNotPushedOut() async throws {
        try await withBackend { backend in
            let (mpinID, regOTT) = try await backend.startRegistration(Self.someone)
            backend.clock.advance(by: .seconds(1))
            let database = try BackendDatabase(state: try StateDirectory(path: backend.state.path))
            let now = backend.clock.now
            try await database.write { database in
                for number in 1..<Registration.capacity {
                    let registration = Registration(
                        mpinID: MPinID(Array("\(number)".utf8)), userID: "user", mobile: 1, regOTT: try .random(),
                        activateKey: "", expires: now + Registration.lifetime)
                    try registration.save(database)
                }
            }
            let late = try await backend.client.put("/rps/user", ["userId": "late@example.com", "mobile": 1])
            #expect(late.status == 503 && late.headers[.retryAfter] != nil)
            try await backend.confirmNewestMail(to: Self.someone)
            _ = try await Device.finishing(mpinID, regOTT: regOTT, pin: "1234", at: backend)
        }
    }

    /// The answer about an access number does not reveal whether it is open.
    @Test(arguments: ["wid", "user", "abort"])
    func askingFindsNoOpenNumber(_ status: String) async throws {
        try await withBackend { backend in
            let number = try #require(
                try await backend.client.post("/rps/getAccessNumber", [:]).object.string("accessNumber"))
            let unknown = number == "1000004" ? "4910036" : "1000004"
            let replies = try await Stranger("127.0.0.2", at: backend).post(
                "/rps/codeStatus",
                [number, unknown].map { ["status": .string(status), "wid": .string($0), "userId": "x"] })
            #expect(replies.map(\.status) == [200, 200] && replies[0].body == replies[1].body)
        }
    }

    /// Guessing a login does not either: an address that guessed too often does not even find the right number.
    @Test func guessedNumbersAreCounted() async throws {
        try await withBackend { backend in
            let session = try await backend.client.post("/rps/getAccessNumber", [:]).object
            let number = try #require(session.string("accessNumber"))
            let webOTT = try #require(session.string("webOTT"))
            func report(_ number: String) -> [String: JSONValue] { ["status": "wid", "wid": .string(number)] }
            let stranger = Stranger("127.0.0.2", at: backend)
            let guesses = (1...AccessNumber.guessesOfOneAddress).map { report(String(2_000_000 + $0)) }
            _ = try await stranger.post("/rps/codeStatus", guesses + [report(number)])
            #expect(try await backend.client.access(webOTT).string("status") == "new")
            _ = try await backend.client.post("/rps/codeStatus", report(number))
            #expect(try await backend.client.access(webOTT).string("status") == "wid")
            // Right numbers may be asked for as often as a flow needs.
            for _ in 0..<30 { _ = try await backend.client.post("/rps/codeStatus", report(number)) }
            _ = try await backend.client.post("/rps/codeStatus", ["status": "user", "wid": .string(number)])
            #expect(try await backend.client.access(webOTT).string("status") == "user")
            backend.clock.advance(by: AccessNumber.guessPeriod - .seconds(1))
            _ = try await stranger.post("/rps/codeStatus", [report(number)])
            #expect(try await backend.client.access(webOTT).string("status") == "user")
        }
    }

    /// A page without a number shows only its picture.
    @Test func openNumbersAreBounded() async throws {
        try await withBackend { backend in
            let stranger = Stranger("127.0.0.2", at: backend)
            let bound = AccessNumber.capacity / 16
            let pages = try await stranger.get("/", times: bound + 1)
            #expect(pages.allSatisfy { $0.status == 200 })
            #expect(pages.map { $0.typedCode?.utf8.count } == Array(repeating: 7, count: bound) + [32])
            #expect(try await stranger.post("/rps/getAccessNumber", [[:]])[0].status == 429)
            #expect((try await Browser(backend).get("/")).typedCode?.utf8.count == 7)
        }
    }

    /// Behind a proxy the bounds apply to the clients that the proxy names. A stranger's claim is ignored.
    @Test func aTrustedProxyNamesItsClients() async throws {
        try await withBackend(options: ["--trusted-proxy", "127.0.0.3"]) { backend in
            func statuses(from address: String, for client: (Int) -> String) async throws -> [Int] {
                let headers = (0...OperatorSessions.guesses).map { "X-Forwarded-For: 10.0.0.1, \(client($0))" }
                var statuses: [Int] = []
                for header in headers {
                    statuses.append(
                        try await Stranger(address, at: backend).post(
                            "/operator/login", form: "password=wrong",
                            headers: ["Origin: \(backend.addresses.publicURL)", header]
                        ).status)
                }
                return statuses
            }
            let bounded = Array(repeating: 401, count: OperatorSessions.guesses) + [429]
            let unbounded = Array(repeating: 401, count: OperatorSessions.guesses + 1)
            let stranger = try await statuses(from: "127.0.0.2") { "192.0.2.\($0)" }
            let proxied = try await statuses(from: "127.0.0.3") { "192.0.2.\($0)" }
            let oneOfThem = try await statuses(from: "127.0.0.3") { _ in "198.51.100.1" }
            #expect(stranger == bounded && proxied == unbounded && oneOfThem == bounded)
        }
    }

    @Test func aPictureIsDrawnOnce() async throws {
        try await withBackend { backend in
            let browser = try await Browser.opened(backend)
            for _ in 0..<20 { #expect(try await browser.get("/qr.png").status == 200) }
            #expect(backend.backend.publicSite.pictures.drawn == 1)
            let page = "/trust-2025/verification/qr.png?user_id=a@example.com&code="
            let stranger = Stranger("127.0.0.2", at: backend)
            func draw(_ number: Int) async throws -> Reply {
                let bytes = Array(repeating: UInt8(0), count: 14) + [UInt8(number >> 8), UInt8(number & 0xFF)]
                return try await stranger.get(page + Base64.urlText(bytes))[0]
            }
            // Those on a stranger's page are not drawn.
            let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
            let elsewhere = try await backend.client.get(
                page + Base64.urlText(Array(repeating: 1, count: 16)), headers: [site: "cross-site"])
            #expect(elsewhere.status == 403 && backend.backend.publicSite.pictures.drawn == 1)
            for number in 1...QRPictures.drawingsOfOneAddress { #expect(try await draw(number).status == 200) }
            let refused = try await draw(QRPictures.drawingsOfOneAddress + 1)
            #expect(refused.status == 429 && refused.headers[.retryAfter] == "60")
            #expect(try await browser.get("/qr.png").status == 200)
        }
    }
}
