// SPDX-License-Identifier: Apache-2.0

/// One flow of requests as a value without I/O: it says which request comes next and is fed with what became of it,
/// until it has its outcome or throws.
///
/// A flow asks for a bounded number of calls, knows no transport, no store and no clock, and is used once.
protocol Flow: ~Copyable {
    associatedtype Outcome

    mutating func start() throws(MPinError) -> FlowStep<Outcome>
    /// - Parameter outcome: of the call that the last step asked for.
    mutating func receive(_ outcome: CallOutcome) throws(MPinError) -> FlowStep<Outcome>
}

/// The next step that a flow wants.
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
