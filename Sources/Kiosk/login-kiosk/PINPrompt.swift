// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import KioskMachine
import KioskPorts
import KioskRuntime
import LinuxSystem
import LoginValues
import Synchronization

/// The source of PINs for commands: the next line of standard input. If that is a terminal, the person types the PIN
/// key by key and without echo.
enum PINPrompt {
    private static let refusedLine = Atomic(false)

    /// Whether a script gave a line that is not a PIN, as opposed to no line.
    static var hasRefusedLine: Bool { refusedLine.load(ordering: .relaxed) }

    /// Whether a person answers.
    static var isAttended: Bool { isatty(STDIN_FILENO) == 1 }

    /// Prints a hint for the person on standard error, apart from output for scripts.
    static func say(_ text: String) { StandardStream.error.write(text) }

    /// Asks a person, after showing the purpose of the PIN.
    ///
    /// - Returns: nil when the person or the script gave none.
    static func read(for question: LoginQuestion) async -> Pin? {
        let warning = question.isBrowserElsewhere ? "The browser is somewhere else. " : ""
        let task = question.task.isEmpty ? "" : ", for \"\(question.task)\""
        return await read(
            for: "\(warning)Log in \(DisplayText(question.userID)) at \(question.service), \(question.place)\(task)?")
    }

    /// - Parameter purpose: shown to a person first.
    /// - Returns: nil when the person or the script gave none.
    static func read(for purpose: String, name: String = "PIN") async -> Pin? {
        guard isAttended else { return nextLine() }
        say("\(purpose)\n")
        return await ask("\(name), or Backspace to decline: ")
    }

    static func newPIN(_ policy: KioskPolicy, name: String = "New PIN") -> NewPINChoice {
        NewPINChoice(policy: policy, isAttended: isAttended) { await readNew(name, $0) }
    }

    /// Asks a person twice.
    ///
    /// - Returns: nil when the person or the script gave none, or a script's was refused.
    private static func readNew(_ name: String, _ question: NewPINQuestion) async -> Pin? {
        if let remark = question.remark { say("\(Complaint.program): \(remark.words)\n") }
        guard isAttended else { return question.remark == nil ? nextLine() : nil }
        let lengths = question.lengths
        let digits = lengths.count == 1 ? "\(lengths.lowerBound)" : "\(lengths.lowerBound) to \(lengths.upperBound)"
        guard let first = await ask("\(name), \(digits) digits: "), let second = await ask("The same again: ") else {
            return nil
        }
        guard first.matches(second) else {
            say("\(Complaint.program): these were two different PINs\n")
            return nil
        }
        return second
    }

    private static func nextLine() -> Pin? {
        guard let line = SecretLines(descriptor: STDIN_FILENO).nextOrEmpty() else {
            say("\(Complaint.program): there is no further line with a PIN on standard input\n")
            return nil
        }
        guard let pin = Pin(line: line) else {
            refusedLine.store(true, ordering: .relaxed)
            return nil
        }
        return pin
    }

    private static func ask(_ question: String) async -> Pin? {
        defer { say("\n") }
        return await PINTyping(question: question).pin()
    }
}

extension NewPINQuestion.Remark {
    fileprivate var words: String {
        switch self {
        case .wrongLength: "the PIN has the wrong number of digits"
        case .allZeros: "a PIN of zeros is too easy to guess"
        case .easyToGuess: "this PIN is easy to guess"
        case .easyToGuessButAllowed: "this PIN is easy to guess; a person can keep it by typing it again"
        }
    }
}
