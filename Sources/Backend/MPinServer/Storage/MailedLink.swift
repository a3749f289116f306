// SPDX-License-Identifier: Apache-2.0

package import BackendValues

/// A mail's short link. The storage has neither the mail's token nor the address that it leads to.
package struct MailedLink: Sendable, Equatable {
    /// The digest of the token.
    package let digest: [UInt8]
    /// The address, sealed with a key made of the token.
    package let sealedTarget: [UInt8]
    package let expires: WallTime

    package init(digest: [UInt8], sealedTarget: [UInt8], expires: WallTime) {
        self.digest = digest
        self.sealedTarget = sealedTarget
        self.expires = expires
    }
}
