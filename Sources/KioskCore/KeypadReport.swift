// SPDX-License-Identifier: Apache-2.0

/// What a keypad has to say.
public enum KeypadReport: Hashable, Sendable {
    case pressed(KeyPress)
    /// Presses may be missing here, or could not be told apart: what was typed is not what was meant. The text is for the
    /// log.
    case keysLost(String)
    /// Keys come.
    case available
    /// No keys come, until it is available again; the text is for the log.
    case unavailable(String)
    /// Something that an operator should know; the text is for the log. Keys come all the same.
    case trouble(String)

    public var press: KeyPress? { if case .pressed(let press) = self { press } else { nil } }
}
