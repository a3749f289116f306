// SPDX-License-Identifier: Apache-2.0

/// A login of an application on a device, which a code stands for. MIRACL protocol, section 9.4.
struct ApplicationLogin: Sendable {
    let userID: String
    /// The session of the authorization URL that it was for; nil for a login without one.
    let accessCode: String?
    let time: WallTime
}
