// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import Testing

/// Commands whose output is lost, on a full disk and on a machine that hides arguments.
@Suite(.fewAtATime) struct LostOutputTests {
    /// A one-time password above all, because it counts and nobody has read it.
    @Test func outputThatCannotBeWrittenIsTold() async throws {
        let scratch = try Scratch()
        let service = try await ServiceWithUser(user: "dora@example.com", pin: "2583", in: scratch)
        let kiosk = try Program("login-kiosk").executable.path()
        let places = service.places.joined(separator: " ")
        let commands = [
            "\(kiosk) identities list \(places)", "\(kiosk) identities list --json \(places)",
            "\(kiosk) trust list \(places)", "\(kiosk) config show \(places)", "\(kiosk) fleet number \(places)",
            "\(kiosk) card one-time-password \(places)", "\(kiosk) audit show \(places)",
            "echo 2583 | \(kiosk) otp --user dora@example.com --allow-loopback-http \(places)",
            "echo 2583 | \(kiosk) otp --user dora@example.com --allow-loopback-http --json \(places)",
        ]
        let shell = Program(executable: URL(filePath: "/bin/sh"))
        for command in commands {
            let told = try await shell.run(["-c", command])
            #expect(told.status == 0 || told.status == 66, "\(command): \(told)")
            guard !told.output.isEmpty else { continue }
            let lost = try await shell.run(["-c", "\(command) > /dev/full"])
            #expect(lost.status == 74, "\(command): \(lost)")
            #expect(lost.errors.contains("standard output takes no more: No space left on device"), "\(lost)")
        }
    }

    @Test(.enabled(if: FullDisk.canMount, "needs the right to unmount"))
    func withoutProcNothingStarts() async throws {
        let shell = Program(executable: URL(filePath: "/bin/sh"))
        for name in ["login-kiosk", "login-kiosk-backend", "login-kiosk-demo"] {
            let program = try Program(name).executable.path()
            try await shell.run([
                "-c", "unshare --mount /bin/sh -c 'umount -l /proc && exec \(program) --version'",
            ]).expect(69, "hint: mount /proc")
        }
    }
}
