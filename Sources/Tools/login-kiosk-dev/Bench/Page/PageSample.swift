// SPDX-License-Identifier: Apache-2.0

import LoginValues
import Synchronization

/// One login at a page. Times are nanoseconds.
struct PageSample {
    static let count = 31
    /// Longer than a question needs to be held: people take seconds.
    private static let pause = Duration.milliseconds(100)

    /// One request for almost nothing and its reply, on the page's connection.
    var roundTrip: Double
    /// From the code's scan until the page says that the kiosk has read it.
    var reading: Double
    /// From the last digit to the outcome at the kiosk.
    var outcome: Double
    /// From the last digit until the page greets the person.
    var greeting: Double

    static func take(_ client: EnrolledClient, _ page: SwarmPage, _ user: String) async throws -> PageSample {
        guard let code = await page.open() else { throw BenchmarkError.program("the page shows no code") }
        let began = ContinuousClock.now
        guard await page.ping() else { throw BenchmarkError.program("the backend does not answer") }
        let pinged = ContinuousClock.now

        let read = Mutex<ContinuousClock.Instant?>(nil)
        // Without the page's own pace: a person takes longer than that for each step.
        async let greeting = page.watch(pace: .zero) { state in
            if state.state != "new" { read.withLock { $0 = $0 ?? .now } }
        }
        try await Task.sleep(for: pause)
        let scanned = ContinuousClock.now
        try await client.startLogin(code)
        try await Task.sleep(for: pause)
        guard let read = read.withLock({ $0 }) else {
            throw BenchmarkError.program("the page does not hear that its code was read")
        }
        let typed = ContinuousClock.now
        try await client.finishLogin(code)
        let told = ContinuousClock.now
        guard let greeting = await greeting, greeting.user == user else { throw BenchmarkError.wrongResult("page") }
        return PageSample(
            roundTrip: (pinged - began) / .nanoseconds(1), reading: (read - scanned) / .nanoseconds(1),
            outcome: (told - typed) / .nanoseconds(1), greeting: (greeting.at - typed) / .nanoseconds(1))
    }

    static func measurements(_ samples: [PageSample]) -> [Measurement] {
        [
            ("scan to page", \PageSample.reading), ("last digit to outcome", \.outcome),
            ("last digit to greeting", \.greeting),
        ]
        .map { name, time in
            Measurement(
                "page, \(name)", samples.map { $0[keyPath: time] }, reference: "bare round trip",
                samples.map(\.roundTrip))
        }
    }
}
