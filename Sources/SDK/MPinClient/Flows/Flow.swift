// SPDX-License-Identifier: Apache-2.0

/// One sequence of requests as a value without I/O. It returns the next request and receives its outcome, until it has
/// a result or throws.
///
/// A flow makes a bounded number of calls, knows no transport, store or clock, and is used once.
protocol Flow: ~Copyable {
    associatedtype Outcome

    mutating func start() throws(MPinError) -> FlowStep<Outcome>
    /// - Parameter outcome: the outcome of the call that the previous step returned.
    mutating func receive(_ outcome: CallOutcome) throws(MPinError) -> FlowStep<Outcome>
}

/// The next step of a flow.
enum FlowStep<Outcome> {
    case make(Call)
    case finish(Outcome)
}

/// The flow of one exchange: its reply is the outcome.
struct SingleExchange<Reply>: Flow {
    let exchange: Exchange<Reply>

    mutating func start() throws(MPinError) -> FlowStep<Reply> { .make(exchange.call) }

    mutating func receive(_ outcome: CallOutcome) throws(MPinError) -> FlowStep<Reply> {
        .finish(try exchange.reply(from: outcome))
    }
}
