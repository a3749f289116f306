// SPDX-License-Identifier: Apache-2.0

/// What an access token allows: to ask who somebody is.
struct AccessGrant: Sendable {
    static let lifetime = Duration.seconds(300)

    let userID: String
    let scopes: Set<String>
}
