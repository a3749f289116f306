// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import HTTPTypes
import KioskPorts
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// A session's name lifts the kiosk's hold only if an application that proved itself gave it. The rows are those of
/// the threat model's table.
@Suite(.timeLimit(.minutes(10))) struct SessionNameTests {
    private static let alice = "alice@example.com"
    private static let hash = String(repeating: "ab", count: 32)

    /// A request with which a stranger tries to name a person.
    enum Way: String, CaseIterable {
        case getQrUrl, session, dvsSession, authorize, codeStatus

        func isThere(in dialect: Dialect) -> Bool {
            switch self {
            case .getQrUrl: dialect.isClassic
            case .session, .dvsSession: !dialect.isClassic
            case .authorize: dialect == .mfaV1 || !dialect.isClassic
            case .codeStatus: true
            }
        }
    }

    private static var company: HTTPFields {
        var fields = HTTPFields()
        if let name = HTTPField.Name("X-MIRACL-CID") { fields[name] = "our-company" }
        return fields
    }

    /// - Returns: the access code of the named session.
    private static func name(
        _ way: Way, at client: OwnClient, headers: HTTPFields = company
    ) async throws -> String {
        let http = client.backend.client
        let prefix = client.dialect.isClassic ? "/rps" : "/rps/v2"
        let reply: Reply
        switch way {
        case .getQrUrl:
            reply = try await http.post(
                "/rps/getQrUrl", ["prerollId": .string(alice), "userId": .string(alice)], headers: headers)
        case .session:
            reply = try await http.post(
                "/rps/v2/session", ["projectId": .string(client.companyID), "userId": .string(alice)],
                headers: headers)
        case .dvsSession:
            reply = try await http.post(
                "/dvs/session",
                ["projectID": .string(client.companyID), "userID": .string(alice), "hash": .string(hash)],
                headers: headers)
        case .authorize:
            reply = try await http.post(
                "/authorize?response_type=code&client_id=our-company", ["prerollId": .string(alice)],
                headers: headers)
        case .codeStatus:
            let code = try await client.session()
            let text = code.qrText(at: client.backend)
            let access = try #require(text.split(separator: "#").last.map(String.init))
            let named = try await http.post(
                prefix + "/codeStatus", ["status": "user", "wid": .string(access), "userId": .string(alice)],
                headers: headers)
            #expect(named.status == 200)
            return access
        }
        try #require(reply.status == 200, "\(way): \(reply.text)")
        let text = try #require(reply.object.string("qrUrl") ?? reply.object.string("qrURL"))
        return try #require(text.split(separator: "#").last.map(String.init))
    }

    /// The server calls no stranger's name verified, and each relying party's.
    @Test(arguments: Dialect.allCases) func onlyARelyingPartyVerifies(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            let prefix = client.dialect.isClassic ? "/rps" : "/rps/v2"
            func details(of code: String) async throws -> [JSONObject] {
                let scanned = try await client.backend.client.post(
                    prefix + "/codeStatus", ["status": "wid", "wid": .string(code)], headers: Self.company)
                guard !dialect.isClassic else { return [scanned.object] }
                let signing = try await client.backend.client.post("/dvs/session/details", ["id": .string(code)])
                return [scanned.object, signing.object]
            }
            for way in Way.allCases where way.isThere(in: dialect) {
                let code = try await Self.name(way, at: client)
                for object in try await details(of: code) {
                    #expect(object.members["userVerified"] == nil, "\(way)")
                }
                guard way == .session || way == .dvsSession else { continue }
                let proved = try await Self.name(way, at: client, headers: client.backend.relyingPartyFields)
                let object = try #require(try await details(of: proved).first)
                #expect(object.members["userVerified"] == true && object.string("prerollId") == Self.alice)
            }
        }
    }

    @Test func wrongCredentialsAreRefused() async throws {
        try await withClient(.trust2025) { client in
            for path in ["/rps/v2/session", "/dvs/session"] {
                let reply = try await client.backend.client.post(
                    path, ["projectId": .string(client.companyID), "userId": .string(Self.alice)],
                    headers: [.authorization: "Basic " + Base64.text(Array("a:b".utf8))])
                #expect(reply.status == 401)
            }
        }
    }

    /// The inputs of the kiosk's decision whether only a key named the person.
    enum Input: CaseIterable { case nobody, stranger, application, card }

    private static func code(_ input: Input, at client: OwnClient) async throws -> String {
        switch input {
        case .nobody, .card: return try await client.session().qrText(at: client.backend)
        case .stranger:
            return client.backend.url + "#"
                + (try await name(client.dialect.isClassic ? .getQrUrl : .session, at: client))
        case .application:
            return client.backend.url + "#"
                + (try await name(.session, at: client, headers: client.backend.relyingPartyFields))
        }
    }

    /// Two wrong PINs in two sessions. Then an unverified person is not asked any more, and a named one is.
    @Test(arguments: Dialect.allCases, Input.allCases)
    func whoMayTypeAThirdPIN(_ dialect: Dialect, _ input: Input) async throws {
        // No application names anybody in the classic dialects.
        guard input != .application || !dialect.isClassic else { return }
        try await withClient(dialect) { client in
            let user = try await client.register()
            let device = input == .card ? try await client.anotherDevice() : client
            let isUnverified = input == .nobody || input == .stranger
            try await KioskPerson(device, fleet: .shared, clock: ManualClock()).run { person in
                for number in 1...3 {
                    client.backend.clock.letDelaysPass()
                    try await person.screen.view(at: .scan)
                    // Another card each time: one that stays in view begins nothing.
                    if input == .card { try await person.show(card: try await client.card(of: user)) }
                    person.scanner.show(try await Self.code(input, at: client))
                    try await person.screen.view(at: .consent)
                    let shown = isUnverified ? "a…@example.com" : Self.alice
                    #expect(person.screen.views.last?.lines.contains(Prompt(.consentUser, [.user: shown])) == true)
                    person.keypad.press(.enter)
                    guard number < 3 else {
                        try await person.screen.view { $0.stage == .pin || $0.title == Prompt(.triesUsed) }
                        #expect((person.screen.views.last?.stage == .pin) == !isUnverified)
                        return
                    }
                    try await person.typePIN("9999")
                    try await person.screen.view { $0.stage == .wrongPIN || $0.stage == .outcome }
                    if person.screen.views.last?.stage == .wrongPIN { person.keypad.press(.back) }
                    try await person.screen.view(at: .outcome)
                    person.keypad.press(.enter)
                }
            }
        }
    }
}
