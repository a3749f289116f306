// SPDX-License-Identifier: Apache-2.0

/// A short link of a mail, as the storage keeps it: neither the token of the mail nor the address that it leads to.
struct MailedLink: Sendable, Equatable {
    /// Of the token.
    let digest: [UInt8]
    /// The address, sealed with a key made of the token.
    let sealedTarget: [UInt8]
    let expires: WallTime
}
