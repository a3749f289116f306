// SPDX-License-Identifier: Apache-2.0

/// An operator's browser that knew the password.
struct OperatorSession: Sendable {
    static let lifetime = Duration.seconds(3600)

    /// What every form of its pages carries: a page of another site cannot know it.
    let formToken: OneTimeToken
    /// Of the password that it knew.
    let passwordDigest: [UInt8]
}
