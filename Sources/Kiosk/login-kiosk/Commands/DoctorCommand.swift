// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import HostIntegration
import Logging
import LoginValues

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check everything that this kiosk needs, with hints for each problem.",
        discussion: """
            Each line says ok, warning or failure. The exit code is 1 if anything failed, else 0. Run it as the \
            kiosk's user to check the identities, and as root to see which program holds the camera.
            docs/troubleshooting.md explains each check.
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
        var results = [DoctorCommand.settings(configuration)]
        func add(_ result: CheckResult) {
            if !json { print(DoctorDocument.text(result)) }
            results.append(result)
        }
        if !json { print(DoctorDocument.text(results[0])) }

        add(try await ScannerProbe.check())
        add(try await CameraProbe(source: configuration.sourceText, logger: logger).check())
        for result in await KeypadProbe.check(configuration) { add(result) }
        if let result = DisplayProbe.check(configuration) { add(result) }
        if let directory = options.places.configuration.directory, let places = configuration.directories(directory) {
            add(await StoreProbe.check(places))
            add(
                try await TrustProbe(configuration: configuration, file: TrustFile(path: places.trustFile)).check(
                    online))
        }
        add(ClockCheck.judge(.ofThisMachine()))
        add(MemoryCheck.judge(lockFailure: SecretMemory.lockFailure))
        for result in MachineProbe.check(configuration) { add(result) }

        if json { try JSONOutput.write(DoctorDocument(results)) }
        if results.contains(where: { $0.verdict == .failure }) { throw ExitCode.failure }
    }

    private static func settings(_ configuration: KioskConfiguration) -> CheckResult {
        let problems = configuration.allProblems
        guard let first = problems.first else {
            let files = configuration.files
            return .ok("settings", files.isEmpty ? "no files; the kiosk's own choices" : files.joined(separator: ", "))
        }
        return .failure(
            "settings", "\(first)" + (problems.count > 1 ? ", and \(problems.count - 1) more" : ""),
            remedy: "login-kiosk config check")
    }
}
