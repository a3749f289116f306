// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Keypads
import LinuxSystem

struct KeypadTestCommand: LastingCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Show the keys that are pressed, and find wiring faults.",
        discussion: """
            Each pressed key prints one line. Digits are printed as "a digit" unless --show is given. At a GPIO matrix \
            the wires are measured first. Then press each key once, row by row from the upper left: swapped rows or \
            columns and loose wires are named. Ctrl-C ends the test.
            For example: login-kiosk keypad test --keypad gpio:rows=5/6/13/19,columns=12/16/20
            """)

    @OptionGroup var keypads: KeypadOptions
    @Flag(help: "Show which digit or character was pressed.") var show = false
    @Flag(help: "Print JSON objects, one a line.") var json = false

    func run() async throws {
        let named = try keypads.specifications()
        let specifications = named.isEmpty ? [.console] : named
        let (show, json) = (show, json)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for specification in specifications {
                group.addTask {
                    try await KeypadTester(specification: specification, showsDigits: show, asJSON: json).run()
                    return false
                }
            }
            group.addTask {
                for await _ in StopSignals.heard() { break }
                return true
            }
            var ended = 0
            // A cancelled test still explains its presses before it ends.
            while let isOver = try await group.next() {
                ended += 1
                if isOver || ended == specifications.count { group.cancelAll() }
            }
        }
    }
}

struct KeypadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keypad", abstract: "Test keypads.", subcommands: [KeypadTestCommand.self])
}
