// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import HostIntegration
import Logging

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check everything that this kiosk needs, with hints for each problem.",
        discussion: """
            Each line says ok, warning or failure. The exit code is 1 if anything failed, else 0. Run it as the \
            kiosk's user to check the identities, and as root to see which program holds the camera.
            \(InstalledPages.located(in: "docs/troubleshooting.md")) explains each check.
            For example: login-kiosk doctor --online
            """)

    @OptionGroup var options: KioskOptions
    @OptionGroup var source: SourceOptions
    @Flag(help: "Also ask every trusted host for an answer.") var online = false
    @Flag(help: "Print a JSON object.") var json = false

    func run() async throws {
        let configuration = options.load(source.settings)
        var logger = options.logging.logger("doctor", configuration)
        // The checks report failures, so the log need not.
        if logger.logLevel == .warning { logger.logLevel = .error }
        let doctor = Doctor(
            configuration: configuration,
            places: options.places.configuration.directory.flatMap { configuration.directories($0) },
            isOnline: online, logger: logger)
        var document = DoctorDocument()
        for (name, look) in Doctor.checks {
            for result in try await look(doctor).compactMap(\.self) {
                let check = DoctorDocument.Check(name, result)
                document.checks.append(check)
                if !json { print(check.text) }
            }
        }
        if json { try JSONOutput.write(document) } else if let page = document.page { print(page) }
        if document.checks.contains(where: { $0.status == .failure }) { throw ExitCode.failure }
    }
}
