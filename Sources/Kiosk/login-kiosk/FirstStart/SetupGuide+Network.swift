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
            try await say((error.sentence, error.hint))
            return try await dialogue.ask(.confirmation(nil))
        }
        let wish = try await dialogue.ask(.offers([Prompt(.guideJoin), Prompt(.guideJoinNot)], current: 1))
        switch wish {
        case .number(1): break
        case .number: return .accepted
        default: return wish
        }
        try await dialogue.say(Prompt(.guideJoinHelp))
        let source = (progress.settings["source"] ?? nil) ?? configuration.sourceText
        var symbol: Symbol?
        do {
            symbol = try await CameraTrial(source: source, dialogue: dialogue, logger: logger).run {
                WirelessCode.isMeant(by: $0.payload)
            }
        } catch is ExitCode { try await dialogue.say(Prompt(.cameraMissing)) }
        guard let symbol else { return try await dialogue.ask(.confirmation(.guideJoinNothing)) }
        let code: WirelessCode
        do throws(WirelessCodeError) { code = try WirelessCode(symbol.payload) } catch {
            try await say((error.sentence, error.hint))
            return try await dialogue.ask(.confirmation(nil))
        }
        try await dialogue.say(Prompt(.guideNetworkName, [.name: code.shownName]))
        try await dialogue.say(Prompt(.guideProtection, [.name: code.shownSecurity]))
        if code.isHidden { try await dialogue.say(Prompt(.guideHidden)) }
        guard try await dialogue.ask(.agreement(.guideJoinReally)) == .text(FirstStart.agreement) else {
            try await dialogue.say(Prompt(.guideNotJoined))
            return try await dialogue.ask(.confirmation(nil))
        }
        // Known before the first change, so that leaving undoes it.
        joining = found
        progress.forget()
        try await dialogue.say(Prompt(.guideJoining))
        do throws(WirelessFault) { try await found.join(code) } catch {
            try await say((error.sentence, error.hint))
            return try await dialogue.ask(.confirmation(nil))
        }
        progress.choose(.init([:], Prompt(.guideNetworkName, [.name: code.shownName])))
        return try await dialogue.ask(.confirmation(.guideJoined))
    }

    func trustedService() async throws -> FirstStart.Input {
        try await dialogue.say(Prompt(.guideServiceHelp))
        while true {
            let input = try await dialogue.ask(.text)
            guard case .text(let typed) = input else {
                guard case .number = input else { return input }
                try await dialogue.say(Prompt(.guideServiceName))
                continue
            }
            guard let line = try? TrustCommand.service(typed) else {
                // The complaint was printed.
                if dialogue.hasKioskKeys { try await dialogue.say(Prompt(.guideServiceName)) }
                continue
            }
            let result = try await tried(line)
            if result.verdict == .ok {
                try await dialogue.say(Prompt(.guideServiceAnswers, [.name: "\(line.entry)"]))
            } else {
                try await say(result)
            }
            let verdict = try await dialogue.ask(.confirmation(.guideServiceTrust))
            if verdict == .accepted {
                service = line
                progress.choose(.init([:], Prompt(.guideServiceChosen, [.name: "\(line)"])))
            }
            return verdict
        }
    }

    /// Asks the service as the doctor does, with a list that has it alone.
    private func tried(_ service: TrustLine) async throws -> CheckResult {
        let folder = try TemporaryDirectory()
        defer { folder.remove() }
        let list = TrustFile(path: folder.path(SettingsFile.trustList.rawValue))
        _ = try TrustCommand.perform { () throws(TrustFileError) in try list.add(service) }
        return try await TrustProbe(configuration: configuration, file: list).check(true)
    }
}
