// SPDX-License-Identifier: Apache-2.0

import KioskPorts

// Speech for one session: 5, the key with a raised dot, begins it on the scan screen.
extension KioskMachine {
    /// The factor by which the kiosk waits longer for a person who has to listen first.
    private static let listeningFactor = 3

    var patience: Int { speech == nil ? 1 : KioskMachine.listeningFactor }

    /// The duration of a timer. Pauses that slow down guessing stay as they are, and so does what other people may see.
    public func duration(of timer: KioskTimer, _ usual: Duration) -> Duration {
        switch timer {
        case .session, .entry, .typing, .outcome, .notice: usual * patience
        case .wrongPIN, .wait, .tap, .codeLife, .rest, .boot, .view, .usedCode: usual
        }
    }

    /// The keys of the scan screen that concern speech.
    var speechActions: [ViewAction] {
        guard policy.offersSpeech else { return [] }
        guard speech != nil else { return [ViewAction(.digit(5), .actionSpeech)] }
        return [
            ViewAction(.digit(4), .actionQuieter), ViewAction(.digit(5), .actionSpeechOff),
            ViewAction(.digit(6), .actionLouder),
        ]
    }

    mutating func switchSpeech() -> [KioskAction] {
        speech = speech == nil ? SpeechRequest() : nil
        return wake()
    }

    mutating func changeVolume(by step: Int) -> [KioskAction] {
        guard let volume = speech.map({ $0.volume + step }) else { return [] }
        speech?.volume = min(max(volume, SpeechRequest.volumes.lowerBound), SpeechRequest.volumes.upperBound)
        return wake()
    }

    /// Handles a key. A key that does not change the screen has it spoken again. Keys of secrets are excepted, because
    /// only the interpreter has the secret. So is an OK that the interpreter answers with another screen.
    mutating func heard(_ key: KnownKey, _ handle: (inout KioskMachine) -> [KioskAction]) -> [KioskAction] {
        guard speech != nil, key != .pinDigit, key != .codeKey else { return handle(&self) }
        let before = viewOfState
        let actions = handle(&self)
        if viewOfState == before, key != .enter || actions.isEmpty { speech?.repeats += 1 }
        return actions
    }
}
