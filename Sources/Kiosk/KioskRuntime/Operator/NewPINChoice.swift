// SPDX-License-Identifier: Apache-2.0

public import KioskMachine
public import LoginValues

/// Choosing a new PIN: asks until one meets the operator's policy.
public struct NewPINChoice: Sendable {
    /// The number of tries. Somebody who needs more has other problems.
    private static let tries = 5

    private let policy: KioskPolicy
    private let isAttended: Bool
    private let ask: @Sendable (NewPINQuestion) async -> Pin?

    /// - Parameters:
    ///   - isAttended: whether a person answers, who can be asked again. If a person could keep a weak PIN, a script's
    ///     only answer is accepted with a warning.
    ///   - ask: nil for no answer.
    public init(
        policy: KioskPolicy, isAttended: Bool, ask: @escaping @Sendable (NewPINQuestion) async -> Pin?
    ) {
        self.policy = policy
        self.isAttended = isAttended
        self.ask = ask
    }

    /// - Parameter length: the number of digits that the server wants; nil leaves it to the policy.
    func choose(length: Int?) async throws(KioskFailure) -> Pin {
        let lengths = length.map { $0...$0 } ?? policy.minimumPINLength...Pin.lengths.upperBound
        var remark: NewPINQuestion.Remark?
        var warned: Pin?
        for _ in 0..<NewPINChoice.tries {
            guard let pin = await ask(NewPINQuestion(lengths: lengths, remark: remark)) else {
                if !isAttended, let script = warned.take() { return script }
                break
            }
            if let first = warned.take(), first.matches(pin) { return pin }
            remark = check(pin, lengths)
            if remark == nil { return pin }
            if remark == .easyToGuessButAllowed { warned = consume pin }
        }
        switch remark {
        case .wrongLength: throw KioskFailure(.pinLength, detail: .digits(lengths))
        case .allZeros, .easyToGuess: throw KioskFailure(.weakPIN)
        case .easyToGuessButAllowed, nil: throw KioskFailure(.declined)
        }
    }

    private func check(_ pin: borrowing Pin, _ lengths: ClosedRange<Int>) -> NewPINQuestion.Remark? {
        guard lengths.contains(pin.length) else { return .wrongLength }
        switch pin.checked() {
        // The client compares it with the old one.
        case .good, .unchanged: return nil
        case .allZeros: return .allZeros
        case .easyToGuess: return policy.weakPINs == .refuse ? .easyToGuess : .easyToGuessButAllowed
        }
    }
}
