// SPDX-License-Identifier: Apache-2.0

/// The reason why a D-TA elsewhere gave no share, for the operator's log. A device is only asked to try again.
package enum AuthorityFault: Error, Equatable {
    /// No connection, or the connection ended early. The text is libcurl's.
    case noReply(String)
    /// The certificate is not the D-TA's, or there is no TLS. The text is libcurl's.
    case untrusted(String)
    /// The reply was not complete in time.
    case late
    /// Too many requests wait for the D-TA.
    case busy
    case replyTooLong
    /// The D-TA redirects with this status. The backend does not follow: another server is not the D-TA.
    case redirected(Int)
    /// A status of 500 or more.
    case failed(Int)
    /// Any other status but 200, and the message of the D-TA.
    case refused(Int, String)
    /// The reply is not JSON, or lacks this field in hexadecimal.
    case malformed(field: String)
    case wrongLength(expected: Int, actual: Int)
    /// The value is not a point of the curve, or has another order.
    case noPoint
    /// A point of the group, but not this D-TA's share for this identity and day.
    case otherShare
    /// The D-TA has another half of the master secret than the one recorded in the file `mark`.
    case otherHalf(mark: String)
    /// Both D-TAs have the same half.
    case sameHalf
    /// The file that names the known half cannot be read or written.
    case markUnusable(String)
}

extension AuthorityFault {
    /// One word for each kind, to search logs by.
    package var kind: String {
        switch self {
        case .noReply: "no-reply"
        case .untrusted: "untrusted"
        case .late: "late"
        case .busy: "busy"
        case .replyTooLong: "reply-too-long"
        case .redirected: "redirected"
        case .failed: "failed"
        case .refused: "refused"
        case .malformed: "malformed"
        case .wrongLength: "wrong-length"
        case .noPoint: "no-point"
        case .otherShare: "other-share"
        case .otherHalf: "other-half"
        case .sameHalf: "same-half"
        case .markUnusable: "mark-unusable"
        }
    }

    /// A sentence with the fault and the operator's remedy.
    package var explanation: String {
        switch self {
        case .noReply(let reason): "no reply: \(reason)"
        case .untrusted(let reason): "not trusted: \(reason); hint: name its authority with --dta-ca FILE"
        case .late: "no complete reply in time"
        case .busy: "too many requests wait for it"
        case .replyTooLong: "the reply is longer than any share"
        case .redirected(let status): "status \(status): it is not asked elsewhere; hint: give its final address"
        case .failed(let status): "status \(status)"
        case .refused(let status, let words): "status \(status): \(words)"
        case .malformed(let field): "the reply has no \(field) in hexadecimal"
        case .wrongLength(let expected, let actual): "the share has \(actual) bytes instead of \(expected)"
        case .noPoint: "the share is not a point of the group"
        case .otherShare: "the share is not for what was asked, or of another half"
        case .otherHalf(let mark):
            "it has another half of the master secret than before; hint: restore its file; if every user is to "
                + "register again, remove \(mark)"
        case .sameHalf: "both D-TAs have the same half; hint: each makes its own"
        case .markUnusable(let reason): reason
        }
    }
}
