// SPDX-License-Identifier: Apache-2.0

/// What a relying party of the Trust platform knows about one browser.
struct PlatformBrowser: Sendable {
    static let lifetime = Duration.seconds(3600)

    /// The login code on its page.
    struct Attempt: Sendable {
        let webOTT: String
        let qrText: String
    }

    var attempt: Attempt?
    /// Who is logged in.
    var user: String?
}
