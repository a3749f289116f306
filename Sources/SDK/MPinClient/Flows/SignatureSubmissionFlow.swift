// SPDX-License-Identifier: Apache-2.0

/// Submits a signature. It is never sent twice: without an answer it may have arrived.
struct SignatureSubmissionFlow: Flow {
    let exchange: Exchange<Void>

    mutating func start() throws(MPinError) -> FlowStep<Void> { .make(exchange.call) }

    mutating func receive(_ outcome: CallOutcome) throws(MPinError) -> FlowStep<Void> {
        do { return .finish(try exchange.reply(from: outcome)) } catch {
            let isUnknown =
                switch outcome {
                case .failed(_, let mayHaveBeenSent): mayHaveBeenSent
                // An unintelligible success is not a refusal either.
                case .answered: error.kind == .badReply
                }
            guard isUnknown else { throw error }
            throw error.withUnknownOutcome("; whether the signature arrived is unknown")
        }
    }
}
