// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// Announces the user to a browser session and fetches the time permit (docs/protocol/milagro.md, section 5).
///
///     start         -> announce, first share, or the end when permits are not in use
///     announce      -> first share, after any reply
///     first share   -> the end when the cache has the other one of that day; else storage, or second share
///     storage       -> the end, or second share after any failure
///     second share  -> the end
///
/// The first share is fetched every time: with it the server refuses a revoked identity.
struct TimePermitFlow: Flow {
    struct Outcome {
        /// Nil when the backend uses no permits.
        let permit: TimePermit?
        /// The cache to store; nil when nothing changed.
        let newCache: PermitCache?
    }

    private enum State {
        case ready
        case announcing
        case awaitingFirstShare(Exchange<FirstTimePermitShare>, any TimePermitDialect)
        case awaitingStorage(FirstTimePermitShare, Exchange<TimePermitShare>, any TimePermitDialect)
        case awaitingSecondShare(FirstTimePermitShare, Exchange<TimePermitShare>)
        case finished
    }

    let dialect: any Dialect
    let mpinID: MPinID
    let userID: String
    let accessCode: AccessCode?
    let cache: PermitCache?
    private var state = State.ready

    init(dialect: any Dialect, mpinID: MPinID, userID: String, accessCode: AccessCode?, cache: PermitCache?) {
        self.dialect = dialect
        self.mpinID = mpinID
        self.userID = userID
        self.accessCode = accessCode
        self.cache = cache
    }

    mutating func start() throws(MPinError) -> FlowStep<Outcome> {
        guard let accessCode, let announcement = dialect.announce(userID: userID, for: accessCode) else {
            return try requestFirstShare()
        }
        state = .announcing
        return .make(announcement.call)
    }

    mutating func receive(_ outcome: CallOutcome) throws(MPinError) -> FlowStep<Outcome> {
        switch state {
        case .announcing: return try requestFirstShare()
        case .awaitingFirstShare(let exchange, let permits):
            let first = try exchange.reply(from: outcome)
            if let cache, cache.day == first.day {
                return try finish(first, cache.share, place: exchange.call.place, newCache: nil)
            }
            guard let stored = permits.storedTimePermitShare(first) else { return requestSecondShare(first, permits) }
            state = .awaitingStorage(first, stored, permits)
            return .make(stored.call)
        case .awaitingStorage(let first, let exchange, let permits):
            guard let share = try? exchange.reply(from: outcome) else { return requestSecondShare(first, permits) }
            return try finish(first, caching: share, place: exchange.call.place)
        case .awaitingSecondShare(let first, let exchange):
            return try finish(first, caching: try exchange.reply(from: outcome), place: exchange.call.place)
        case .ready, .finished: preconditionFailure("no call is out")
        }
    }

    private mutating func requestFirstShare() throws(MPinError) -> FlowStep<Outcome> {
        guard let permits = dialect.timePermits else {
            state = .finished
            return .finish(Outcome(permit: nil, newCache: nil))
        }
        let exchange = try permits.firstTimePermitShare(of: mpinID)
        state = .awaitingFirstShare(exchange, permits)
        return .make(exchange.call)
    }

    private mutating func requestSecondShare(
        _ first: FirstTimePermitShare, _ permits: any TimePermitDialect
    ) -> FlowStep<Outcome> {
        let exchange = permits.secondTimePermitShare(first)
        state = .awaitingSecondShare(first, exchange)
        return .make(exchange.call)
    }

    private mutating func finish(
        _ first: FirstTimePermitShare, caching share: TimePermitShare, place: String
    ) throws(MPinError) -> FlowStep<Outcome> {
        try finish(first, share, place: place, newCache: PermitCache(day: first.day, share: share))
    }

    private mutating func finish(
        _ first: FirstTimePermitShare, _ second: TimePermitShare, place: String, newCache: PermitCache?
    ) throws(MPinError) -> FlowStep<Outcome> {
        state = .finished
        guard first.share.encoded != second.encoded else {
            throw MPinError(
                .badReply, detail: "\(place): the second share is a copy of the first")
        }
        do {
            let permit = try TimePermit(combining: first.share, second, day: first.day)
            return .finish(Outcome(permit: permit, newCache: newCache))
        } catch {
            throw MPinError(.badReply, detail: "\(place): the shares make no time permit: \(error)")
        }
    }
}
