// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import GRDB
import KioskTestKit
import Patience
import ServiceLifecycle
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import OperatorPage
@testable import ReferenceBackend

@Suite struct LoginTallyTests {
    private let clock = ManualWallClock()

    private func sum(_ storage: BackendDatabase) async throws -> LoginCounts {
        try await storage.activity(now: clock.now).quarters.values.reduce(LoginCounts(), +)
    }

    private func running(_ tally: LoginTally, _ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withService(tally, body)
    }

    private static func report(_ verdicts: [CheckedProof.Verdict], _ kind: CheckedProof.Kind, to tally: LoginTally) {
        for verdict in verdicts { tally.checked(CheckedProof(kind, verdict, of: nil)) }
    }

    /// Recent counts go to the storage when the backend ends.
    @Test func handsOverAtTheEnd() async throws {
        let state = TemporaryFolder()
        let storage = try BackendDatabase(state: StateDirectory(path: state.path))
        let tally = LoginTally(
            storage: storage, clock: clock, period: .seconds(3600), then: nil, logger: LogCapture().logger)
        try await running(tally) {
            Self.report([.right, .right, .wrongPIN, .blocked, .unknown], .login, to: tally)
            // Signatures are no logins.
            Self.report([.right, .wrongPIN], .signature, to: tally)
            let early = try await sum(storage)
            #expect(early.isZero)
        }
        #expect(try await sum(storage) == LoginCounts(right: 2, wrongPIN: 1, blocked: 1, unknown: 1))
    }

    /// A storage that fails for a while gets each login once.
    @Test func losesNothingWhileTheStorageFails() async throws {
        let state = TemporaryFolder()
        let storage = try BackendDatabase(state: StateDirectory(path: state.path))
        try await storage.write { try $0.execute(sql: "ALTER TABLE tally RENAME TO elsewhere") }
        let log = LogCapture()
        let tally = LoginTally(
            storage: storage, clock: clock, period: .milliseconds(1), then: nil, logger: log.logger)
        try await running(tally) {
            Self.report([.right, .wrongPIN], .login, to: tally)
            try await Patience.until { log.text.contains("not counted") }
            Self.report([.right], .login, to: tally)
            try await storage.write { try $0.execute(sql: "ALTER TABLE elsewhere RENAME TO tally") }
            try await Patience.until { try await sum(storage) == LoginCounts(right: 2, wrongPIN: 1) }
        }
        #expect(try await sum(storage) == LoginCounts(right: 2, wrongPIN: 1))
    }
}
