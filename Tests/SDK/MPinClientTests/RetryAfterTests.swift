// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import Patience
import Synchronization
import Testing

@testable import MPinClient

/// A busy server says so, and for how long.
@Suite struct RetryAfterTests {
    private static func busy(_ status: Int = 503, _ headers: [(String, String)]) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: headers.map { HTTPHeader($0.0, $0.1) }, body: SecretBytes(copying: []))
    }

    // MARK: The header

    private static func wait(_ headers: (String, String)..., status: Int = 503) -> Duration? {
        // 1994-11-06 08:49:00.
        RetryAfter.wait(busy(status, headers)) { 784_111_740 }
    }

    @Test func isReadInEachForm() {
        #expect(Self.wait(("Retry-After", "7")) == .seconds(7))
        #expect(Self.wait(("retry-after", " 120\t"), status: 429) == .seconds(120))
        // The three forms of a date, each 37 s later.
        for date in [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ] {
            #expect(Self.wait(("Retry-After", date)) == .seconds(37), "\(date)")
        }
        // The server's own clock counts if it is sent, however wrong a clock is.
        #expect(
            Self.wait(("Date", "Sun, 06 Nov 2044 08:49:30 GMT"), ("Retry-After", "Sun, 06 Nov 2044 08:49:37 GMT"))
                == .seconds(7))
        // There is always a pause.
        #expect(Self.wait(("Retry-After", "0")) == .seconds(1))
        #expect(Self.wait(("Retry-After", "Sun, 06 Nov 1994 08:48:37 GMT")) == .seconds(1))
        #expect(Self.wait(("Retry-After", "5"), ("Retry-After", "5")) == .seconds(5))
    }

    @Test func isNothingElse() {
        for text in [
            "", "-1", "+1", "1.5", "7 s", "0x7", "1234567890", "soon", "Sun, 06 Nov 1994 08:49:37", "٧",
            "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nox 1994 08:49:37 GMT",
            "Sun, 06 Nov 94 08:49:37 GMT", "1994-11-06T08:49:37Z",
        ] {
            #expect(Self.wait(("Retry-After", text)) == nil, "\(text)")
        }
        #expect(Self.wait(("Retry-After", "5"), ("Retry-After", "6")) == nil)
        #expect(Self.wait(("X-Retry-After", "5")) == nil)
        for status in [200, 202, 301, 401, 410, 500, 502] {
            #expect(Self.wait(("Retry-After", "5"), status: status) == nil)
        }
    }

    /// Pieces of dates and numbers in any order give a wait of at least a second, or none.
    @Test func survivesAnything() {
        var generator = SplitMix64(seed: 0x5EED)
        let pieces = [
            "Sun", ",", " ", "06", "Nov", "1994", "-", "94", "08:49:37", "GMT", "9999999999", "0", ":", "\t", "é", "99",
            "Sunday", "  6", "\u{0}", "Z", "T", "+", "١",
        ]
        var read = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
            let date = pieces.shuffled(using: &generator).prefix(6).joined(separator: " ")
            guard let wait = Self.wait(("Retry-After", text), ("Date", date)) else { continue }
            read += 1
            #expect(wait >= .seconds(1), "\(text)")
        }
        #expect(read > 0)
    }

    // MARK: The wait

    /// Every request of the client, even the non-idempotent ones, because the server did nothing with it.
    @Test(arguments: Endpoint.allCases, [429, 503])
    func isHonoured(_ endpoint: Endpoint, _ status: Int) async throws {
        let stage = try await Stage(endpoint)
        stage.transport.onNext(
            endpoint.method, endpoint.path, .reply(Self.busy(status, [("Retry-After", "7")])))
        let waits = Waits()
        async let failure = waits.noting { try await stage.callFails() }
        await stage.device.clock.waitForSleepers()
        stage.device.clock.advance(by: .seconds(7))
        let error = try await failure
        #expect(error == nil, "\(String(describing: error))")
        #expect(waits.all == [.seconds(7), nil])
    }

    /// The client does not wait beyond the limit: it reports the server's refusal, and the outcome is known.
    @Test func endsWithTheServersWordWhenItIsTooLong() async throws {
        for (endpoint, seconds) in [(Endpoint.pass1, 31), (.pass2, 11), (.browserSession, 1_000_000)] {
            let stage = try await Stage(endpoint)
            stage.on(.reply(Self.busy(429, [("Retry-After", "\(seconds)")])))
            let error = try await stage.callFails()
            #expect(error?.status == .httpRequestError && error?.httpStatus == 429)
            #expect(error?.outcomeIsUnknown == false)
            #expect(stage.transport.requests.count { $0.url.path == endpoint.path } == 1)
        }
    }

    @Test func endsWhenTheServerStaysBusy() async throws {
        let stage = try await Stage(.pass1)
        stage.transport.on(.post, "/rps/pass1", .reply(Self.busy(503, [("Retry-After", "10")])))
        async let failure = stage.callFails()
        for _ in 0..<3 {
            await stage.device.clock.waitForSleepers()
            stage.device.clock.advance(by: .seconds(10))
        }
        #expect(try await failure?.status == .httpServerError)
        #expect(stage.transport.requests.count { $0.url.path == "/rps/pass1" } == 4)
    }

    @Test func endsWhenThePersonGoes() async throws {
        let stage = try await Stage(.pass2)
        stage.transport.on(.post, "/rps/pass2", .reply(Self.busy(503, [("Retry-After", "9")])))
        let waits = Waits()
        let login = Task { try await waits.noting { try await stage.callFails() } }
        await stage.device.clock.waitForSleepers()
        login.cancel()
        let error = try await login.value
        #expect(error?.status == .networkError && error?.outcomeIsUnknown == false)
        #expect(waits.all == [.seconds(9), nil])
    }
}

/// The waits that the SDK reports.
private final class Waits: Sendable {
    private let waits = Mutex<[Duration?]>([])

    var all: [Duration?] { waits.withLock { $0 } }

    func noting<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        try await BusyServer.$observer.withValue(BusyServer { wait in self.waits.withLock { $0.append(wait) } }) {
            try await body()
        }
    }
}
