// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import HostIntegration
import KioskPorts
import LoginValues

/// The steps that reach for the network.
extension SetupGuide {
    func network() async throws -> FirstStart.Input {
        let found: any WirelessJoining
        do throws(WirelessFault) { found = if let joining { joining } else { try WirelessPrograms.found() } } catch {
            try await dialogue.say("\(error.sentence)\nhint: \(error.hint)")
            return try await dialogue.ask("Enter")
        }
        let wish = try await dialogue.ask("1 to join by a QR code, or Enter")
        guard wish == .number(1) else { return wish }
        try await dialogue.say("Hold the network's QR code before the camera. Enter ends.")
        let source = (progress.settings["source"] ?? nil) ?? configuration.sourceText
        var symbol: Symbol?
        do {
            symbol = try await CameraTrial(source: source, dialogue: dialogue, logger: logger).run {
                WirelessCode.isMeant(by: $0.payload)
            }
        } catch is ExitCode {
            // The complaint was printed.
        }
        guard let symbol else { return try await dialogue.ask("No code was read. Enter, or r") }
        let code: WirelessCode
        do throws(WirelessCodeError) { code = try WirelessCode(symbol.payload) } catch {
            try await dialogue.say("\(error.sentence)\nhint: \(error.hint)")
            return try await dialogue.ask("Enter, or r")
        }
        try await dialogue.say(
            "Network: \(code.shownName)\nProtection: \(code.shownSecurity)\(code.isHidden ? "\nHidden: yes" : "")")
        guard try await dialogue.ask("Type \(FirstStart.agreement) to join") == .text(FirstStart.agreement) else {
            try await dialogue.say("Not joined.")
            return try await dialogue.ask("Enter, or r")
        }
        // Known before the first change, so that leaving undoes it.
        joining = found
        progress.forget()
        try await dialogue.say("Joining. This takes up to a minute.")
        do throws(WirelessFault) { try await found.join(code) } catch {
            try await dialogue.say("\(error.sentence)\nhint: \(error.hint)")
            return try await dialogue.ask("Enter, or r")
        }
        progress.choose(.init([:], "Network: \(code.shownName)"))
        return try await dialogue.ask("Joined. Enter")
    }

    func trustedService() async throws -> FirstStart.Input {
        try await dialogue.say("The host where people log in, such as login.example.com.")
        while true {
            let input = try await dialogue.ask("Host, or Enter")
            guard case .text(let typed) = input else {
                guard case .number = input else { return input }
                try await dialogue.say("A host is a name, such as login.example.com.")
                continue
            }
            guard let line = try? TrustCommand.service(typed) else { continue }
            try await say(try await tried(line))
            let verdict = try await dialogue.ask("Enter trusts it, else r, s, b")
            if verdict == .accepted {
                service = line
                progress.choose(.init([:], "Trusted service: \(line)"))
            }
            return verdict
        }
    }

    /// Asks the service as the doctor does, with a list that has it alone.
    private func tried(_ service: TrustLine) async throws -> CheckResult {
        let folder = try TemporaryDirectory()
        defer { folder.remove() }
        let list = TrustFile(path: folder.path("trusted"))
        _ = try TrustCommand.perform { () throws(TrustFileError) in try list.add(service) }
        let result = try await TrustProbe(configuration: configuration, file: list).check(true)
        return result.verdict == .ok ? .ok(result.name, "\(service.entry) answers.") : result
    }
}
