// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import GRDB
import KioskTestKit
import Patience
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// Nothing in pass 2 depends on the PIN, because it is verified only when it counts.
@Suite struct PassTwoWorkTests {
    /// The work for one answer.
    private struct Work: Equatable {
        var verifications: [UInt32?]
        var log: [String]
        var replySize: Int
        /// SQLite's counter of other connections' writes.
        var dataVersion: Int
    }

    /// Twenty minutes after midnight, when the permits of two days count.
    @Test(arguments: Dialect.allCases)
    func isTheSameForEveryPIN(_ dialect: Dialect) async throws {
        let asked = CountingVerifier.Asked()
        let clock = ManualWallClock("2026-11-21T00:20:00Z")
        try await withBackend(
            clock: clock, verifier: { CountingVerifier($0, telling: asked) },
            options: ["--company-id", Device.companyID]
        ) { backend in
            let endpoint = try backend.identified(as: Device.companyID).below("/" + dialect.rawValue)
            let device = try await Device.registered(dialect, at: endpoint)
            let database = try DatabaseQueue(path: endpoint.state.path + "/backend.sqlite")
            func work(_ body: () async throws -> Int) async throws -> Work {
                let (lines, version) = (Self.lines(endpoint.log), try await Self.version(database))
                _ = asked.take()
                let size = try await body()
                return Work(
                    verifications: asked.take(), log: Array(Self.lines(endpoint.log).dropFirst(lines.count)),
                    replySize: size, dataVersion: try await Self.version(database) - version)
            }
            var passes: [Work] = []
            var verdicts: [[UInt32?]] = []
            for (pin, status) in [("1234", 200), ("9999", 401), ("1234", 200), ("9998", 401)] {
                let passTwo = try await device.passTwo(pin: pin)
                var reply: Reply?
                passes.append(
                    try await work {
                        let second = try await device.sendPassTwo(passTwo)
                        reply = second
                        return second.body.count
                    })
                let last = try #require(reply)
                _ = asked.take()
                #expect(try await device.handIn(device.lastBody(last)).status == status)
                verdicts.append(asked.take())
                clock.letDelaysPass()
            }
            // Nothing is verified or written, and the log is the same.
            let first = try #require(passes.first)
            #expect(first.verifications.isEmpty && first.dataVersion == 0 && !first.log.isEmpty)
            for pass in passes { #expect(pass == first) }
            // The verification checks every day, whichever fits.
            let days: [UInt32?] = dialect.usesTimePermits ? [20778, 20777] : [nil]
            #expect(verdicts == Array(repeating: days, count: 4))
        }
    }

    /// The log's lines without the order of details. Connections close at any time, so those lines are left out.
    private static func lines(_ log: LogCapture) -> [String] {
        log.text.split(separator: "\n").filter { !$0.hasPrefix("trace") }.map { String($0.sorted()) }
    }

    private static func version(_ database: DatabaseQueue) async throws -> Int {
        try await database.read { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    }
}
