// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import KioskTestKit
import LoginValues
import ScannerLink

/// A running link, and its reports.
struct RunningLink: ~Copyable {
    let link: ScannerProcess
    private var reports: AsyncStream<SymbolSourceReport>.Iterator

    private init(_ link: ScannerProcess) {
        self.link = link
        reports = link.reports().makeAsyncIterator()
    }

    /// The program, in the same folder as the tests.
    static var scanner: String {
        get throws {
            let tests = URL(
                fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            return tests.deletingLastPathComponent().appendingPathComponent("login-kiosk-scanner").path
        }
    }

    /// Runs the link while `body` uses it, then cancels it and waits for its end.
    static func with(
        _ executable: String? = nil, source: String, isPaused: Bool = false,
        clock: some Clock<Duration> = ContinuousClock(), log: LogCapture = LogCapture(),
        _ body: (inout RunningLink) async throws -> Void
    ) async throws {
        let link = ScannerProcess(
            executable: try executable ?? scanner, source: source, clock: clock,
            logger: log.logger)
        if isPaused { await link.pause() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await link.run() }
            var running = RunningLink(link)
            let result: Result<Void, any Error>
            do { result = .success(try await body(&running)) } catch { result = .failure(error) }
            group.cancelAll()
            try await group.waitForAll()
            try result.get()
        }
    }

    /// The next report; nil at the end. Statistics are left out, because they come every second.
    mutating func next() async -> SymbolSourceReport? {
        while let report = await reports.next() {
            if case .statistics = report { continue }
            return report
        }
        return nil
    }

    /// Reads until the scanner works.
    ///
    /// - Returns: the earlier reports.
    mutating func untilAvailable() async -> [SymbolSourceReport] {
        var before: [SymbolSourceReport] = []
        while let report = await next() {
            if case .available = report { break }
            before.append(report)
        }
        return before
    }

    /// Reads until pictures are missing.
    ///
    /// - Returns: the reason; nil when the reports ended.
    mutating func untilUnavailable() async -> String? {
        while let report = await next() {
            if case .unavailable(let trouble) = report { return trouble.reason }
        }
        return nil
    }

    /// Reads until there is a symbol.
    mutating func symbol() async -> SecretBytes? {
        while let report = await next() {
            if case .symbol(let symbol) = report { return symbol.payload }
        }
        return nil
    }
}
