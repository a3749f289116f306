// SPDX-License-Identifier: Apache-2.0

/// An input device that came or went as a keypad.
public struct KeypadChange: Sendable, Hashable {
    public let device: InputIdentity
    public let isThere: Bool

    init(_ device: InputIdentity, isThere: Bool) {
        self.device = device
        self.isThere = isThere
    }
}
