// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Requests a signing session's details in each possible way, the likelier one first.
struct SigningSessionFlow: Flow {
    let dialect: any TrustDialect
    let accessCode: AccessCode
    private var channels: [SigningSession.Channel]
    private var pending: Exchange<SigningSession?>?
    /// The refusal of the likeliest way that gave a reason.
    private var refusal: MPinError?

    init(dialect: any TrustDialect, accessCode: AccessCode) {
        self.dialect = dialect
        self.accessCode = accessCode
        channels = dialect.signingChannels
    }

    mutating func start() throws(MPinError) -> FlowStep<SigningSession> {
        let exchange = dialect.signingSession(for: accessCode, by: channels.removeFirst())
        pending = exchange
        return .make(exchange.call)
    }

    mutating func receive(_ outcome: CallOutcome) throws(MPinError) -> FlowStep<SigningSession> {
        guard let pending else { preconditionFailure("no call is out") }
        do throws(MPinError) {
            if let session = try pending.reply(from: outcome) { return .finish(session) }
            let error = MPinError(
                .sessionExpired,
                detail: "\(pending.call.place): the code is not one of something to be signed", httpStatus: 200)
            note(error)
        } catch {
            // Tries the other way only if the server does not know the code, or not this way.
            guard error.kind == .requestRefused || error.kind == .sessionExpired else { throw error }
            note(error)
        }
        guard channels.isEmpty else { return try start() }
        throw refusal
            ?? MPinError(.sessionExpired, detail: "the code is not one of something to be signed")
    }

    /// Keeps the more specific refusal: a refusal of the code is preferred to one about a missing way.
    private mutating func note(_ error: MPinError) {
        if refusal == nil || refusal?.kind == .requestRefused { refusal = error }
    }
}
