// SPDX-License-Identifier: Apache-2.0

/// One opening of a door for one person.
struct Opening: Sendable, Hashable {
    /// 32 hexadecimal digits, random: ties the log, the record and a webhook's two tries together.
    let id: String
    let door: String
    let userID: String
    /// Seconds since 1970-01-01 UTC by the device's clock.
    let time: Int64
}
