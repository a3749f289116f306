// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

@Suite struct TestKitTests {
    @Test func theStoreInMemoryKeepsTheContract() async throws {
        try await checkIdentityStorageContract { InMemoryStorage() }
    }

    @Test func theManualClockWakesSleepersInTime() async throws {
        let clock = ManualClock()
        let short = Task { try await clock.sleep(for: .seconds(1)) }
        let long = Task { try await clock.sleep(for: .seconds(5)) }
        let cancelled = Task { try await clock.sleep(for: .seconds(3)) }
        await clock.waitForSleepers(3)
        clock.advance(by: .seconds(1))
        try await short.value
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        clock.advance(by: .seconds(4))
        try await long.value
        #expect(clock.now.offset == .seconds(5))
        try await clock.sleep(until: clock.now)
    }

    @Test func theFakeTransportMeetsItsDeadlineByTheClock() async throws {
        let clock = ManualClock()
        let transport = FakeTransport(clock: clock)
        transport.on(.get, "/", .silence)
        let request = HTTPRequest(.get, try WebAddress("https://a.test/"))
        let task = Task { try await transport.send(request) }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        let error = await #expect(throws: HTTPTransportError.self) { try await task.value }
        #expect(error?.code == .timedOut && error?.requestMayHaveBeenSent == true)
    }
}
