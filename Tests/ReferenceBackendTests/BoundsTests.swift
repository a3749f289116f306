// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import NIOPosix
import SeededRandomness
import Testing

@testable import ReferenceBackend

/// What the bounds against strangers are made of.
@Suite struct BoundsTests {
    private let start = WallTime(seconds: 1_800_000_000)

    private func address(_ number: Int) -> ClientAddress { ClientAddress("192.0.2.\(number)") ?? .unknown }

    @Test func anAddressIsAnIPv4AddressOrTheNetworkOfAHousehold() throws {
        #expect(ClientAddress("192.0.2.1") != ClientAddress("192.0.2.2"))
        #expect(ClientAddress("::ffff:192.0.2.1") == ClientAddress("192.0.2.1"))
        #expect(ClientAddress("2001:db8:0:1::1") == ClientAddress("2001:db8:0:1:ffff::2"))
        #expect(ClientAddress("2001:db8:0:1::1") != ClientAddress("2001:db8:0:2::1"))
        #expect(ClientAddress(try SocketAddress(ipAddress: "192.0.2.1", port: 80)) == ClientAddress("192.0.2.1"))
        for text in ["", "x", "192.0.2", "192.0.2.1:80", "localhost", "[::1]"] { #expect(ClientAddress(text) == nil) }
        let known = try #require(ClientAddress("192.0.2.1"))
        #expect(ClientAddress(header: known.key) == known)
    }

    @Test func guessesAreCountedByAddressAndInAll() async throws {
        let budget = GuessBudget(
            "guesses", perAddress: 3, inTotal: 7, period: .seconds(60), in: MemoryTables())
        func admits(_ number: Int, at seconds: Int) async throws -> Bool {
            try await budget.admits(address(number), now: start + .seconds(seconds))
        }
        func count(_ number: Int, at seconds: Int) async throws {
            try await budget.count(from: address(number), now: start + .seconds(seconds))
        }
        for guess in 0..<3 {
            #expect(try await admits(1, at: guess))
            try await count(1, at: guess)
        }
        #expect(try await admits(1, at: 3) == false)
        #expect(try await budget.end(for: address(1), now: start + .seconds(3)) == start + .seconds(60))
        for other in 2...5 { try await count(other, at: 4) }
        // When all is spent each address has one, and who has guessed nothing does not notice.
        #expect(try await admits(2, at: 5) == false)
        #expect(try await admits(9, at: 5))
        try await count(9, at: 5)
        #expect(try await admits(9, at: 6) == false)
        #expect(try await admits(1, at: 60))
        #expect(try await admits(2, at: 64))
    }

    /// In a full listener the oldest connection goes that waits for no answer, of the address that has most.
    @Test func aFullListenerMakesRoom() throws {
        let bounds = ConnectionBounds(perAddress: 4, maximum: 8)
        func open(from number: Int, isProxy: Bool = false) throws -> EmbeddedChannel? {
            let channel = EmbeddedChannel()
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            return bounds.open(channel, from: address(number), isProxy: isProxy) ? channel : nil
        }
        func opened(_ count: Int, from number: Int, isProxy: Bool = false) throws -> [EmbeddedChannel] {
            try (0..<count).compactMap { _ in try open(from: number, isProxy: isProxy) }
        }
        let greedy = try opened(6, from: 1)
        let proxied = try opened(2, from: 2, isProxy: true)
        let modest = try opened(2, from: 3)
        #expect(greedy.count == 4 && proxied.count == 2 && modest.count == 2)
        bounds.setAnswering(greedy[0], true)
        let newcomers = try opened(3, from: 4)
        #expect(newcomers.count == 3)
        // The one that is being answered stays, and when all have as many the oldest goes.
        #expect(greedy.map(\.isActive) == [true, false, false, false])
        #expect((newcomers + modest).map(\.isActive) == Array(repeating: true, count: 5))
        for channel in greedy + modest + newcomers { bounds.setAnswering(channel, true) }
        #expect(try open(from: 5) == nil)
        #expect(proxied.map(\.isActive) == [true, true])
        bounds.close(newcomers[0])
        #expect(try open(from: 5) != nil)
    }

    /// Half requests from one address: what is over the bound ends at once, and others are answered.
    @Test func halfRequestsOfOneAddressLeaveRoom() async throws {
        try await withBackend(configure: { $0.connectionsPerAddress = 4 }) { backend in
            let port = backend.addresses.publicPort
            func open() async throws -> (channel: any Channel, isKept: Bool) {
                try await Self.openWithHalfARequest(from: "127.0.0.2", port: port)
            }
            var kept: [any Channel] = []
            for _ in 0..<12 {
                let (channel, isKept) = try await open()
                if isKept { kept.append(channel) }
            }
            #expect(kept.count == 4)
            #expect(try await backend.client.get("/status").status == 200)
            try await kept.removeFirst().close()
            // The server hears of it a moment later.
            var last = try await open()
            while !last.isKept { last = try await open() }
            for channel in kept + [last.channel] { try await channel.close() }
        }
    }

    /// - Returns: whether the server answers the request before the half one.
    private static func openWithHalfARequest(
        from address: String, port: Int
    ) async throws -> (channel: any Channel, isKept: Bool) {
        let isKept = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: Bool.self)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(to: SocketAddress(ipAddress: address, port: 0))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(FirstSign(isAnswered: isKept))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        let request = "GET /status HTTP/1.1\r\nHost: a\r\n\r\nGET /status HTTP/1.1\r\nHo"
        // One that has ended already takes nothing.
        try? await channel.writeAndFlush(ByteBuffer(string: request))
        return (channel, try await isKept.futureResult.get())
    }

    /// Tells whether something was answered before the connection ended.
    private final class FirstSign: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let isAnswered: EventLoopPromise<Bool>

        init(isAnswered: EventLoopPromise<Bool>) { self.isAnswered = isAnswered }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { isAnswered.succeed(true) }

        func channelInactive(context: ChannelHandlerContext) { isAnswered.succeed(false) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    /// The tries belong to the code: another one's address does not use them up, and they end with it.
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
        // The user waits for no code: nothing is counted.
        for _ in 0..<10 { #expect(try await take(wrong, from: 1, at: start) == nil) }
        try await insert(1, code, at: start)
        for _ in 0..<10 { #expect(try await take(wrong, from: 2, at: start) == nil) }
        #expect(try await take(code, from: 2, at: start) == nil)
        // Many addresses together have a bound; the one that asked has its own.
        for number in 3...40 { for _ in 0..<5 { #expect(try await take(wrong, from: number, at: start) == nil) } }
        #expect(try await take(code, from: 50, at: start) == nil)
        for _ in 0..<4 { #expect(try await take(wrong, from: 1, at: start) == nil) }
        #expect(try await take(code, from: 1, at: start) == 1)
        #expect(try await take(code, from: 1, at: start) == nil)
        // A new code has new tries, and its own end.
        let later = start + .seconds(10)
        try await insert(2, UserCode(userID: "alice", code: "222222"), at: later)
        try await insert(3, UserCode(userID: "alice", code: "333333"), at: later + .seconds(100))
        #expect(try await take(UserCode(userID: "alice", code: "222222"), from: 2, at: later + .seconds(300)) == nil)
        #expect(try await take(UserCode(userID: "alice", code: "333333"), from: 2, at: later + .seconds(300)) == 3)
    }

    @Test func theCodesOfASessionBelongTogetherAndNothingElseIsOne() throws {
        let codes = try SessionCodes()
        let end = start + .seconds(305)
        let pair = try codes.makePair(expires: end)
        #expect(codes.expiry(of: pair.accessCode) == end && codes.accessCode(of: pair.webOTT) == pair.accessCode)
        #expect(codes.expiry(of: pair.webOTT.hex) == nil)
        #expect(codes.accessCode(of: try #require(OneTimeToken(pair.accessCode))) == nil)
        #expect(
            codes.expiry(of: pair.accessCode.uppercased()) == nil || pair.accessCode == pair.accessCode.uppercased())
        #expect(try SessionCodes().expiry(of: pair.accessCode) == nil)
        let seed: UInt64 = 0xc0de5
        var generator = SplitMix64(seed: seed)
        for _ in 0..<2000 {
            var bytes = try #require(Hexadecimal.bytes(pair.accessCode))
            bytes[Int.random(in: 0..<16, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
            #expect(codes.expiry(of: Hexadecimal.text(bytes)) == nil, "seed \(seed)")
        }
        for text in ["", "0", "1234567", String(repeating: "0", count: 32)] { #expect(codes.expiry(of: text) == nil) }
    }

    @Test func aSessionThatEndedStaysEnded() async throws {
        let sessions = try CodedSessions("sessions", fresh: 0, in: MemoryTables())
        let end = start + .seconds(60)
        let code = try sessions.open(until: end).accessCode
        #expect(try await sessions.value(for: code, now: start) == 0)
        #expect(try await sessions.update(code, now: start) { $0 += 1 } != nil)
        func add(_ value: inout Int) -> Bool {
            value += 1
            return true
        }
        #expect(try await sessions.report(to: code, now: start, add))
        #expect(try await sessions.value(for: code, now: start) == 2)
        try await sessions.remove(code, now: start)
        #expect(try await sessions.update(code, now: start) { $0 += 1 } == nil)
        #expect(try await !sessions.report(to: code, now: start, add))
        #expect(try await sessions.value(for: code, now: start) == nil)
        let later = try sessions.open(until: end).accessCode
        #expect(try await sessions.value(for: later, now: end) == nil)
    }

    @Test func aSealedCookieIsReadOnlyAsItWasMade() throws {
        let seal = try VisitSeal()
        let attempt = LoginAttempt(webOTT: "w", qrText: "https://a#b", expires: start + .seconds(1))
        let cookie = try attempt.cookie(seal)
        #expect(LoginAttempt(cookie, seal, now: start)?.qrText == "https://a#b")
        #expect(LoginAttempt(cookie, seal, now: start + .seconds(1)) == nil)
        #expect(LoginAttempt(cookie, try VisitSeal(), now: start) == nil)
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
