// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import KioskPorts
import Signage

/// The step of the screen's language.
extension SetupGuide {
    func language() async throws -> FirstStart.Input {
        let own = text(\.screen.language).flatMap { Languages(first: $0) } ?? configuration.languages
        var offers = Offers(current: own.tags[0])
        for tag in Languages.standard.tags {
            offers.add(Prompt(.guideText, [.name: "\(Languages.name(of: tag) ?? tag) (\(tag))"]), tag)
        }
        let input = try await dialogue.ask(offers.question)
        guard input != .accepted, let tag = offers.value(of: input) else { return input }
        await dialogue.speak(tag)
        progress.choose(
            .init(\.screen.language, tag, Prompt(.languageChosen, [.name: Languages.name(of: tag) ?? tag])))
        return .accepted
    }
}
