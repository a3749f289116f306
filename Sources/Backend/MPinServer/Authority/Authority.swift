// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import MPinCrypto

/// One of the two D-TAs: in this process (``TrustedAuthority``) or on another machine (``RemoteAuthority``). It holds
/// half of the master secret and sees hashes, never a user id. docs/protocol/milagro.md, section 11.4.
package protocol Authority: Sendable {
    /// Signs requests to this D-TA.
    var requests: ShareRequest { get }
    /// The address for requests of devices, without a trailing slash; nil if this backend answers on its behalf.
    var url: String? { get }

    /// Half of the server secret, with which the RPS verifies.
    /// - Throws: `Refusal` 503 when the D-TA does not answer correctly. The methods below throw it too.
    func serverSecretShare() async throws -> ServerSecretShare
    /// Half of a client secret.
    func clientSecretShare(for identity: HashedIdentity) async throws -> ClientSecretShare
    /// Half of the time permit of one day.
    func timePermitShare(for identity: HashedIdentity, on day: EpochDay) async throws -> TimePermitShare
    /// Checks that the D-TA would give a share now, before a registration is used up whose device will fetch the
    /// share itself.
    func requireAnswer() async throws
    /// Checks before a device is sent there for a permit. It sends no request: a device that has its permit needs
    /// none.
    /// - Throws: `Refusal` 503 when the D-TA last had another half than before, which would make a right PIN wrong.
    func requireSameHalf() throws
}

/// Both D-TAs.
package struct Authorities: Sendable {
    /// The D-TA that the RPS asks.
    let first: any Authority
    /// The D-TA that devices ask. The RPS and devices each fetch one half.
    package let second: any Authority

    package init(first: any Authority, second: any Authority) {
        self.first = first
        self.second = second
    }

    /// The D-TA by its number in paths, 1 or 2.
    subscript(number: Int) -> (any Authority)? {
        switch number {
        case 1: first
        case 2: second
        default: nil
        }
    }
}

extension Refusal {
    /// A D-TA did not answer, or answered wrongly. The log names it and the fault. The refusal sets no time to retry:
    /// nobody knows how long this lasts, and devices would keep their people waiting.
    package static let authorityFailed = Refusal(503, "A D-TA does not answer. Try again later.")

    /// No D-TA has answered since the start.
    static let notReady = Refusal(503, "The D-TAs have not answered yet. Try again later.", retryAfter: 2)
}
