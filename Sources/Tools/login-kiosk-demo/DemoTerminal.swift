// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import LinuxSystem
import Signage
import Synchronization

/// Screen and keyboard of the kiosk in the unattended demonstration, whose script presses the keys. It reads the
/// screen line by line, and types at the speed of a quick person.
final class DemoTerminal: Sendable {
    private static let pause = Duration.milliseconds(40)

    private let terminal: PseudoTerminal
    private let lines: AsyncStream<String>
    private let sink: AsyncStream<String>.Continuation
    private let record: DemoRecord
    private let told = Mutex("")

    init(_ record: DemoRecord) throws {
        guard let terminal = PseudoTerminal() else { throw DemoFailure("the system has no terminal left") }
        self.terminal = terminal
        self.record = record
        (lines, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    }

    /// The terminal device that the kiosk is given.
    var device: Int32 { terminal.device }

    /// Adds a line of the screen.
    func show(_ line: String) { sink.yield(line) }

    func type(_ text: String) async throws {
        for character in text { try await press(String(character)) }
    }

    func type(_ digits: [UInt8]) async throws {
        for digit in digits { try await press("\(digit)") }
    }

    func pressEnter() async throws { try await press("\r") }

    /// Presses a key, and waits until the kiosk has read it: two keys at once are taken for a paste.
    private func press(_ key: String) async throws {
        // The kiosk reads no key before that.
        while terminal.isCooked { try await Task.sleep(for: DemoTerminal.pause) }
        terminal.type(key)
        repeat { try await Task.sleep(for: DemoTerminal.pause) } while terminal.hasInput(within: 0)
    }

    /// Reads until the kiosk shows a view with this title. Each line is read once, by one reader.
    ///
    /// - Throws: ``DemoFailure`` when the kiosk returns to its first screen instead, and `CancellationError`.
    func wait(for title: PromptKey) async throws {
        let catalogue = PromptCatalogue.english
        let (wanted, first) = (catalogue.text(Prompt(title)), catalogue.text(Prompt(.scanTitle)))
        var last = ""
        for await line in lines {
            let parts = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let shown = parts.first else { continue }
            let words = parts.prefix(3).joined(separator: " - ")
            // One event for all keys of an entry.
            let isNew = told.withLock { told in
                defer { told = shown }
                return told != shown
            }
            if isNew { record.say("kiosk", words) }
            if shown == wanted { return }
            // Only a wait for a code may see the first screen.
            if shown == first, title != .consentTitle { throw DemoFailure("the kiosk says: \(last)") }
            last = words
        }
        throw CancellationError()
    }
}
