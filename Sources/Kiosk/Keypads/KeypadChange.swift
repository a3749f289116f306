// SPDX-License-Identifier: Apache-2.0

/// An input device that is heard as a keypad from now on, or is not there any more.
public struct KeypadChange: Sendable, Hashable {
    public let device: InputIdentity
    public let isThere: Bool

    init(_ device: InputIdentity, isThere: Bool) {
        self.device = device
        self.isThere = isThere
    }
}
