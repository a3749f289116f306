// SPDX-License-Identifier: Apache-2.0

import Testing

/// The exit codes for each of a server's verdicts on a login.
@Suite(.fewAtATime) struct VerdictExitTests {
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
        // A line that is no PIN differs from a missing one.
        for line in ["258", "25x3", ""] {
            let run = try await kiosk.logIn(try kiosk.accessCode(), pin: line)
            #expect(run.status == 65 && run.outcome == "pinLength", "\(line): \(run)")
        }
        let missing = try await kiosk.logIn(try kiosk.accessCode(), pin: nil)
        #expect(missing.status == 84 && missing.outcome == "declined", "\(missing)")
    }
}
