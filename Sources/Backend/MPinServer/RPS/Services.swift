// SPDX-License-Identifier: Apache-2.0

package import MPinCrypto

/// The questions that a relying party asks the RPS of its place. Both are in one process. docs/protocol/milagro.md,
/// section 11.2.
package protocol RPSService: Sendable {
    /// Opens a session for the browser of a page that changes its code, with one for its picture.
    /// - Parameter application: names to devices whom the page is for; nil for the place's own web site. An RPS
    ///   elsewhere does not tell them. So below.
    /// - Throws: `Refusal` 429, 503 when there is no room for that.
    func openPage(for application: String?) async throws -> NewSession
    /// Ends a session whose page is gone before a device proved a PIN, and frees its room.
    func closePage(_ webOTT: OneTimeToken, number: String?) async throws
    /// A number to type, which stands for the picture of a page.
    /// - Throws: `Refusal` 429, 503 when enough are open.
    func makePageNumber(of webOTT: OneTimeToken) async throws -> String
    /// How far a session is.
    func access(_ request: AccessRequest) async throws -> AccessReply
    /// Yields when the session of a page changes; nil for an RPS that cannot tell.
    func changes(ofPage webOTT: OneTimeToken) -> AsyncStream<Void>?
    /// Returns who logged in; it answers once.
    /// - Throws: `Refusal` 401, 410, 429 and 503 as judged, 408 for an unknown, used or expired authOTT.
    func verdict(_ request: VerdictRequest) async throws -> VerdictReply
    /// Releases the device.
    /// - Throws: `Refusal` 408 when it waits no more.
    func finish(_ decision: LoginDecision) async throws
    /// The person followed the link in the mail.
    /// - Throws: `Refusal` 401 for a registration that is unknown, expired or used, or another key.
    func activate(_ mpinID: MPinID, key: String) async throws
}

extension RPS: RPSService {}
