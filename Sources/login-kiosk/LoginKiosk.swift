// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LinuxSystem

/// The program: wires the rooms together, and is the only one that knows every leaf.
@main
struct LoginKiosk: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login-kiosk",
        abstract: "Logs people into web sites with a camera and a PIN keypad.",
        discussion: """
            A login page shows a QR code; the kiosk reads it, asks for a PIN, and the browser is logged in. The PIN never \
            leaves this device.

            See it work on this machine alone: login-kiosk demo
            For real, begin with: login-kiosk trust add HOST
            """,
        version: Version.current,
        subcommands: [
            RunCommand.self, DemoCommand.self, ScanCommand.self, LoginCommand.self, EnrollCommand.self,
            IdentitiesCommand.self, KeyCommand.self, OTPCommand.self, BootstrapCommand.self,
            SignCommand.self, TrustCommand.self, CardCommand.self, DevicesCommand.self,
            KeypadCommand.self, DoctorCommand.self,
            ConfigCommand.self, BackendCommand.self,
        ])

    /// On the main thread, before there is another: what is set here holds for all of them.
    @MainActor
    static func main() async {
        ProgramStart.prepare()
        StopSignals.hold()
        // Any command may hold a PIN, a token or a key. A kernel that refuses has refused before secrets came.
        _ = ProcessMemory.keepPrivate()
        do {
            var command = try parseAsRoot()
            if !(command is any LastingCommand) { StopSignals.release() }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(withError: error)
        }
    }
}
