// SPDX-License-Identifier: Apache-2.0

import MPinClient

/// How one login ended, as the person before the kiosk and the browser saw it. Times are seconds.
struct SwarmLogin: Sendable {
    /// The kiosk's words at the end.
    enum Told: Sendable, Equatable {
        case loggedIn, wrongPIN
        /// Why, in one word.
        case tryAgain(String)
        /// Blocked, revoked and the like: an answer that no PIN of a swarm leads to.
        case refused(String)
        /// Nothing, for longer than any kiosk waits.
        case nothing
    }

    /// A result that must never be.
    enum Fault: String, Sendable, CaseIterable {
        /// A wrong PIN logged in, a right one was called wrong or refused, or the page greets another person.
        case wrongVerdict = "wrong_verdicts"
        /// The person hears that the login is done, and the page does not know, or hears nothing at all.
        case lostLogin = "lost_logins"
        /// A wrong PIN that was told and is not counted.
        case lostCount = "lost_counts"
        /// One that counts more than once.
        case doubleCount = "double_counts"
    }

    /// Since the load began.
    var begins: Double
    var ends: Double
    var user: String
    var typedWrongPIN: Bool
    var told: Told
    /// Whom the page greets; nil when it greets no person.
    var greeted: String?
    /// Whether a browser was part of it.
    var hasPage: Bool
    /// Until the page showed its code.
    var pageSession: Double?
    /// From the last digit to what the person was told.
    var outcome: Double?
    /// From there to the page's knowledge, not below zero.
    var knowledge: Double?

    /// Nil where everything is as the PIN says, or the person was told to try again.
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
    /// As a kiosk tells it.
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

/// The wrong PINs that a swarm was told of, beside those that the backend counts.
struct SwarmCounts: Sendable, Equatable {
    /// Wrong PINs that the person was told of.
    var told = 0
    /// Wrong PINs after which the person was told to try again. The backend may or may not have counted them.
    var unclear = 0
    /// Wrong PINs of the same people in the operator's list.
    var counted = 0
    var lost = 0
    var extra = 0

    /// - Parameters:
    ///   - logins: all that the same people did, each of whom typed a wrong PIN once at most, and nothing after it.
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
