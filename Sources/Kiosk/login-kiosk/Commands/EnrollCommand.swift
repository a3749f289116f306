// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import KioskMachine
import KioskPorts
import KioskRuntime
import LoginValues
import MPinClient

struct EnrollCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enroll",
        abstract: "Register a user at a backend, for operators and scripts.",
        discussion: """
            The backend sends a mail. If its link is to be opened in a browser, the command waits for that. If the \
            link or its code has to be typed here, it is the next line of standard input. With --code, the next line \
            is another device's registration code (login-kiosk registration-code), or an activation token; no mail is \
            sent. The new PIN is then typed at the terminal, or is the next line of standard input. None of these is \
            ever an argument.
            If the run ends early (exit code 88), give the same command again to go on.
            For example: login-kiosk enroll --backend https://login.example.com --user alice@example.com
            """)

    @OptionGroup var options: KioskOptions
    @Option(help: "The backend's URL.") var backend: String?
    @Option(help: "The path prefix of the backend's RPS. Default: from the service, else rps.")
    var rpsPrefix: String?
    @Flag(help: "Register for a login page. Its QR code's text is the first line of standard input.") var qr = false
    @Option(help: "Register for a login page. Its QR code's text is the first line of this file.") var qrFile: String?
    @Option(help: "Register for a session of the application whose server has this address; with --backend.")
    var application: String?
    @Option(help: "The user, usually an e-mail address.") var user: String
    @Flag(help: "Register with a code or a token, the next line of standard input.") var code = false
    @Flag(help: "Send the mail again if one was sent already.") var sendAgain = false
    @Option(help: "Number of seconds to wait until the link in the mail is opened.") var wait = 300
    @Flag(help: "Print the outcome as a JSON object.") var json = false

    /// The time between two questions to the backend whether the person followed the mail.
    private static let pollInterval = Duration.seconds(2)

    func validate() throws {
        guard (0...3600).contains(wait) else { throw ValidationError("--wait takes 0 to 3600 seconds") }
        guard [backend != nil, qr, qrFile != nil].count(where: { $0 }) == 1 else {
            throw ValidationError("where to register: one of --backend URL, --qr and --qr-file FILE")
        }
        if application != nil, backend == nil { throw ValidationError("--application goes with --backend URL") }
    }

    func run() async throws {
        let address = try backend.map(BackendAddress.parse)
        let application = try application.map(BackendAddress.parse)
        let configuration = try options.require()
        let parts = try await KioskParts(options, configuration)
        let symbol = address == nil ? try SecretPrompt.symbol(file: qrFile) : nil
        let questions = questions(configuration.policy)
        try await RunReport.reporting(user: user, json: json) {
            let run = CommandRun(parts.client)
            if let address {
                try await run.open(address, rpsPrefix: rpsPrefix, application: application.map(parts.application))
            } else if let symbol {
                try await run.open(symbol)
            }
            try await run.enroll(user, byCode: code, sendsAgain: sendAgain, asking: questions)
            try RunReport.succeed(.registered, "registered: \(user)", user: user, json: json)
        }
    }

    private func questions(_ policy: KioskPolicy) -> RegistrationQuestions {
        let deadline = ContinuousClock.now + .seconds(wait)
        let name = DisplayText(user)
        return RegistrationQuestions(newPIN: PINPrompt.newPIN(policy)) { kind, wasRefused in
            if wasRefused {
                guard PINPrompt.isAttended else { return nil }
                PINPrompt.say("this one is wrong, used, or too old\n")
            }
            switch kind {
            case .registration: return SecretPrompt.line("Code for \(name): ")
            case .verification(.code): return SecretPrompt.line("Code in the mail to \(name): ")
            case .verification(.link): return SecretPrompt.line("Link in the mail to \(name): ")
            case .verification(.codeOrLink): return SecretPrompt.line("Code in the mail to \(name), or its link: ")
            }
        } activation: { state in
            switch state {
            case .mailSent:
                PINPrompt.say("open the link in the mail to \(name)\n")
                // An earlier run may have sent the mail.
                return true
            case .verificationSent:
                PINPrompt.say("a mail went to \(name)\n")
                return true
            case .notYet:
                guard ContinuousClock.now < deadline else { return false }
                return (try? await Task.sleep(for: EnrollCommand.pollInterval)) != nil
            }
        }
    }
}
