// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Keypads
import KioskPorts

/// The source of keys, in one grammar for every command.
struct KeypadOptions: ParsableArguments {
    @Option(
        name: .customLong("keypad"),
        help: ArgumentHelp(
            "A keypad: the terminal, a script, an input device, a touch panel or a matrix at GPIO lines. "
                + "May be given several times. Default: as configured, else the terminal and a touch panel.",
            discussion: """
                console, script:FILE, evdev:VENDOR:PRODUCT, evdev:/dev/input/by-path/..., evdev:NAME, touch, \
                touch:/dev/input/by-path/... or gpio:rows=LINE/...,columns=LINE/... as \
                \(InstalledPages.located(in: "docs/keypads.md")) describes.
                """))
    var keypads: [String] = []

    func specifications() throws -> [KeypadSpecification] { try keypads.map { try KeypadSpecification(checking: $0) } }

    /// Merges all named keypads into one.
    ///
    /// - Parameters:
    ///   - others: further keypads. Without any keypad the terminal is used, and a touch panel if one comes.
    ///   - screen: the panel on which fingers press keys; nil without one.
    ///   - note: called for each input device that comes or goes.
    static func keypad(
        _ named: [KeypadSpecification], and others: [any Keypad], on screen: (any TouchedScreen)? = nil,
        note: @escaping @Sendable (KeypadChange) -> Void = { _ in }
    ) throws -> any Keypad {
        let all = try named.map { try $0.keypad(on: screen, note: note) } + others
        if named.isEmpty, let screen {
            let touch = EvdevKeypad(touch: nil, on: screen, mayLack: true, note: note)
            return MergedKeypad(all.isEmpty ? [try KeypadSpecification.console.keypad()] : all, orLater: [touch])
        }
        guard let first = all.first else { return try KeypadSpecification.console.keypad() }
        return all.count == 1 ? first : MergedKeypad(all)
    }
}
