// SPDX-License-Identifier: Apache-2.0

import MPinClient

/// The end of one login, as the person saw it at kiosk and browser. Times are seconds.
struct SwarmLogin: Sendable {
    /// The kiosk's final message.
    enum Told: Sendable, Equatable {
        case loggedIn, wrongPIN
        /// The person may try again; the text is the reason in one word.
        case tryAgain(String)
        /// Blocked, revoked and similar answers, to which no PIN of a swarm leads.
        case refused(String)
        /// No answer for longer than any kiosk waits.
        case nothing
    }

    /// A result that must never occur.
    enum Fault: String, Sendable, CaseIterable {
        /// A wrong PIN logged in, a right one was refused, or the page greets another person.
        case wrongVerdict = "wrong_verdicts"
        /// The kiosk reports a login that the page does not know, or reports nothing.
        case lostLogin = "lost_logins"
        /// A reported wrong PIN is not counted.
        case lostCount = "lost_counts"
        /// A wrong PIN is counted more than once.
        case doubleCount = "double_counts"
    }

    /// Time since the load began.
    var begins: Double
    var ends: Double
    var user: String
    var typedWrongPIN: Bool
    var told: Told
    /// The person that the page greets; nil when it greets nobody.
    var greeted: String?
    /// Whether a browser took part.
    var hasPage: Bool
    /// The time until the page showed its code.
    var pageSession: Double?
    /// The time from the last digit to the kiosk's message.
    var outcome: Double?
    /// The time from that message to the page's knowledge, at least zero.
    var knowledge: Double?

    /// Nil when the result matches the PIN, or the person may try again.
    var fault: Fault? {
        if let greeted, greeted != user || typedWrongPIN { return .wrongVerdict }
        switch told {
        case .loggedIn:
            if typedWrongPIN { return .wrongVerdict }
            return hasPage && greeted == nil ? .lostLogin : nil
        case .wrongPIN: return typedWrongPIN ? nil : .wrongVerdict
        case .refused: return .wrongVerdict
        case .nothing: return .lostLogin
        case .tryAgain: return nil
        }
    }
}

extension SwarmLogin.Told {
    /// The message of a kiosk for this error.
    init(_ error: MPinError) {
        self =
            switch error.kind {
            case .wrongPIN: .wrongPIN
            case .network: .tryAgain("unreachable")
            case .busy: .tryAgain("busy")
            case .serverFailed, .requestRefused, .badReply: .tryAgain("server_failed")
            case .outcomeUnknown: .tryAgain("outcome_unknown")
            case .sessionExpired: .tryAgain("session_expired")
            case .browserTimedOut: .tryAgain("browser_timed_out")
            default: .refused(error.status.name.lowercased())
            }
    }
}

/// The wrong PINs that a swarm saw, and those that the backend counted.
struct SwarmCounts: Encodable, Sendable, Equatable {
    /// Wrong PINs that the kiosk reported.
    var told = 0
    /// Wrong PINs after which the person may try again. The backend may or may not have counted them.
    var unclear = 0
    /// Wrong PINs of the same people in the operator's list.
    var counted = 0
    var lost = 0
    var extra = 0

    /// - Parameters:
    ///   - logins: all logins of the same people. Each person typed at most one wrong PIN, and nothing after it.
    ///   - list: wrong PINs by user.
    init(_ logins: [SwarmLogin], list: [String: Int]) {
        var bounds: [String: (least: Int, most: Int)] = [:]
        for login in logins {
            var bound = bounds[login.user] ?? (0, 0)
            if login.typedWrongPIN {
                let isTold = login.told == .wrongPIN
                told += isTold ? 1 : 0
                unclear += isTold ? 0 : 1
                bound = (bound.least + (isTold ? 1 : 0), bound.most + 1)
            }
            bounds[login.user] = bound
        }
        for (user, bound) in bounds {
            let found = list[user] ?? 0
            counted += found
            lost += max(0, bound.least - found)
            extra += max(0, found - bound.most)
        }
    }
}
