// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import MPinCrypto

/// One of the two D-TAs, as RPS and platform ask it: in this process (``TrustedAuthority``) or on another machine
/// (``RemoteAuthority``). It holds half of the master secret and sees hashes, never a user id. Milagro protocol,
/// section 11.4.
protocol Authority: Sendable {
    /// Signs the requests to it.
    var requests: ShareRequest { get }
    /// Where devices ask it themselves, without a slash at the end; nil where this backend answers in its place.
    var url: String? { get }

    /// Half of what the RPS verifies with.
    /// - Throws: `Refusal` 503 when it does not answer, or not what it should. So below.
    func serverSecretShare() async throws -> ServerSecretShare
    /// Half of a client secret.
    func clientSecretShare(for identity: HashedIdentity) async throws -> ClientSecretShare
    /// Half of the time permit of one day.
    func timePermitShare(for identity: HashedIdentity, on day: EpochDay) async throws -> TimePermitShare
    /// Whether it would give a share now. Asked before a registration is used up for one that a device will fetch
    /// itself.
    func requireAnswer() async throws
    /// Asked before a device is sent there for a permit. It sends nothing: a device that has the permit needs no
    /// answer.
    /// - Throws: `Refusal` 503 when it last had another half than before, with which a right PIN is a wrong one.
    func requireSameHalf() throws
}

/// Both D-TAs.
struct Authorities: Sendable {
    /// The one that the RPS asks.
    let first: any Authority
    /// The one that devices ask, each for its own half.
    let second: any Authority

    /// By the number that it has in paths: 1 or 2.
    subscript(number: Int) -> (any Authority)? {
        switch number {
        case 1: first
        case 2: second
        default: nil
        }
    }
}

extension Refusal {
    /// A D-TA does not answer, or not what it should; the log says which of the two, and how. Without a time to come
    /// back at: devices wait for that, with their people, and how long this lasts cannot be known.
    static let authorityFailed = Refusal(503, "A D-TA does not answer. Try again later.")

    /// The D-TAs have not been heard yet since the start.
    static var notReady: Refusal {
        var refusal = Refusal(503, "The D-TAs have not answered yet. Try again later.")
        refusal.headers[.retryAfter] = "2"
        return refusal
    }
}
