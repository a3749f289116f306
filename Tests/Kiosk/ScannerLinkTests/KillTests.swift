// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import KioskMachine
import KioskPorts
import LoginValues
import PictureTestKit
import ScannerLink
import Testing

@Suite("A scanner that is killed during a login", .timeLimit(.minutes(5)))
struct KillTests {
    private static let kills = 200

    @Test func aLoginGoesOnAndTheScannerComesBackEveryTime() async throws {
        let folder = try TemporaryFolder.made()
        try folder.write(QRPicture.encode("https://login.example.com/mfa#c0de").png(), to: "1.png")
        let source = "dir,loop,rate=200:\(folder.path)"
        try await RunningLink.with(source: source, clock: ImpatientClock()) { running in
            var login = LoginUnderWay(running.link)
            while login.machine.view.stage != .connecting {
                _ = login.hear(try #require(await running.next()))
            }
            try #require(await login.consentAndTypePIN())
            let view = login.machine.view
            let descriptors = try Self.descriptors()

            var child: pid_t?
            for kill in 0..<Self.kills {
                let next = try await ProcessTable.child(with: folder.path, after: child)
                Glibc.kill(next, SIGKILL)
                child = next
                // A paused scanner reports only its end.
                let report = try #require(await running.next())
                guard case .unavailable = report else {
                    Issue.record("kill \(kill): \(report)")
                    return
                }
                #expect(login.hear(report) == [] && login.machine.view == view, "kill \(kill)")
            }
            #expect(try Self.descriptors() <= descriptors)

            await login.succeed()
            #expect(login.machine.view.stage == .scan)
            // The used code is seen again, and is no login code any more.
            while true {
                let report = try #require(await running.next())
                let actions = login.hear(report)
                guard case .symbol = report else { continue }
                #expect(!actions.isEmpty && login.machine.view.stage == .scan)
                break
            }
        }
    }

    /// The descriptors of this process.
    private static func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
}
