// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import Logging

extension KioskEvent {
    /// The line about the event in the log.
    var logLine: (level: Logger.Level, message: Logger.Message, metadata: Logger.Metadata) {
        switch self {
        case .started: (.info, "kiosk started", [:])
        case .keypadChanged(isWorking: true): (.info, "keypad works", [:])
        case .keypadChanged(isWorking: false): (.warning, "keypad is not working", [:])
        case .cameraChanged(isWorking: true): (.info, "camera works", [:])
        case .cameraChanged(isWorking: false): (.warning, "camera is not working", [:])
        case .codeRefused(let refusal): (.info, "code refused", ["reason": "\(refusal)"])
        case .sessionOpened(let number, let domain):
            (.info, "session opened", ["session": "\(number)", "domain": "\(domain)"])
        case .cardTaken(let task): (.info, "card taken", ["task": "\(task.rawValue)"])
        case .personalCardTaken: (.info, "personal card taken", [:])
        case .taskBegun(let number, let task, let domain):
            (.info, "task begun", ["session": "\(number)", "task": "\(task.rawValue)", "domain": "\(domain)"])
        case .consented(let number): (.info, "consented", ["session": "\(number)"])
        case .unverifiedWrongPIN(let number):
            (.warning, "wrong PIN of an unverified user", ["session": "\(number)"])
        case .unverifiedHeldUp(let number): (.warning, "held up: too many wrong PINs", ["session": "\(number)"])
        case .registrationHeldUp(let number):
            (.warning, "held up: too many registrations were begun", ["session": "\(number)"])
        case .consentRefused(let number, let domain):
            // A warning, because somebody may be showing people codes of their own browser.
            (.warning, "consent refused: not me", ["session": "\(number)", "domain": "\(domain)"])
        case .sessionClosed(let number, let outcome):
            (.info, "session closed", ["session": "\(number)", "outcome": "\(outcome.rawValue)"])
        case .identityDeleted: (.notice, "identity deleted", [:])
        case .setUp: (.notice, "set up by the operator", [:])
        case .reset: (.critical, "everything of this kiosk is deleted", [:])
        case .stopped: (.info, "kiosk stopped", [:])
        }
    }
}
