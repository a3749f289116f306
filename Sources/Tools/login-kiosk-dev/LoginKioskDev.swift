// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface

/// Measurements and checks for developers. This program is not installed.
@main
struct LoginKioskDev: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login-kiosk-dev", abstract: "Measurements and checks for developers.", version: Version.current,
        subcommands: [
            BenchCommand.self, QRBenchCommand.self, VectorsCommand.self, PortCheckCommand.self,
            ConstantTimeCommand.self, SwarmCommand.self, PanelCommand.self,
        ])

    @MainActor
    static func main() async { await start() }
}
