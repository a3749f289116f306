// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Starts a registration at today's platform, whichever generation answers:
///
///     start                    -> the registration in one request
///     404 or 405               -> the registration of the previous generation
struct TrustRegistrationFlow: Flow {
    struct Outcome {
        let reply: RegistrationReply
        /// The future dialect of the identity.
        let dialect: any Dialect
    }

    let request: RegistrationRequest
    /// Dialects still to try; empty when the last one was sent.
    private var dialects: [any Dialect]
    private var pending: (exchange: Exchange<RegistrationReply>, dialect: any Dialect)?

    /// - Parameter fallback: the previous generation; nil when the first one is certain.
    init(request: RegistrationRequest, dialect: any Dialect, fallback: (any Dialect)?) {
        self.request = request
        dialects = [dialect] + (fallback.map { [$0] } ?? [])
    }

    mutating func start() throws(MPinError) -> FlowStep<Outcome> {
        let dialect = dialects.removeFirst()
        let exchange = try dialect.register(request)
        pending = (exchange, dialect)
        return .make(exchange.call)
    }

    mutating func receive(_ outcome: CallOutcome) throws(MPinError) -> FlowStep<Outcome> {
        guard let pending else { preconditionFailure("no call is out") }
        if !dialects.isEmpty, Inferred.hasNoOneShotRegistration(outcome) { return try start() }
        return .finish(Outcome(reply: try pending.exchange.reply(from: outcome), dialect: pending.dialect))
    }
}
