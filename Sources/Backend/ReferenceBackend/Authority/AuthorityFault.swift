// SPDX-License-Identifier: Apache-2.0

/// Why a D-TA elsewhere gave no share. For the operator's log; a device hears that it may try again.
enum AuthorityFault: Error, Equatable {
    /// No connection, or one that ended early; the text is libcurl's.
    case noReply(String)
    /// It is not who it should be: its certificate, or no TLS at all. The text is libcurl's.
    case untrusted(String)
    /// The reply was not complete in time.
    case late
    /// Too many requests wait for it already.
    case busy
    case replyTooLong
    /// It wants to be asked elsewhere, with this status. Nothing follows: what answers there is not the D-TA.
    case redirected(Int)
    /// Status 500 and up.
    case failed(Int)
    /// Any other status but 200, and what it says to that.
    case refused(Int, String)
    /// No JSON, or without this field in hexadecimal.
    case malformed(field: String)
    case wrongLength(expected: Int, actual: Int)
    /// No point of the curve, or one of another order.
    case noPoint
    /// A point of the group, but not this D-TA's share for the identity and the day that were asked for.
    case otherShare
    /// Its half is not the one that this backend has known; `mark` is the file that says which one that is.
    case otherHalf(mark: String)
    /// Both D-TAs have the same half.
    case sameHalf
    /// The file that says which half it has cannot be read or written.
    case markUnusable(String)
}

extension AuthorityFault {
    /// One word for each kind, by which logs are searched.
    var kind: String {
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

    /// Text that says what happened, and what the operator may do.
    var explanation: String {
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
        case .noPoint: "the share is no point of the group"
        case .otherShare: "the share is not for what was asked, or of another half"
        case .otherHalf(let mark):
            "it has another half of the master secret than before; hint: restore its file; if every user is to "
                + "register anew, remove \(mark)"
        case .sameHalf: "both D-TAs have the same half; hint: each makes its own"
        case .markUnusable(let reason): reason
        }
    }
}
