// SPDX-License-Identifier: Apache-2.0

/// Hands a signature in. When no answer came it may have arrived: nothing is sent twice.
struct HandInFlow: Flow {
    let exchange: Exchange<Void>

    mutating func start() throws(MPinError) -> FlowStep<Void> { .make(exchange.call) }

    mutating func receive(_ outcome: CallOutcome) throws(MPinError) -> FlowStep<Void> {
        do { return .finish(try exchange.reply(from: outcome)) } catch {
            guard case .failed(_, mayHaveBeenSent: true) = outcome else { throw error }
            throw error.adding("; whether the signature arrived is unknown", outcomeIsUnknown: true)
        }
    }
}
