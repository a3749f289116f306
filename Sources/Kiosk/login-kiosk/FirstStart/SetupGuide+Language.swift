// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import KioskPorts
import Signage

/// The step of the screen's language.
extension SetupGuide {
    func language() async throws -> FirstStart.Input {
        let tags = Languages.standard.tags
        let own = value("screen.language").flatMap { Languages(first: $0) } ?? configuration.languages
        let names = tags.map { Prompt(.guideText, [.name: "\(Languages.name(of: $0) ?? $0) (\($0))"]) }
        let input = try await dialogue.ask(.offers(names, current: tags.firstIndex(of: own.tags[0])))
        guard case .number(let number) = input else { return input }
        let tag = tags[number - 1]
        await dialogue.speak(tag)
        progress.choose(
            .init(["screen.language": tag], Prompt(.setupLanguage, [.name: Languages.name(of: tag) ?? tag])))
        return .accepted
    }
}
