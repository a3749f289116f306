// SPDX-License-Identifier: Apache-2.0

public import KioskMachine
public import LoginValues

/// How a new PIN is chosen: asked for until one is good, as the operator's policy wants it.
public struct NewPINChoice: Sendable {
    /// The number of tries. A person who cannot choose a PIN in as many has other troubles.
    private static let tries = 5

    private let policy: KioskPolicy
    private let isAttended: Bool
    private let ask: @Sendable (NewPINQuestion) async -> Pin?

    /// - Parameters:
    ///   - isAttended: whether a person answers, who can be asked again. A script's only answer is taken with the
    ///     warning where a person could keep it.
    ///   - ask: nil when no answer comes, or none again.
    public init(
        policy: KioskPolicy, isAttended: Bool, ask: @escaping @Sendable (NewPINQuestion) async -> Pin?
    ) {
        self.policy = policy
        self.isAttended = isAttended
        self.ask = ask
    }

    /// - Parameter length: how many digits the server wants; nil leaves it to the policy.
    func choose(_ purpose: NewPINQuestion.Purpose, length: Int?) async throws(CommandFailure) -> Pin {
        let lengths = length.map { $0...$0 } ?? policy.minimumPINLength...Pin.lengths.upperBound
        var remark: NewPINQuestion.Remark?
        var warned: Pin?
        for _ in 0..<NewPINChoice.tries {
            guard let pin = await ask(NewPINQuestion(purpose: purpose, lengths: lengths, remark: remark)) else {
                if !isAttended, let script = warned.take() { return script }
                break
            }
            if let first = warned.take(), first.matches(pin) { return pin }
            remark = judge(pin, lengths)
            if remark == nil { return pin }
            if remark == .easyToGuessButAllowed { warned = consume pin }
        }
        switch remark {
        case .wrongLength: throw CommandFailure(.pinLength, .digits(lengths))
        case .allZeros, .easyToGuess: throw CommandFailure(.weakPIN)
        case .easyToGuessButAllowed, nil: throw CommandFailure(.declined)
        }
    }

    private func judge(_ pin: borrowing Pin, _ lengths: ClosedRange<Int>) -> NewPINQuestion.Remark? {
        guard lengths.contains(pin.length) else { return .wrongLength }
        switch pin.judged() {
        // The client compares with the old one.
        case .good, .unchanged: return nil
        case .allZeros: return .allZeros
        case .easyToGuess: return policy.weakPINs == .refuse ? .easyToGuess : .easyToGuessButAllowed
        }
    }
}
