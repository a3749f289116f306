// SPDX-License-Identifier: Apache-2.0

import Testing

/// How a script hears of each verdict that a server has about a login.
@Suite(.oneACore) struct VerdictExitTests {
    @Test func everyVerdictHasItsExitCode() async throws {
        let kiosk = try await EnrolledKiosk()
        let verdicts: [(verdict: Int, exitCode: Int32, outcome: String)] = [
            (401, 80, "wrongPIN"), (403, 77, "notAuthorized"), (408, 86, "browserTimedOut"),
            (409, 87, "secretExpired"), (410, 81, "blocked"), (412, 83, "sessionExpired"),
        ]
        for (verdict, exitCode, outcome) in verdicts {
            kiosk.server.tell(
                LyingServer.Lie(endpoint: .authenticate) { _, _ in WireMessage.reply("\(verdict) X", "").bytes })
            let run = try await kiosk.logIn(try kiosk.accessCode())
            #expect(run.status == exitCode && run.outcome == outcome, "\(verdict): \(run)")
        }
        // A line that is no PIN is another thing than none.
        for (line, exitCode, outcome) in [("258", 65, "pinLength"), ("25x3", 65, "pinLength"), ("", 84, "declined")] {
            let run = try await kiosk.logIn(try kiosk.accessCode(), pin: line)
            #expect(run.status == exitCode && run.outcome == outcome, "\(line): \(run)")
        }
    }
}
