// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskPorts
import KioskTestKit
import Testing

extension KioskPerson {
    private static let questions: Set<KioskStage> = [
        .consent, .pin, .newPIN, .newPINAgain, .documentChoice, .document, .signQuestion,
        .identityDetails,
    ]
    private static let ends: Set<KioskStage> = [.outcome, .issuedCode, .wrongPIN, .activationEntry]

    /// Agrees to everything from any screen, always with the PIN 1234.
    ///
    /// - Parameter isAsked: called at the first PIN screen.
    /// - Returns: the view after the last agreement, which stays.
    func agree(_ isAsked: () async throws -> Void = {}) async throws -> KioskView {
        var last: KioskStage?
        var wasAsked = false
        while true {
            let known = last
            try await screen.view { $0.stage != known && !Self.questions.union(Self.ends).isDisjoint(with: [$0.stage]) }
            let view = try #require(screen.views.last)
            last = view.stage
            if Self.ends.contains(view.stage) { return view }
            if view.stage == .pin, !wasAsked {
                wasAsked = true
                try await isAsked()
            }
            if view.stage.asksForPIN { keypad.type("1234") }
            if view.stage == .documentChoice { keypad.press(.digit(1)) }
            if view.stage == .identityDetails { keypad.press(.digit(2), .digit(2)) } else { keypad.press(.enter) }
        }
    }

    /// Reads the final view and leaves, so that the kiosk is ready for the next person.
    func leave() async throws {
        keypad.press(.enter)
        try await screen.view(at: .scan)
    }
}
