// SPDX-License-Identifier: Apache-2.0

/// A browser that waits to be logged in by a device. Milagro protocol, section 7.3.
struct LoginSession: Sendable {
    static let lifetime = Duration.seconds(300)
    /// The time a device that began in the last second gets to finish.
    static let grace = Duration.seconds(5)
    /// How long a device waits for the browser after a right PIN.
    static let browserDeadline = Duration.seconds(10)

    /// What the device reported; the raw values are those of the wire.
    enum Progress: String { case new, scanned = "wid", user, abort }

    var progress = Progress.new
    /// The user that the device named, as it named it.
    var userID = ""
    /// Set once the PIN was right: the browser fetches it and hands it to the relying party.
    var authOTT: OneTimeToken?
}
