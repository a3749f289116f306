// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keypads
import Signage

extension ConsoleScreen {
    /// On standard output, without colour when the environment asks so (no-color.org).
    static func standard(isPlain: Bool, languages: Languages) -> ConsoleScreen {
        let usesColour = (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
        return ConsoleScreen(style: isPlain ? .plain : .automatic, usesColour: usesColour, languages: languages)
    }
}

extension ConsoleKeypad {
    /// On standard input, which has to be a terminal.
    static func standard() -> ConsoleKeypad {
        ConsoleKeypad(output: isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : nil)
    }
}
