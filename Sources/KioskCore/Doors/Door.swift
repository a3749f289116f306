// SPDX-License-Identifier: Apache-2.0

/// What a login at the kiosk itself opens: a strike, a program, another server.
public protocol Door: Sendable {
    /// How long nobody, or this person, may open the door yet.
    ///
    /// - Parameter userID: nil while nobody is known.
    /// - Returns: nil when the door may be opened now.
    func wait(for userID: String?) async -> Duration?

    /// Opens the door for somebody who is logged in, and records it. Returns when it is open, not when it is shut again.
    ///
    /// - Parameter userID: the identity as the backend knows it.
    func open(for userID: String) async throws(DoorFailure)
}
