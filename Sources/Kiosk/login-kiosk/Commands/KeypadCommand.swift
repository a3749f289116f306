// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Keypads
import LinuxSystem

struct KeypadTestCommand: LastingCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Show the keys that are pressed, and what is wrong with the wires.",
        discussion: """
            One line for each key: "a digit", never which, unless --show. Of a matrix at GPIO lines the wires are \
            measured first; then press each key once, row by row from the upper left, and it is told whether rows or \
            columns are swapped or a wire is loose. Ctrl-C ends.
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
            // What was pressed is explained by those that are cancelled.
            while let isOver = try await group.next() {
                ended += 1
                if isOver || ended == specifications.count { group.cancelAll() }
            }
        }
    }
}

struct KeypadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keypad", abstract: "Try keypads.", subcommands: [KeypadTestCommand.self])
}
