// SPDX-License-Identifier: Apache-2.0

/// An identity as the server issued it. The bytes are opaque: they are hashed exactly as they were received.
public struct MPinID: Hashable, Sendable {
    public let bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }
}
