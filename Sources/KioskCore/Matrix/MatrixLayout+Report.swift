// SPDX-License-Identifier: Apache-2.0

extension MatrixLayout {
    /// What a keypad says about an event of its matrix. No position of a key is in it: somebody may be typing a PIN.
    ///
    /// - Returns: nil for what only the matrix is concerned with.
    public func report(of event: MatrixEvent) -> KeypadReport? {
        switch event {
        case .pressed(let position): key(at: position).map { .pressed(KeyPress($0)) }
        case .held(let position): key(at: position) == .back ? .pressed(KeyPress(.clear)) : nil
        case .refused: .keysLost("several keys were pressed at once")
        case .stuck:
            .trouble("a key has been down for \(MatrixTiming.stuck.components.seconds) s and is not heard any more")
        case .freed: .trouble("the key that was stuck is released")
        case .released: nil
        }
    }
}
