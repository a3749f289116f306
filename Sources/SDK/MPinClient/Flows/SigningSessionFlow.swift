// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Requests a signing session's details through each channel, the likelier one first.
struct SigningSessionFlow: Flow {
    let dialect: any TrustDialect
    let accessCode: AccessCode
    private var channels: [SigningSession.Channel]
    private var pending: Exchange<SigningSession?>?
    /// The first refusal of the code itself: it is more precise than a refusal of a channel.
    private var codeRefusal: MPinError?

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
            throw MPinError(
                .sessionExpired,
                detail: "\(pending.call.place): the code is not one of something to be signed", httpStatus: 200)
        } catch {
            // Tries the next channel only if the server does not know the code, or not this channel.
            switch error.kind {
            case .sessionExpired: codeRefusal = codeRefusal ?? error
            case .requestRefused: break
            default: throw error
            }
            guard channels.isEmpty else { return try start() }
            throw codeRefusal ?? error
        }
    }
}
