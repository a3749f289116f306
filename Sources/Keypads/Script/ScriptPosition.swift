// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How far a script has been played.
final class ScriptPosition: Sendable {
    private let index = Mutex(0)

    func next(of actions: [KeyScript.Action]) -> KeyScript.Action? {
        index.withLock { index in
            guard index < actions.count else { return nil }
            defer { index += 1 }
            return actions[index]
        }
    }
}
