// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import KioskTestKit
import LinuxSystem
import NIOCore
import Patience
import Testing

@testable import BackendHTTP
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The parts of the bounds against strangers.
@Suite struct BoundsTests {
    private let start = WallTime(seconds: 1_800_000_000)
    private let state = TemporaryFolder()

    private func address(_ number: Int) -> ClientAddress { ClientAddress("192.0.2.\(number)") ?? .unknown }

    @Test func anAddressIsAnIPv4AddressOrTheNetworkOfAHousehold() throws {
        #expect(ClientAddress("192.0.2.1") != ClientAddress("192.0.2.2"))
        #expect(ClientAddress("::ffff:192.0.2.1") == ClientAddress("192.0.2.1"))
        #expect(ClientAddress("2001:db8:0:1::1") == ClientAddress("2001:db8:0:1:ffff::2"))
        #expect(ClientAddress("2001:db8:0:1::1") != ClientAddress("2001:db8:0:2::1"))
        #expect(ClientAddress(try SocketAddress(ipAddress: "192.0.2.1", port: 80)) == ClientAddress("192.0.2.1"))
        for text in ["", "x", "192.0.2", "192.0.2.1:80", "localhost", "[::1]"] { #expect(ClientAddress(text) == nil) }
    }

    /// A client's address as proxies write it: RFC 7239, sections 4 and 6.
    @Test(
        arguments: [
            (.xForwardedFor, "10.0.0.1, 192.0.2.1"), (.xForwardedFor, "192.0.2.1:8080"),
            (.xForwardedFor, " \"192.0.2.1:8080\" "), (.xForwardedFor, "[::ffff:192.0.2.1]:443"),
            (.xForwardedFor, "[::ffff:192.0.2.1]"), (.xForwardedFor, "::ffff:192.0.2.1"),
            (.forwarded, "for=10.0.0.1, for=192.0.2.1;proto=https"), (.forwarded, "By=unknown; For=\"192.0.2.1:80\""),
            (.forwarded, "for=\"[::ffff:192.0.2.1]:443\""),
        ] as [(ProxyField, String)])
    func aProxyNamesAnAddress(_ field: ProxyField, _ value: String) throws {
        // The other field is the client's.
        let other: ProxyField = field == .forwarded ? .xForwardedFor : .forwarded
        for claim in ["for=192.0.2.9", "192.0.2.9", "unknown", "for=unknown"] {
            let fields = [(other, claim), (field, value)]
            let found = try Self.named(fields, in: field)
            #expect(found.address == address(1) && found.complaints == 0)
        }
    }

    /// Clients without an address share one, which is neither the proxy's own nor at a place, and the operator is told.
    @Test(
        arguments: [
            (.xForwardedFor, "unknown"), (.xForwardedFor, "192.0.2.1:http"), (.xForwardedFor, "[::1"),
            (.xForwardedFor, ""), (.forwarded, "for=_a1"), (.forwarded, "proto=https"),
        ] as [(ProxyField, String)])
    func aProxyThatNamesNoneIsTold(_ field: ProxyField, _ value: String) throws {
        for fields in [[(field, value)], []] {
            let (found, complaints) = try Self.named(fields, in: field)
            #expect(found == ClientAddress(unnamedBehind: address(7)) && found != address(7) && complaints == 1)
            let places = NetworkPlaces(
                [try NetworkPlace("here=192.0.2.0/24")], refusesOthers: false,
                key: SecretBytes([UInt8](repeating: 7, count: 32)))
            #expect(places.mark(of: found) == .unknown)
        }
    }

    /// A proxy asks for itself whether the backend is ready.
    @Test func healthChecksAreNoClients() throws {
        #expect(try Self.named([], in: .xForwardedFor, path: "/readyz").complaints == 0)
    }

    /// One line a minute tells of all such requests.
    @Test func complaintsAreBounded() throws {
        let (clock, log) = (ManualClock(), LogCapture())
        let complaint = ProxyComplaint(Timekeeper(clock))
        func complain(_ times: Int) {
            for _ in 0..<times { complaint.make(about: "unknown", in: .xForwardedFor, log.logger) }
        }
        func lines() -> Int { log.text.split(separator: "names no address").count - 1 }
        complain(3)
        #expect(lines() == 1)
        clock.advance(by: ProxyComplaint.pause)
        complain(5)
        #expect(lines() == 2 && log.text.contains("\"requests\": 3"))
    }

    private static func named(
        _ fields: [(ProxyField, String)], in field: ProxyField, path: String = "/"
    ) throws -> (address: ClientAddress, complaints: Int) {
        var head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: path)
        for (field, value) in fields {
            head.headerFields.append(HTTPField(name: try #require(.init(field.rawValue)), value: value))
        }
        var complaints = 0
        let source = ClientAddressSource(trustedProxies: [try Network("192.0.2.6/31")], field: field)
        let address = source.address(of: head, from: try #require(ClientAddress("192.0.2.7"))) { _ in complaints += 1 }
        return (address, complaints)
    }

    @Test func guessesAreCountedByAddressAndInAll() async throws {
        let budget = GuessBudget(
            "guesses", perAddress: 3, inTotal: 7, period: .seconds(60), in: MemoryTables())
        func takes(_ number: Int, at seconds: Int) async throws -> Bool {
            try await budget.take(from: address(number), now: start + .seconds(seconds)) != nil
        }
        for guess in 0..<3 { #expect(try await takes(1, at: guess)) }
        #expect(try await takes(1, at: 3) == false)
        #expect(try await budget.end(for: address(1), now: start + .seconds(3)) == start + .seconds(60))
        for other in 2...5 { #expect(try await takes(other, at: 4)) }
        // When all guesses are spent each address has one more, so that people who have not guessed are not affected.
        #expect(try await takes(2, at: 5) == false)
        #expect(try await takes(9, at: 5))
        #expect(try await takes(9, at: 6) == false)
        #expect(try await takes(1, at: 60))
        #expect(try await takes(2, at: 64))
    }

    /// A right guess is returned to where it was taken from, even when all are spent.
    @Test func aRightGuessCostsNothing() async throws {
        let budget = GuessBudget("guesses", perAddress: 2, inTotal: 3, period: .seconds(60), in: MemoryTables())
        func take(_ number: Int) async throws -> GuessBudget.Guess? {
            try await budget.take(from: address(number), now: start)
        }
        for _ in 0..<10 { try await budget.giveBack(try #require(try await take(1)), now: start) }
        for other in [1, 1, 2] { #expect(try await take(other) != nil) }
        for _ in 0..<10 { try await budget.giveBack(try #require(try await take(3)), now: start) }
        #expect(try await take(2) == nil)
    }

    /// A hundred at the same moment, at two processes if the storage is shared.
    @Test(arguments: StorageUnderTest.allCases) func ofAHundredGuessesAtOnceTenCount(_ kind: StorageUnderTest)
        async throws
    {
        let (first, second) = try kind.openTwice(in: state)
        let budgets = [first, second].map {
            GuessBudget("guesses", perAddress: 10, inTotal: 25, period: .seconds(60), in: $0.volatile)
        }
        let (address, now) = (address(1), start)
        @Sendable func hundred(from addresses: [ClientAddress]) async throws -> Int {
            try await together(100) { number in
                try await budgets[number % 2].take(from: addresses[number % addresses.count], now: now) != nil
            }.count { $0 }
        }
        #expect(try await hundred(from: [address]) == 10)
        // Four more addresses have fifteen in total, and each without any has one.
        let others = try await hundred(from: (2...5).map { self.address($0) })
        #expect((15...19).contains(others))
    }

    /// Attempts belong to the code: another address does not use them up, and they expire with it.
    @Test func triesBelongToTheCode() async throws {
        let codes = UserCodes<Int>("codes", in: MemoryTables())
        let code = UserCode(userID: "alice", code: "123456")
        let wrong = UserCode(userID: "alice", code: "000000")
        func take(_ code: UserCode, from number: Int, at time: WallTime) async throws -> Int? {
            try await ClientAddress.$current.withValue(address(number)) { try await codes.take(code, now: time) }
        }
        func insert(_ value: Int, _ code: UserCode, at time: WallTime) async throws {
            try await ClientAddress.$current.withValue(address(1)) {
                try await codes.insert(value, for: code, of: .currentNewcomer, expires: time + .seconds(300), now: time)
            }
        }
        // The user has no code, so nothing is counted.
        for _ in 0..<10 { #expect(try await take(wrong, from: 1, at: start) == nil) }
        try await insert(1, code, at: start)
        for _ in 0..<10 { #expect(try await take(wrong, from: 2, at: start) == nil) }
        #expect(try await take(code, from: 2, at: start) == nil)
        // Many addresses together have a bound. The one that asked for the code has its own.
        for number in 3...40 { for _ in 0..<5 { #expect(try await take(wrong, from: number, at: start) == nil) } }
        #expect(try await take(code, from: 50, at: start) == nil)
        for _ in 0..<4 { #expect(try await take(wrong, from: 1, at: start) == nil) }
        #expect(try await take(code, from: 1, at: start) == 1)
        #expect(try await take(code, from: 1, at: start) == nil)
        // A new code has new attempts and its own expiry.
        let later = start + .seconds(10)
        try await insert(2, UserCode(userID: "alice", code: "222222"), at: later)
        try await insert(3, UserCode(userID: "alice", code: "333333"), at: later + .seconds(100))
        #expect(try await take(UserCode(userID: "alice", code: "222222"), from: 2, at: later + .seconds(300)) == nil)
        #expect(try await take(UserCode(userID: "alice", code: "333333"), from: 2, at: later + .seconds(300)) == 3)
    }

    /// A link's long code and the short one beside it, at the same moment at two processes if the storage is shared.
    @Test(arguments: StorageUnderTest.allCases) func ofACodeAndItsLinkOneCounts(_ kind: StorageUnderTest) async throws {
        let (first, second) = try kind.openTwice(in: state)
        let codes = [first, second].map { UserCodes<Int>("codes", in: $0.volatile) }
        for round in 0..<10 {
            let (user, link) = ("user\(round)", try MailLinks.newToken())
            try await codes[0].insert(
                round, for: UserCode(userID: user, code: "12345678"), link: link, of: .currentNewcomer,
                expires: start + .seconds(60), now: start)
            let (typed, scanned) = (UserCode(userID: user, code: "12345678"), UserCode(userID: user, code: link))
            #expect(try await codes[1].shortCode(beside: scanned, now: start) == "12345678")
            let stranger = UserCode(userID: "other", code: link)
            #expect(try await codes[1].take(stranger, now: start) == nil)
            #expect(try await codes[1].take(scanned, now: start + .seconds(60)) == nil)
            async let one = codes[0].take(typed, now: start)
            async let other = codes[1].take(scanned, now: start)
            #expect(try await [one, other].compactMap { $0 } == [round])
            #expect(try await codes[0].shortCode(beside: scanned, now: start) == nil)
        }
    }

    @Test func theCodesOfASessionBelongTogetherAndNothingElseIsOne() throws {
        let codes = try SessionTokens()
        let end = start + .seconds(305)
        let content = SessionTokens.Content(
            expires: end, network: NetworkMark(.place, [1, 2, 255]), isChanging: true)
        let pair = try codes.makePair(content)
        func expiry(_ code: String, _ codes: SessionTokens = codes) -> WallTime? {
            codes.content(of: code, now: start)?.expires
        }
        #expect(codes.content(of: pair.accessCode, now: start) == content)
        #expect(codes.accessCode(of: pair.webOTT) == pair.accessCode)
        #expect(expiry(pair.webOTT.hex) == nil)
        #expect(codes.accessCode(of: try #require(OneTimeToken(pair.accessCode))) == nil)
        #expect(
            expiry(pair.accessCode.uppercased()) == nil || pair.accessCode == pair.accessCode.uppercased())
        #expect(expiry(pair.accessCode, try SessionTokens()) == nil)
        // An expired code is recognised for a while, and no session lasts for days.
        #expect(codes.content(of: pair.accessCode, now: end + .seconds(3599)) == content)
        #expect(codes.content(of: pair.accessCode, now: end + .seconds(3600)) == nil)
        #expect(expiry(try codes.makePair(SessionTokens.Content(expires: start + .seconds(601))).accessCode) == nil)
        let code = try #require(Hexadecimal.bytes(pair.accessCode))
        for bit in 0..<8 * code.count {
            var bytes = code
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(expiry(Hexadecimal.text(bytes)) == nil, "bit \(bit)")
        }
        let seed: UInt64 = 0xc0de5
        var generator = SplitMix64(seed: seed)
        for _ in 0..<2000 {
            var bytes = try #require(Hexadecimal.bytes(pair.accessCode))
            bytes[Int.random(in: 0..<16, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
            #expect(expiry(Hexadecimal.text(bytes)) == nil, "seed \(seed)")
        }
        for text in ["", "0", "1234567", String(repeating: "0", count: 32)] { #expect(expiry(text) == nil) }
    }

    @Test func aSessionThatEndedStaysEnded() async throws {
        let sessions = try LoginSessions(in: MemoryTables())
        let end = start + .seconds(60)
        let code = try await sessions.open(until: end, now: start).accessCode
        @Sendable func prove(_ entry: inout TableEntry<LoginSession>) -> Bool? {
            entry.value.prove("alice") ? true : nil
        }
        #expect(try await sessions.value(for: code, now: start)?.status == .new)
        #expect(try await sessions.report(.named, of: "alice", to: code, now: start)?.userID == "alice")
        #expect(try await sessions.update(code, now: start) { $0.value.end() } == true)
        #expect(try await sessions.update(code, now: start, prove) == nil)
        #expect(try await sessions.report(.scanned, of: "", to: code, now: start) == nil)
        #expect(try await sessions.value(for: code, now: start) == nil)
        let later = try await sessions.open(until: end, now: start).accessCode
        #expect(try await sessions.value(for: later, now: end) == nil)
    }

    @Test func aSealedCookieIsReadOnlyAsItWasMade() throws {
        let seal = try VisitSeal()
        let attempt = LoginAttempt(
            webOTT: "w", qrText: "https://a#b", changes: start, expires: start + .seconds(1), page: try .random())
        let cookie = try attempt.cookie(seal)
        #expect(LoginAttempt(cookie, seal, now: start)?.qrText == "https://a#b")
        #expect(LoginAttempt(cookie, seal, now: start + .seconds(1)) == nil)
        #expect(LoginAttempt(cookie, try VisitSeal(), now: start) == nil)
        let box = try #require(Base64.bytes(urlText: cookie.value))
        for bit in 0..<8 * box.count {
            var bytes = box
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(seal.content(of: BrowserCookie(Base64.urlText(bytes))) == nil, "bit \(bit)")
        }
        let seed: UInt64 = 0x5ea1
        var generator = SplitMix64(seed: seed)
        for _ in 0..<2000 {
            var text = Array(cookie.value.utf8)
            let place = Int.random(in: 0..<text.count - 1, using: &generator)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: text[place] ^= 1 << UInt8.random(in: 0..<7, using: &generator)
            case 1: text.remove(at: place)
            default: text.insert(UInt8.random(in: 0...255, using: &generator), at: place)
            }
            let changed = String(decoding: text, as: UTF8.self)
            #expect(seal.content(of: BrowserCookie(changed)) == nil, "seed \(seed), \(changed)")
        }
    }
}
