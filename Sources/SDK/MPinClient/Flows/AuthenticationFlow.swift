// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// Proves that the person knows the PIN, and asks for the verdict (docs/protocol/milagro.md, section 7.1).
///
///     start        -> pass 1
///     pass 1       -> pass 2
///     pass 2       -> authenticate: pass 2 itself never reveals whether the PIN was right
///     authenticate -> its reply
///
/// The PIN is not part of the flow: the attempt was made from it before, and is gone after pass 2.
struct AuthenticationFlow: Flow, ~Copyable {
    private enum State {
        case ready
        case awaitingPass1(Exchange<Challenge>)
        case awaitingPass2(Exchange<LoginTicket>)
        case awaitingVerdict(Exchange<LoginReply>)
        case finished
    }

    let dialect: any Dialect
    let prover: Prover
    let target: AuthenticationTarget
    /// The person's card, if there is one.
    let card: CardTimes?
    private let commitment: Pass1Commitment
    /// Nil once pass 2 has used it.
    private var attempt: AuthenticationAttempt?
    private var state = State.ready

    init(
        dialect: any Dialect, prover: Prover, target: AuthenticationTarget, attempt: consuming AuthenticationAttempt,
        card: CardTimes? = nil
    ) {
        self.card = card
        self.dialect = dialect
        self.prover = prover
        self.target = target
        commitment = attempt.commitment
        self.attempt = consume attempt
    }

    mutating func start() throws(MPinError) -> FlowStep<LoginReply> {
        let exchange = try dialect.pass1(prover, commitment, target: target)
        state = .awaitingPass1(exchange)
        return .make(exchange.call)
    }

    mutating func receive(_ outcome: CallOutcome) throws(MPinError) -> FlowStep<LoginReply> {
        switch state {
        case .awaitingPass1(let exchange):
            let response = try respond(to: try exchange.reply(from: outcome))
            let next = try dialect.pass2(prover.identity.mpinID, response: response, target: target)
            state = .awaitingPass2(next)
            return .make(next.call)
        case .awaitingPass2(let exchange):
            var ticket: LoginTicket
            do { ticket = try exchange.reply(from: outcome) } catch { throw error.afterPass2(outcome) }
            if ticket.asksForCard { ticket.card = card }
            let next = dialect.authenticate(ticket, target: target)
            state = .awaitingVerdict(next)
            return .make(next.call)
        case .awaitingVerdict(let exchange):
            state = .finished
            do { return .finish(try exchange.reply(from: outcome)) } catch { throw error.afterFinalCall(outcome) }
        case .ready, .finished: preconditionFailure("no call is out")
        }
    }

    private mutating func respond(to challenge: Challenge) throws(MPinError) -> SecretBytes {
        guard let attempt = attempt.take() else { preconditionFailure("pass 2 is made once") }
        do { return SecretBytes(copying: try attempt.respond(to: challenge)) } catch {
            throw MPinError(.cryptography, detail: "pass 2: \(error); try again")
        }
    }
}

extension MPinError {
    /// Marks a failed call from pass 2 on: if it may have arrived without an answer, the login may have happened.
    fileprivate func afterPass2(_ outcome: CallOutcome) -> MPinError {
        if case .failed(_, mayHaveBeenSent: true) = outcome { withUnknownOutcome() } else { self }
    }

    /// Marks an `authenticate` request with an unintelligible answer: the server, or a proxy in its place, reported a
    /// success.
    fileprivate func afterFinalCall(_ outcome: CallOutcome) -> MPinError {
        kind == .badReply ? withUnknownOutcome() : afterPass2(outcome)
    }
}
