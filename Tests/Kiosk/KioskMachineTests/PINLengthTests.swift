// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("The number of digits of a PIN")
struct PINLengthTests {
    private func consented(
        _ progress: KioskIdentity.Progress, required: Int?, policy: KioskPolicy = KioskPolicy()
    ) -> Visit {
        let alice = KioskIdentity(
            userID: "alice@example.com", backend: "b", number: 1, progress: progress, requiredPINLength: required)
        return Visit(KioskMachine(trustsAnything: true, policy: policy)).play("qr login; answer serviceFound")
            .answered(.backendOpened(BackendSession(identities: [alice]))).play("key enter")
    }

    /// The screen takes that many digits and no more, and OK counts from the fewest.
    private func check(_ visit: Visit, fewest: Int, most: Int) {
        for digits in 1...7 {
            let typed = visit.play("key \("2583697".prefix(digits)); entry \(min(digits, most)) of \(most)")
            #expect(typed.play("key enter").actions.isEmpty == (digits < fewest))
        }
    }

    @Test(arguments: [(nil as Int?, 4, 6), (4, 4, 4), (5, 5, 5), (6, 6, 6), (3, 4, 4), (9, 6, 6)])
    func aPINIsAsLongAsTheServerSays(required: Int?, fewest: Int, most: Int) {
        let asked = consented(.registered, required: required).play(
            "answer authenticationStarted; key enter => nothing")
        // A length that only the person chose is in no sentence, and OK takes any that a PIN may have.
        asked.play("line \(required == nil ? "pinHelpAny" : "pinHelpExact(\(fewest))")")
        check(asked, fewest: fewest, most: most)
    }

    @Test(arguments: [(nil as Int?, 5, 6), (4, 4, 4), (6, 6, 6)])
    func aNewPINIsAsLongAsTheServerSaysWhateverTheOperatorWants(required: Int?, fewest: Int, most: Int) {
        let asked = consented(.activated, required: required, policy: KioskPolicy(minimumPINLength: 5))
            .play("answer registrationConfirmed; key enter => nothing")
        #expect(asked.view.lines.last?.key == (required == nil ? .newPINHelp : .newPINHelpExact))
        check(asked, fewest: fewest, most: most)
    }

    /// "6 to 6 digits" would be no English.
    @Test func aSmallestLengthThatIsTheLargestIsOne() {
        let asked = consented(.activated, required: nil, policy: KioskPolicy(minimumPINLength: 6))
            .play("answer registrationConfirmed; line newPINHelpExact(6)")
        check(asked, fewest: 6, most: 6)
    }
}
