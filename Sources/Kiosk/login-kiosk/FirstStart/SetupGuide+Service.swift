// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import HostIntegration
import KioskPorts
import LoginValues

/// The step of the trusted service.
extension SetupGuide {
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
            if result.status == .ok {
                try await dialogue.say(Prompt(.guideServiceAnswers, [.name: "\(line.entry)"]))
            } else {
                try await say(result)
            }
            let answer = try await dialogue.ask(.confirmation(.guideServiceTrust))
            if answer == .accepted {
                service = line
                progress.choose(.init([:], Prompt(.guideServiceChosen, [.name: "\(line)"])))
            }
            return answer
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
