// SPDX-License-Identifier: Apache-2.0

/// The reason why a keypad cannot be read.
enum KeypadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The terminal's settings cannot be read or changed, with the system's error number.
    case terminal(errno: Int32)
    /// The process runs in the background of a shell.
    case background
    /// Another program undoes the terminal's settings again and again.
    case changedModes

    var description: String {
        switch self {
        case .terminal(let code):
            "the terminal does not let its echo be switched off (error \(code)): run on a terminal of your own, or use "
                + "scripted keys"
        case .background:
            "the program runs in the background of this terminal (&), where no keys reach it: start it without &"
        case .changedModes:
            "another program changes the modes of this terminal again and again, so that it may show a PIN: end that "
                + "program"
        }
    }
}
