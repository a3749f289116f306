// SPDX-License-Identifier: Apache-2.0

import Encoding
import KioskTestKit
import LoginValues
import Patience
import Testing

@testable import MPinClient

/// The requests of an application to its own server.
@Suite struct ApplicationTests {
    let transport = FakeTransport(clock: ManualClock())
    let log = LogCapture()
    let code = SecretBytes(copying: "canary-authz-code".utf8)

    private func application(_ address: String = "https://login.test/shop/") throws -> RelyingPartyApplication {
        RelyingPartyApplication(
            at: try WebAddress(address), transport: transport, trust: Device.trust(), clock: ManualClock(),
            logger: log.logger)
    }

    private var lines: [String] {
        transport.requests.map {
            "\($0.method.rawValue) \($0.url.absoluteText)" + ($0.body.map { " \(text($0))" } ?? "")
        }
    }

    @Test func asksWhereALoginBegins() async throws {
        transport.on(
            .post, "/shop/authzurl", .json(#"{"authorizeURL":"https:\/\/rps.test/authorize?client_id=x&state=1"}"#))
        let url = try await application().authorizationURL()
        #expect(url.absoluteText == "https://rps.test/authorize?client_id=x&state=1")
        #expect(lines == ["POST https://login.test/shop/authzurl"])
    }

    @Test(arguments: [404, 405, 501]) func asksAgainInTheOtherForm(_ status: Int) async throws {
        transport.on(.post, "/authzurl", .status(status))
        transport.on(.get, "/authzurl", .json(#"{"authorizeURL":"https://rps.test/authorize"}"#))
        _ = try await application("https://login.test").authorizationURL()
        #expect(lines == ["POST https://login.test/authzurl", "GET https://login.test/authzurl"])
    }

    static let refusals: [(Int, Status)] = [
        (302, .networkError), (400, .httpRequestError), (406, .badUserAgent), (412, .badClientVersion),
        (500, .httpServerError), (201, .responseParseError),
    ]

    @Test(arguments: refusals) func tellsWhyNoLoginBegins(_ httpStatus: Int, _ status: Status) async throws {
        transport.on(.post, "/authzurl", .status(httpStatus))
        let error = await #expect(throws: MPinError.self) {
            try await application("https://login.test").authorizationURL()
        }
        #expect(error?.status == status && error?.httpStatus == httpStatus && transport.requests.count == 1)
    }

    @Test func handsTheCodeOver() async throws {
        // The server's answer wraps a token of its own, so the client ignores it.
        transport.on(.post, "/shop/authtoken", .json("no JSON"))
        try await application().submit(authorizationCode: code, userID: #"a"b@example.com"#)
        #expect(
            lines == [
                #"POST https://login.test/shop/authtoken {"code":"canary-authz-code","userID":"a\"b@example.com"}"#
            ])
        #expect(transport.requests[0].isRepeatable == false)
    }

    static let verdicts: [(Int, String, Status, String?)] = [
        (401, "Another user\r\n  logged in\u{202E}\u{0}", .identityNotAuthorized, "Another user logged in"),
        (403, "not you", .identityNotAuthorized, "not you"), (400, "", .httpRequestError, nil),
        (400, #"{"message":"no such code"}"#, .httpRequestError, #"{"message":"no such code"}"#),
        (400, "I know no canary-authz-code here", .httpRequestError, nil),
        (500, String(repeating: "x", count: 60_000), .httpServerError, String(repeating: "x", count: 160)),
        (204, "", .responseParseError, nil), (302, "", .networkError, nil),
    ]

    @Test(arguments: verdicts) func tellsWhyNobodyIsLoggedIn(
        _ httpStatus: Int, _ body: String, _ status: Status, _ sentence: String?
    ) async throws {
        transport.on(.post, "/shop/authtoken", .json(body, status: httpStatus))
        let error = await #expect(throws: MPinError.self) {
            try await application().submit(authorizationCode: code, userID: "alice@example.com")
        }
        let ending = sentence.map { ": \($0)" } ?? ""
        #expect(error?.status == status && error?.httpStatus == httpStatus && error?.outcomeIsUnknown == false)
        #expect(
            error?.detail
                == "the application's login at https://login.test: the reply's status is \(httpStatus)\(ending)")
    }

    @Test(arguments: [true, false]) func tellsWhenNobodyKnows(_ wasSent: Bool) async throws {
        transport.on(
            .post, "/shop/authtoken",
            .failure(HTTPTransportError(.timedOut, requestMayHaveBeenSent: wasSent, detail: "late")))
        let error = await expect(.networkError) {
            try await application().submit(authorizationCode: code, userID: "alice@example.com")
        }
        #expect(error?.outcomeIsUnknown == wasSent && transport.requests.count == 1)
    }

    @Test func asksNobodyWhoIsNotTrusted() async throws {
        let application = try application("https://evil.test")
        let document = DocumentData(hash: "", timestamp: 0, authToken: code)
        let calls: [() async throws -> Void] = [
            { _ = try await application.authorizationURL() },
            { try await application.submit(authorizationCode: code, userID: "alice@example.com") },
            { _ = try await application.createDocumentHash([]) },
            { _ = try await application.verifySignature(try await signature(), of: document) },
        ]
        for call in calls {
            await expect(.untrustedDomainError, .untrustedHost(.notListed)) { try await call() }
        }
        #expect(transport.requests.isEmpty)
    }

    static let digest = String(repeating: "Ab", count: 32)
    static let documentReply = #"{"hash":"\#(digest)","timestamp":1795252300,"authToken":"canary+token/=="}"#

    @Test(arguments: ["", "/login"]) func asksForADocumentsHash(_ prefix: String) async throws {
        transport.on(.post, "/shop\(prefix)/CreateDocumentHash", .json(Self.documentReply))
        let data = try await application().createDocumentHash(Array("Ten € & more=+".utf8))
        #expect(data.hash == Self.digest && data.timestamp == 1_795_252_300)
        #expect(text(data.authToken) == "canary+token/==")
        #expect(
            transport.requests.last.flatMap { $0.body.map(text) } == "document=Ten%20%E2%82%AC%20%26%20more%3D%2B")
        #expect(transport.requests.last?.url.path == "/shop\(prefix)/CreateDocumentHash")
        #expect(
            transport.requests.last?.headers.contains(
                HTTPHeader("Content-Type", "application/x-www-form-urlencoded")) == true)
        let tooLong = [UInt8](repeating: 0x20, count: RelyingPartyApplication.maximumDocumentLength + 1)
        await expect(.flowError) { try await application().createDocumentHash(tooLong) }
    }

    static let badDocumentReplies = [
        "", "[]", #"{"hash":"\#(digest)","timestamp":1}"#, #"{"hash":"abcd","timestamp":1,"authToken":"x"}"#,
        #"{"hash":"\#(digest)","timestamp":-1,"authToken":"x"}"#,
        #"{"hash":"\#(digest)","timestamp":4294967296,"authToken":"x"}"#,
        #"{"hash":"\#(digest)","timestamp":1,"authToken":""}"#,
        #"{"hash":"\#(digest)","timestamp":1,"authToken":"a b"}"#,
    ]

    @Test(arguments: badDocumentReplies) func refusesWhatIsNoHash(_ reply: String) async throws {
        transport.on(.post, "/shop/CreateDocumentHash", .json(reply))
        await expect(.responseParseError) { try await application().createDocumentHash([1]) }
    }

    private func signature() async throws -> DVSSignature {
        let (device, user) = try await Device.with(.registered, .trust2025)
        return try await device.mpin.sign(
            documentHash: Array(Self.digest.utf8), as: user, pin: makePin("1234"), timestamp: 1_795_252_300)
    }

    @Test func letsASignatureBeChecked() async throws {
        transport.on(.post, "/shop/login/VerifySignature", .json(#"{"verified":true,"status":"ValidSignature"}"#))
        transport.on(.post, "/shop/CreateDocumentHash", .json(Self.documentReply))
        let data = try await application().createDocumentHash([])
        let signature = try await signature()
        #expect(try await application().verifySignature(signature, of: data) == .valid)
        let body = try #require(transport.requests.last?.body.map(text))
        let documentData = #"{"hash":"\#(Self.digest)","authToken":"canary+token/==","timestamp":"1795252300"}"#
        #expect(
            body == "verificationData=" + PercentEncoding.text(signature.json) + "&documentData="
                + PercentEncoding.text(documentData))
    }

    static let signatureReplies: [(String, SignatureVerdict?)] =
        SignatureVerdict.allCases.map { (#"{"verified":\#($0 == .valid),"status":"\#($0.rawValue)"}"#, $0) } + [
            (#"{"verified":true}"#, .valid), (#"{"verified":false,"status":"Later"}"#, .invalid),
            (#"{"verified":true,"status":"BadPin"}"#, nil), (#"{"verified":true,"status":"Later"}"#, nil),
            (#"{"verified":false,"status":"ValidSignature"}"#, nil), (#"{"status":"ValidSignature"}"#, nil),
            (#"{"verified":"true"}"#, nil), ("", nil),
        ]

    @Test(arguments: signatureReplies) func readsAVerdict(_ reply: String, _ verdict: SignatureVerdict?) async throws {
        transport.on(.post, "/shop/VerifySignature", .json(reply))
        let data = DocumentData(hash: Self.digest, timestamp: 1, authToken: code)
        let signature = try await signature()
        guard let verdict else {
            await expect(.responseParseError) { try await application().verifySignature(signature, of: data) }
            return
        }
        #expect(try await application().verifySignature(signature, of: data) == verdict)
    }

    /// Replies with flipped, dropped and inserted bytes give an answer or a clear error, and no secret in the log.
    @Test func survivesDamagedReplies() async throws {
        let seed: UInt64 = 0xA991
        var random = SplitMix64(seed: seed)
        let signature = try await signature()
        let data = DocumentData(hash: Self.digest, timestamp: 1, authToken: code)
        let replies = [
            #"{"authorizeURL":"https://rps.test/authorize?client_id=x&state=1"}"#, Self.documentReply,
            #"{"verified":true,"status":"ValidSignature"}"#, "Another user canary-authz-code logged in",
        ]
        let application = try application()
        for round in 0..<2000 {
            var reply = Array(replies[round % 4].utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<reply.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: reply[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: reply.insert(.random(in: 0...255, using: &random), at: place)
                default: if reply.count > 1 { reply.remove(at: place) }
                }
            }
            let status = round % 4 == 3 ? 401 : 200
            let response = HTTPResponse(status: status, body: SecretBytes(copying: reply))
            transport.on(.post, "/shop/*", .reply(response))
            do {
                switch round % 4 {
                case 0: _ = try await application.authorizationURL()
                case 1: _ = try await application.createDocumentHash([])
                case 2: _ = try await application.verifySignature(signature, of: data)
                default: try await application.submit(authorizationCode: code, userID: "alice@example.com")
                }
                #expect(round % 4 != 3, "seed \(seed), round \(round)")
            } catch {
                let expected: Status = round % 4 == 3 ? .identityNotAuthorized : .responseParseError
                // A damaged address may be another host's, which is refused before any request.
                var leadsAway = false
                if round % 4 == 0, case .untrustedHost = error.kind { leadsAway = true }
                #expect(error.status == (leadsAway ? .untrustedDomainError : expected), "seed \(seed), round \(round)")
                #expect(!"\(error)".contains("canary-authz-code"), "seed \(seed), round \(round)")
                #expect("\(error)".unicodeScalars.count < 400, "seed \(seed), round \(round)")
            }
        }
        #expect(!log.text.contains("canary"))
    }
}
