// SPDX-License-Identifier: Apache-2.0

/// How the relying party finished a login.
struct LoginResult: Sendable {
    let status: Int
    let message: String
    let logout: LogoutOffer
}
