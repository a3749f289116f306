// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import Keypads
import KioskPorts
import LinuxSystem
import LoginValues
import Synchronization

/// A PIN that a person types at the terminal of standard input: one star a digit. Backspace removes the last one, or
/// leaves when there is none.
final class PINTyping: Sendable {
    /// The time for the whole PIN; after it the typed digits are wiped.
    private static let limit = Duration.seconds(60)

    private let question: String
    private let entry = Mutex(PinEntry())

    init(question: String) { self.question = question }

    /// - Returns: nil when the person left, walked away, or the terminal went.
    func pin() async -> Pin? {
        ask()
        let isComplete = await Timekeeper(ContinuousClock()).limit(PINTyping.limit) { await self.readKeys() }
        return entry.withLock { entry in
            guard isComplete else {
                entry.removeAll()
                return nil
            }
            let typed = consume entry
            entry = PinEntry()
            return Pin(typed)
        }
    }

    /// - Returns: whether the entry is the whole PIN.
    private func readKeys() async -> Bool {
        var wasBurst = false
        for await report in ConsoleKeypad(output: STDERR_FILENO).reports() {
            switch report {
            // The terminal may echo, and no key is reported: the question comes when the terminal is available.
            case .unavailable(let reason):
                discard()
                tell("\(Complaint.program): \(reason)")
            case .keysLost(let reason):
                discard()
                ask(reason)
            case .available:
                discard()
                ask()
            case .trouble: break
            case .pressed(let press) where press.isBurst:
                forget()
                if !wasBurst { ask("a PIN is typed key by key, not pasted") }
            case .pressed(let press):
                switch press.key {
                case .digit(let digit):
                    if entry.withLock({ $0.append(digit) }) { PINPrompt.say("*") }
                case .back:
                    guard takeBack() else { return false }
                case .clear: forget()
                case .enter:
                    if Pin.lengths.contains(entry.withLock { $0.count }) { return true }
                    ask("a PIN is \(Pin.lengths.lowerBound) to \(Pin.lengths.upperBound) digits")
                case .menu, .character: break
                }
            }
            if let press = report.press { wasBurst = press.isBurst }
        }
        return false
    }

    /// Forgets the digits, and clears the line, because the echo of a digit may stand in it.
    private func discard() {
        entry.withLock { $0.removeAll() }
        PINPrompt.say("\r\u{1B}[K")
    }

    /// Prints a notice on a line of its own.
    private func tell(_ notice: String) { PINPrompt.say("\n\(notice)\n") }

    /// Asks, after a notice, and shows the digits typed so far.
    private func ask(_ notice: String? = nil) {
        if let notice { tell(notice) }
        PINPrompt.say(question + String(repeating: "*", count: entry.withLock { $0.count }))
    }

    /// - Returns: false when there was no digit.
    private func takeBack() -> Bool {
        let had = entry.withLock { entry in
            defer { entry.removeLast() }
            return !entry.isEmpty
        }
        if had { PINPrompt.say("\u{8} \u{8}") }
        return had
    }

    private func forget() {
        while takeBack() {}
    }
}
