// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation

struct ShowCommand: LastingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Run the demo. In a terminal you press the keys; otherwise it runs unattended.",
        discussion: "For example: login-kiosk-demo show --unattended")

    @Flag(help: "Press the keys, too.") var unattended = false
    @Option(
        help: "Let the kiosk look at this instead of a film of the login page; login-kiosk run --help has the forms.")
    var source: String?
    @OptionGroup var screens: ScreenOptions
    @Option(help: "Keep the files of backend and kiosk in this directory. Default: a temporary one.") var state: String?
    @Flag(help: "Run unattended and print the steps as a JSON object.") var json = false
    @OptionGroup var logging: LoggingOptions

    private var isUnattended: Bool { unattended || json || isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0 }

    func validate() throws {
        if isUnattended, source != nil {
            throw ValidationError("unattended, the camera films a browser of its own; it goes without --source")
        }
        if isUnattended, screens.web != nil {
            throw ValidationError("unattended, there is no person to look at a screen; it goes without --web")
        }
    }

    func run() async throws {
        if isUnattended, let state, FileManager.default.fileExists(atPath: DemoStage.kioskState(in: state)) {
            throw Complaint.make(
                "\(state): here is a demonstration already, and an unattended one begins with a new user",
                hint: "name another directory: --state DIR", status: .cannotCreate)
        }
        let temporary = try TemporaryDirectory()
        defer { temporary.remove() }
        let held = isUnattended ? nil : HeldLog()
        defer { held?.release() }
        let stage = try DemoStage(
            directory: state ?? temporary.path, logger: logging.logger("demo", held: held), held: held,
            logLevel: logging.logLevel)
        if isUnattended {
            try await runUnattended(stage, temporary)
        } else {
            let (source, screens) = (source, screens)
            try await stage.perform { addresses in
                try await InteractiveDemo(
                    stage: stage, addresses: addresses, temporary: temporary, source: source, screens: screens
                ).run()
            }
        }
    }

    private func runUnattended(_ stage: DemoStage, _ temporary: TemporaryDirectory) async throws {
        let record = DemoRecord(narration: json ? nil : .standardOutput)
        let begin = ContinuousClock.now
        do {
            try await stage.perform { addresses in
                record.note("the backend starts", ContinuousClock.now - begin)
                record.say("backend", "serves \(addresses.site)")
                try await UnattendedDemo(
                    stage: stage, addresses: addresses, temporary: temporary, record: record
                ).perform()
            }
        } catch let failure as DemoFailure {
            try report(record, outcome: "failed")
            throw Complaint.make(
                failure.description, hint: "run it again with --log-level debug", status: .internalError)
        }
        guard record.isComplete else {
            throw Complaint.make("the demonstration was told to stop", status: .temporaryFailure)
        }
        try report(record, outcome: "login succeeded")
    }

    private struct Report: Encodable {
        let version = 1
        let outcome: String
        let steps: [DemoRecord.Step]
    }

    private func report(_ record: DemoRecord, outcome: String) throws {
        if json {
            try JSONOutput.write(Report(outcome: outcome, steps: record.steps))
        } else {
            print("\n\(record.table)\n\(outcome)")
        }
    }
}
