// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import HostIntegration
import KioskPorts

/// The step that joins a wireless network.
extension SetupGuide {
    func network() async throws -> FirstStart.Input {
        let found: any WirelessJoining
        do throws(WirelessFault) { found = if let joining { joining } else { try WirelessPrograms.found() } } catch {
            return try await goOn(after: error.sentence, hint: error.hint)
        }
        var offers = Offers(current: false)
        offers.add(Prompt(.guideJoin), true)
        offers.add(Prompt(.guideJoinNot), false)
        let input = try await dialogue.ask(offers.question)
        guard let isWanted = offers.value(of: input) else { return input }
        return try await isWanted ? join(by: found) : .accepted
    }

    private func join(by programs: any WirelessJoining) async throws -> FirstStart.Input {
        try await dialogue.say(Prompt(.guideJoinHelp))
        var symbol: Symbol?
        do {
            symbol = try await CameraTrial(source: source, dialogue: dialogue, logger: logger).run {
                WirelessCode.isMeant(by: $0.payload)
            }
        } catch is ExitCode { try await dialogue.say(Prompt(.cameraMissing)) }
        guard let symbol else { return try await dialogue.ask(.confirmation(.guideJoinNothing)) }
        let code: WirelessCode
        do throws(WirelessCodeError) { code = try WirelessCode(symbol.payload) } catch {
            return try await goOn(after: error.sentence, hint: error.hint)
        }
        try await dialogue.say(Prompt(.guideNetworkName, [.name: code.shownName]))
        try await dialogue.say(Prompt(.guideProtection, [.name: code.shownSecurity]))
        if code.isHidden { try await dialogue.say(Prompt(.guideHidden)) }
        guard try await dialogue.ask(.agreement(.guideJoinReally)) == .text(FirstStart.agreement) else {
            try await dialogue.say(Prompt(.guideNotJoined))
            return try await dialogue.ask(.confirmation(nil))
        }
        // Known before the first change, so that leaving undoes it.
        joining = programs
        progress.forget()
        try await dialogue.say(Prompt(.guideJoining))
        do throws(WirelessFault) { try await programs.join(code) } catch {
            return try await goOn(after: error.sentence, hint: error.hint)
        }
        progress.choose(.init([:], Prompt(.guideNetworkName, [.name: code.shownName])))
        return try await dialogue.ask(.confirmation(.guideJoined))
    }
    private func goOn(after fault: String, hint: String) async throws -> FirstStart.Input {
        try await say(fault)
        try await say("hint: \(hint)")
        return try await dialogue.ask(.confirmation(nil))
    }
}
