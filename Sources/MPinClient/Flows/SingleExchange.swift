// SPDX-License-Identifier: Apache-2.0

/// The flow of one exchange: its reply is the outcome.
struct SingleExchange<Reply>: Flow {
    let exchange: Exchange<Reply>

    mutating func start() throws(MPinError) -> FlowStep<Reply> { .make(exchange.call) }

    mutating func receive(_ outcome: CallOutcome) throws(MPinError) -> FlowStep<Reply> {
        .finish(try exchange.reply(from: outcome))
    }
}
