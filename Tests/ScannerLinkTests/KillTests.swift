// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import KioskCore
import LoginValues
import PictureTestKit
import ScannerLink
import Testing

@Suite("A scanner that is killed while somebody logs in", .timeLimit(.minutes(5)))
struct KillTests {
    private static let kills = 200

    @Test func aLoginGoesOnAndTheScannerComesBackEveryTime() async throws {
        let folder = try TemporaryFolder()
        try folder.write(QRPicture.encode("https://login.example.com/mfa#c0de").png(), to: "1.png")
        let source = "dir,loop,rate=200:\(folder.path)"
        try await RunningLink.with(source: source, clock: ImpatientClock()) { running in
            var login = LoginUnderWay(running.link)
            while login.machine.view.stage != .connecting {
                _ = login.hear(try #require(await running.next()))
            }
            await login.consentAndTypePIN()
            let view = login.machine.view
            #expect(view.stage == .authenticating)
            let descriptors = try Self.descriptors()

            for kill in 0..<Self.kills {
                let child = try #require(ProcessTable.children(with: folder.path).first, "kill \(kill)")
                Glibc.kill(child, SIGKILL)
                for isExpected in [Self.isUnavailable, Self.isAvailable] {
                    while true {
                        let report = try #require(await running.next())
                        #expect(login.hear(report) == [] && login.machine.view == view, "kill \(kill): \(report)")
                        if isExpected(report) { break }
                    }
                }
            }
            #expect(try Self.descriptors() <= descriptors)

            await login.succeed()
            #expect(login.machine.view.stage == .scan)
            // The code that was used is seen again, and is no login any more.
            while true {
                let report = try #require(await running.next())
                let actions = login.hear(report)
                guard case .symbol = report else { continue }
                #expect(!actions.isEmpty && login.machine.view.stage == .scan)
                break
            }
        }
    }

    private static let isUnavailable: @Sendable (SymbolSourceReport) -> Bool = {
        if case .unavailable = $0 { true } else { false }
    }
    private static let isAvailable: @Sendable (SymbolSourceReport) -> Bool = {
        if case .available = $0 { true } else { false }
    }

    /// Of this process.
    private static func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
}
