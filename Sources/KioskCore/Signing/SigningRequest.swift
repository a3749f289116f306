// SPDX-License-Identifier: Apache-2.0

/// A signing session that was scanned. The document itself stays with the service.
public struct SigningRequest: Sendable, Equatable {
    /// What the service says about the document; nil when it says nothing.
    public let description: DocumentText?
    public let hash: DocumentHash
    /// Whether somebody signed it before.
    public let isSigned: Bool

    public init(description: DocumentText?, hash: DocumentHash, isSigned: Bool = false) {
        self.description = description
        self.hash = hash
        self.isSigned = isSigned
    }
}
