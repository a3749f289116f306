// SPDX-License-Identifier: Apache-2.0

/// One press of a key.
public struct KeyPress: Hashable, Sendable {
    public let key: Key
    /// Whether it came together with other keys faster than a hand types: pasted or injected. No PIN is taken from such.
    public let isBurst: Bool

    public init(_ key: Key, isBurst: Bool = false) {
        self.key = key
        self.isBurst = isBurst
    }
}
