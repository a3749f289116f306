// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file descriptor that is closed when its owner goes.
public struct Descriptor: ~Copyable, Sendable {
    public let number: Int32

    /// Takes over an open descriptor, which nothing else may close.
    public init(owning number: Int32) {
        self.number = number
    }

    /// Gives the descriptor away: from here on the caller closes it.
    public consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    deinit {
        close(number)
    }
}
