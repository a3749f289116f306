// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskRuntime

extension RunFailure {
    /// For an operator: what happened.
    var words: String {
        switch reason {
        case .session(let outcome): outcome.words
        case .ambiguous(let backends): "this user has several identities, at \(backends.joined(separator: ", "))"
        case .unfinished: "the registration is not finished"
        case .codeRefused: "the code is wrong, used, or too old"
        case .codeOfAnotherUser: "this link is in a mail to somebody else"
        case .mailTooSoon(let time): "no mail is sent again before \(ServerTime.text(time))"
        case .needsSession: "the service registers for the session of a page or an application only"
        case .pinLength(let lengths):
            lengths.count == 1
                ? "the PIN has \(lengths.lowerBound) digits here"
                : "a PIN has \(lengths.lowerBound) to \(lengths.upperBound) digits here"
        case .samePIN: "the new PIN is the old one"
        case .pinNotStored: "the new PIN could not be stored; the old one goes on working"
        case .pinVerdictLost: "the service's answer did not arrive; the old PIN goes on working"
        case .alreadySigned: "the document was signed already"
        case .documentDiffers: "the service wants another text signed than the one in the file"
        case .signatureRefused(let word): "the service does not accept the signature: \(DisplayText(word))"
        }
    }

    /// What the operator can do next; nil where that goes without saying.
    var hint: String? {
        switch reason {
        case .session(let outcome): outcome.hint
        case .ambiguous: "name one of them: --backend BACKEND"
        case .unfinished: "go on with it: login-kiosk enroll"
        case .mailTooSoon: "wait until then, or give the link of the mail that was sent: login-kiosk enroll --code"
        case .codeRefused: "get a new one"
        case .codeOfAnotherUser: "name that user: --user"
        case .needsSession: "name it: --qr or --qr-file FILE for a page, --application URL for an application"
        case .pinLength: nil
        case .samePIN: "choose another one"
        case .pinNotStored: "see what is wrong: login-kiosk doctor"
        case .pinVerdictLost: "try again later"
        case .alreadySigned: "get a new code"
        case .documentDiffers: "nothing was signed; ask the service's operator"
        case .signatureRefused: nil
        }
    }
}
