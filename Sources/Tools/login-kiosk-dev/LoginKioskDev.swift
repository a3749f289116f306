// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface

/// The program that developers measure and check with. It is not installed.
@main
struct LoginKioskDev: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login-kiosk-dev", abstract: "Measurements and checks for developers.", version: Version.current,
        subcommands: [
            BenchCommand.self, QRBenchCommand.self, VectorsCommand.self, PortCheckCommand.self,
            ConstantTimeCommand.self, SwarmCommand.self,
        ])

    @MainActor
    static func main() async { await start() }
}
