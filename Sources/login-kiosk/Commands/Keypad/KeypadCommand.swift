// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct KeypadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keypad", abstract: "Try keypads.", subcommands: [KeypadTestCommand.self])
}
