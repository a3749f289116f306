// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import HostIntegration
import Keypads
import KioskPorts

extension KeypadSpecification {
    /// - Parameter text: from an option or a configuration.
    init(checking text: String) throws {
        do { self = try KeypadSpecification(text) } catch {
            throw Complaint.make("keypad \(error)", hint: "docs/keypads.md has the grammar", status: .usage)
        }
    }

    /// Makes the keypad. Devices may come later; a terminal and a script must be there.
    ///
    /// - Parameters:
    ///   - screen: the panel on which fingers press keys; nil without one.
    ///   - note: called for each input device that comes or goes.
    func keypad(
        on screen: (any TouchedScreen)? = nil, note: @escaping @Sendable (KeypadChange) -> Void = { _ in }
    ) throws -> any Keypad {
        switch self {
        case .console:
            guard isatty(STDIN_FILENO) == 1 else {
                throw Complaint.make(
                    "standard input is not a terminal, so there are no keys",
                    hint: "name a keypad, --keypad evdev:... or gpio:..., or give a script of keys: --keys FILE",
                    status: .usage)
            }
            guard !ConsoleKeypad.isInBackground() else {
                throw Complaint.make(
                    "it runs in the background of this terminal, whose keys go to the shell",
                    hint: "start it without &, as a service (docs/deployment.md), or name a keypad: --keypad evdev:...",
                    status: .usage)
            }
            return ConsoleKeypad(output: isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : nil)
        case .script(let path): return ScriptedKeypad(try KeyScript(file: path))
        case .evdev(let selector): return EvdevKeypad(selector, note: note)
        case .touch(let selector):
            guard let screen else {
                throw Complaint.make(
                    "keypad \(self): no panel is there to draw its keys",
                    hint: "name a panel, --display auto, or another keypad", status: .usage)
            }
            return EvdevKeypad(touch: selector, on: screen, note: note)
        case .gpio(let settings): return GPIOMatrixKeypad(settings)
        }
    }
}

extension KioskConfiguration {
    /// The configured keypads without invalid ones.
    func keypadSpecifications() -> [KeypadSpecification] { keypads.compactMap { try? KeypadSpecification($0) } }
}

extension KeypadSpecification {
    init(_ configured: ConfiguredKeypad) throws(KeypadSpecificationError) {
        try self.init(driver: configured.driver.value, settings: configured.options.mapValues(\.value))
    }
}
