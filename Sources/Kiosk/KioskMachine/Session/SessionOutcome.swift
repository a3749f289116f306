// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The outcome of a session, or of a command for one user. Each has exactly one. The raw values are stable names for
/// scripts and records. A new one needs a case here and a row in the table below.
public enum SessionOutcome: String, Sendable, CaseIterable {
    case loggedIn
    case registered
    /// A one-time password or a registration code was shown.
    case codeIssued
    /// A person logged in at the kiosk itself, and the door opened.
    case doorOpened
    /// A person deleted their identity.
    case identityDeleted
    /// A person changed the PIN.
    case pinChanged
    /// The service accepted a signature.
    case signed
    /// The person said no, or left.
    case declined
    /// The person walked away.
    case timedOut
    /// The kiosk stopped.
    case stopped

    case invalidCode
    case unknownUser
    case untrusted
    /// A trusted host on this machine uses http, which is for trials.
    case loopbackHTTP
    /// The service names a host that is trusted, but not for this service.
    case anotherService
    /// The server's key matches none of the pins for its host: nothing was sent to it.
    case serverKeyRefused
    case versionRefused
    case appRefused
    case invalidConfiguration
    case serviceUnavailable
    case unreachable

    case notAuthorized
    case notVerified
    case registrationExpired
    case registrationFailed
    case identityExists
    case weakPIN

    case wrongPIN
    /// An unverified person has to wait: too many PINs of unverified people were wrong.
    case mustWait
    /// An unverified person has no tries left here.
    case triesUsed
    case blocked
    case revoked
    case sessionExpired
    case browserTimedOut
    case secretExpired
    case storageFailed
    /// Pass 2 was sent and no answer came: the browser may or may not be logged in.
    case outcomeUnknown
    /// The service's hash does not belong to the document that was shown: nothing was signed.
    case documentDiffers
    /// The service refuses the signature.
    case signatureRefused
    /// The backend does not offer this task.
    case notOffered
    /// The backend does not offer this task to this device.
    case notAllowed
    /// The door was opened too often just now.
    case tooOften
    /// A person logged in at the kiosk itself, but the door did not open.
    case doorFailed
    /// A person logged in at the kiosk itself, but nobody knows whether the door opened.
    case doorUnknown

    // Only commands end so.

    /// The user has identities at several backends, and none was named.
    case ambiguousUser
    /// The registration waits for its mail, or for its PIN.
    case unfinished
    /// The registration code, activation token or verification code is wrong, used, or too old.
    case codeRefused
    /// The link is in a mail to another user.
    case codeOfAnotherUser
    /// The server sends no further mail yet.
    case mailTooSoon
    /// The backend registers only for a login page's session, and none was given.
    case needsSession
    /// The backend's PINs have another number of digits. No request was made.
    case pinLength
    /// The new PIN is the old one.
    case samePIN
    /// The store did not save the new PIN. The old one still works.
    case pinNotStored
    /// The server's verdict on the old PIN did not arrive. That PIN still works.
    case pinVerdictLost
    case alreadySigned
    case failed
}

extension SessionOutcome {
    /// The consequences of an outcome.
    struct Meaning {
        /// The exit code for scripts: that of sysexits(3) if one fits, 80 and up for results that only a login has. 0
        /// means that the session fulfilled its purpose.
        let exitCode: Int32
        /// The result, in words for an operator.
        let words: String
        /// The next step, in words for an operator; nil when it is obvious.
        var hint: String?
        /// The person's sentence after a failed step; nil for the sentence of that step.
        var sentence: PromptKey?
        /// Whether to report to the server that the code was given up. False when the server already knows the result,
        /// cannot be reached, or may be logging in the browser at this moment.
        let abandonsCode: Bool

        static func success(_ words: String) -> Meaning { Meaning(exitCode: 0, words: words, abandonsCode: false) }

        /// An outcome that the server is told.
        static func givenUp(
            _ exitCode: Int32, _ words: String, hint: String? = nil, _ sentence: PromptKey? = nil
        ) -> Meaning {
            Meaning(exitCode: exitCode, words: words, hint: hint, sentence: sentence, abandonsCode: true)
        }

        /// An outcome that the server is not told.
        static func ended(
            _ exitCode: Int32, _ words: String, hint: String? = nil, _ sentence: PromptKey? = nil
        ) -> Meaning {
            Meaning(exitCode: exitCode, words: words, hint: hint, sentence: sentence, abandonsCode: false)
        }
    }

    /// The table of outcomes.
    var meaning: Meaning {
        switch self {
        case .loggedIn: .success("logged in")
        case .registered: .success("registered")
        case .codeIssued: .success("a code was issued")
        case .doorOpened: .success("logged in, and the door is open")
        case .identityDeleted: .success("deleted")
        case .pinChanged: .success("PIN changed")
        case .signed: .success("signed")
        case .declined: .givenUp(84, "declined")
        case .timedOut: .givenUp(75, "timed out")
        case .stopped: .givenUp(75, "stopped")
        case .invalidCode: .ended(65, "not a login code", hint: readAgain, .codeMistyped)
        case .unknownUser:
            .givenUp(67, "not registered here at this service", hint: "see who is: login-kiosk identities list")
        case .untrusted:
            .ended(
                78, "the service is not on the trust list", hint: "if it is yours: login-kiosk trust add HOST",
                .backendUntrusted)
        case .loopbackHTTP:
            .ended(
                78, "the service is on this machine and is reached by http",
                hint: "for a trial on one machine: --allow-loopback-http", .backendUntrusted)
        case .anotherService:
            .ended(
                93, "the service leads to a host that is trusted, but not for this service",
                hint: "the log names both; if one may use the other: login-kiosk trust add 'HOST -> OTHER-HOST'",
                .backendOfAnotherService)
        case .serverKeyRefused:
            .ended(
                94, "the server has another key than the trust list says; nothing was sent to it",
                hint: "see which host, and what to do: login-kiosk doctor --online", .serverKeyRefused)
        case .versionRefused: .givenUp(77, "the service wants a newer version", .versionRefused)
        case .appRefused:
            .givenUp(
                77, "this kiosk may not log in to this service",
                hint: "it may want another company id: --company-id ID", .appRefused)
        case .invalidConfiguration:
            .givenUp(76, "the service's description makes no sense", hint: logSaysMore, .invalidConfiguration)
        case .serviceUnavailable: .givenUp(69, "the service is unavailable", hint: logSaysMore, .serviceUnavailable)
        case .unreachable: .ended(69, "the service cannot be reached", hint: logSaysMore, .unreachable)
        case .notAuthorized: .givenUp(77, "the service refuses this user", .notAuthorized)
        case .notVerified: .givenUp(88, "not confirmed yet", hint: "follow the mail, and run the same command again")
        case .registrationExpired:
            .givenUp(89, "the registration has expired", hint: "run the same command again for another mail")
        case .registrationFailed: .givenUp(70, "the registration failed", hint: logSaysMore)
        case .identityExists: .givenUp(73, "registered already", hint: chooseOrEnroll)
        case .weakPIN:
            .givenUp(90, "this PIN is too easy to guess", hint: "choose one without repeated or consecutive digits")
        case .wrongPIN: .givenUp(80, "wrong PIN", .wrongPIN)
        case .mustWait: .givenUp(75, "too many wrong PINs of unverified users")
        case .triesUsed: .givenUp(95, "no more tries here for an unverified user", hint: nameThePerson)
        case .blocked: .givenUp(81, "blocked", hint: unblockOrEnroll, .blocked)
        case .revoked: .givenUp(82, "revoked", hint: deleteAndEnroll)
        case .sessionExpired: .ended(83, "the code has expired", hint: readAgain, .sessionExpired)
        case .browserTimedOut: .ended(86, "the browser did not answer", hint: lookFirst, .browserDidNotAnswer)
        case .secretExpired: .givenUp(87, "the identity has expired", hint: deleteAndEnroll, .secretExpired)
        case .storageFailed:
            .givenUp(
                74, "the identity could not be stored", hint: "see what is wrong: login-kiosk doctor", .storageFailed)
        case .outcomeUnknown: .ended(85, "unknown: the answer did not arrive", hint: lookFirst)
        case .documentDiffers:
            .givenUp(
                76, "the service wants another text signed than the one that was shown",
                hint: "nothing was signed; ask the service's operator", .documentNotVerified)
        case .signatureRefused: .givenUp(70, "the service does not take the signature", .signatureRefused)
        case .notOffered:
            .givenUp(
                69, "the service does not offer this", hint: "see what its dialect has: docs/matrix.md",
                .taskNotOffered)
        case .notAllowed:
            .givenUp(
                77, "this device may not do this at the service", hint: "try it on a device that registered by mail",
                .taskNotAllowed)
        case .tooOften: .ended(75, "the door was opened too often", .doorTooOften)
        case .doorFailed: .ended(70, "logged in, but the door did not open", .doorFailed)
        case .doorUnknown: .ended(85, "logged in; whether the door opened is unknown", .doorUnknown)
        case .ambiguousUser: .ended(64, "this user has several identities", hint: "name one of them: --backend BACKEND")
        case .unfinished: .ended(88, "the registration is not finished", hint: "go on with it: login-kiosk enroll")
        case .codeRefused: .givenUp(77, "the code is wrong, used, or too old", hint: "get a new one")
        case .codeOfAnotherUser: .ended(65, "this link is in a mail to somebody else", hint: "name that user: --user")
        case .mailTooSoon:
            .givenUp(
                75, "no mail is sent again yet",
                hint: "wait until then, or give the link of the mail that was sent: login-kiosk enroll --code")
        case .needsSession:
            .ended(
                64, "the service registers for the session of a page or an application only",
                hint: "name it: --qr or --qr-file FILE for a page, --application URL for an application")
        case .pinLength: .givenUp(65, "the PIN has another number of digits here")
        case .samePIN: .givenUp(65, "the new PIN is the old one", hint: "choose another one")
        case .pinNotStored:
            .ended(
                74, "the new PIN could not be stored; the old one goes on working",
                hint: "see what is wrong: login-kiosk doctor")
        case .pinVerdictLost:
            .ended(
                75, "the service's answer did not arrive; the old PIN goes on working", hint: "try again later")
        case .alreadySigned: .ended(65, "the document was signed already", hint: "get a new code")
        case .failed: .givenUp(70, "failed", hint: logSaysMore)
        }
    }

    /// Whether the person got what the session was for.
    public var isSuccess: Bool { meaning.exitCode == 0 }
    public var abandonsCode: Bool { meaning.abandonsCode }
    public var exitCode: Int32 { meaning.exitCode }
    /// The result, in words for an operator.
    public var words: String { meaning.words }
    /// The next step, in words for an operator, and the section of docs/troubleshooting.md about the outcome; nil when
    /// the step is obvious and the page has no section about it.
    public var hint: String? {
        guard let section else { return meaning.hint }
        let place = "see \"\(section)\" in docs/troubleshooting.md"
        return meaning.hint.map { "\($0); \(place)" } ?? place
    }

    /// The sentence of a login that ends so; nil for the sentence of the failed step.
    var sentenceOfLogin: PromptKey? {
        switch self {
        case .mustWait: .unverifiedWait
        case .triesUsed: .triesUsed
        case .revoked: .revoked
        case .outcomeUnknown: .outcomeUnknown
        default: meaning.sentence
        }
    }

    /// The heading in docs/troubleshooting.md above the row of the sentence, or above the lines of the log.
    private var section: String? {
        switch sentenceOfLogin {
        case nil: meaning.hint == logSaysMore ? "By the line in the log" : nil
        case .codeMistyped, .sessionExpired, .backendUntrusted, .backendOfAnotherService, .serverKeyRefused:
            "A code is refused"
        case .versionRefused, .appRefused, .invalidConfiguration, .serviceUnavailable, .unreachable, .storageFailed:
            "The service or the device fails"
        default: "A login ends"
        }
    }
}

private let logSaysMore = "the log has more: --log-level debug"
private let unblockOrEnroll =
    "the service can unblock the user for a week; or login-kiosk identities delete, then enroll"
private let nameThePerson =
    "log in from a page where the user entered the name, or with a personal card, or register again"
private let deleteAndEnroll = "login-kiosk identities delete, then enroll"
private let chooseOrEnroll =
    "to choose a new PIN: login-kiosk identities change-pin, or delete and enroll where the old one is forgotten"
private let readAgain = "refresh the page and read its code again"
private let lookFirst = "look at the browser before you try again"
