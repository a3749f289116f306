// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import LinuxSystem

/// The kiosk and the commands of its operators. It connects the kiosk's modules.
@main
struct LoginKiosk: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login-kiosk",
        abstract: "Logs people into web sites with a camera and a PIN keypad.",
        discussion: """
            A login page shows a QR code; the kiosk reads it, asks for a PIN, and the browser is logged in. The PIN \
            never leaves this device.

            See it work on this machine alone: login-kiosk demo
            For real, begin with: login-kiosk setup
            """,
        version: Version.current,
        subcommands: [
            RunCommand.self, ScanCommand.self, LoginCommand.self, EnrollCommand.self,
            IdentitiesCommand.self, KeyCommand.self, OTPCommand.self, RegistrationCodeCommand.self,
            SignCommand.self, TrustCommand.self, CardCommand.self, PosterCommand.self, FleetCommand.self,
            DevicesCommand.self,
            KeypadCommand.self, DoctorCommand.self, StatusCommand.self, AuditCommand.self,
            ConfigCommand.self, SetupCommand.self, BackupCommand.self, BackupKeyCommand.self, RestoreCommand.self,
            ResetCommand.self,
            DemoCommand.self, BackendCommand.self,
        ])

    @MainActor
    static func main() async {
        SupervisedProgram.takeOver()
        ProgramStart.prepare()
        do {
            try DemoCommand.takeOver()
            try BackendCommand.takeOver()
        } catch {
            exit(withError: error)
        }
        await start()
    }
}
