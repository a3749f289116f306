// SPDX-License-Identifier: Apache-2.0

import Patience
import Foundation
import Glibc
import KioskMachine
import KioskPorts
import LoginValues
import PictureTestKit
import ScannerLink
import Testing

@Suite("A scanner that is killed during a login", .timeLimit(.minutes(10)))
struct KillTests {
    private static let kills = 200

    /// The scanner is paused, as it is while a person types a PIN.
    @Test func comesBackEveryTime() async throws {
        let folder = try TemporaryFolder.made()
        try folder.write(QRPicture.encode("https://login.example.com/mfa#c0de").png(), to: "1.png")
        let source = "dir,loop,rate=200:\(folder.path)"
        try await RunningLink.with(source: source, clock: ImpatientClock()) { running in
            #expect(await running.symbol() != nil)
            await running.link.pause()
            let descriptors = try Self.descriptors()
            var child: pid_t?
            for kill in 0..<Self.kills {
                let next = try await ProcessTable.child(with: folder.path, after: child)
                Glibc.kill(next, SIGKILL)
                child = next
                // A paused scanner reports only its end. What the first one had said before the pause comes before that.
                guard kill > 0 else {
                    #expect(await running.untilUnavailable() != nil)
                    continue
                }
                let report = try #require(await running.next())
                guard case .unavailable = report else {
                    Issue.record("kill \(kill): \(report)")
                    return
                }
            }
            // While a scanner is being started there are some more.
            try await Patience.until { try Self.descriptors() <= descriptors }
            await running.link.resume()
            #expect(await running.symbol() != nil)
        }
    }

    /// The descriptors of this process.
    private static func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
}
