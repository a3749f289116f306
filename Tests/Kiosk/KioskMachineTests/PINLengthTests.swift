// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("The number of digits of a PIN")
struct PINLengthTests {
    static func identity(
        _ progress: KioskIdentity.Progress, required: Int?
    ) -> KioskIdentity {
        KioskIdentity(
            userID: "alice@example.com", backend: "b", number: 1, progress: progress,
            requiredPINLength: required)
    }

    @Test(arguments: [(nil as Int?, 4, 6), (4, 4, 4), (5, 5, 5), (6, 6, 6), (3, 4, 4), (9, 6, 6)])
    func aPINIsAsLongAsTheServerSays(required: Int?, fewest: Int, most: Int) {
        for digits in 0...7 {
            var machine = KioskMachine.askingPIN(
                BackendSession(identities: [Self.identity(.registered, required: required)]))
            machine.typePIN(digits: digits)
            #expect(machine.view.entry == .masked(count: min(digits, most), capacity: most))
            #expect(machine.keyPressed(.enter).isEmpty == (digits < fewest))
        }
    }

    @Test(arguments: [(nil as Int?, 5, 6), (4, 4, 4), (6, 6, 6)])
    func aNewPINIsAsLongAsTheServerSaysWhateverTheOperatorWants(required: Int?, fewest: Int, most: Int) {
        for digits in 0...7 {
            var machine = KioskMachine(trustsAnything: true, policy: KioskPolicy(minimumPINLength: 5))
            _ = machine.symbolSeen(Samples.login())
            _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: .one)
            let identity = Self.identity(.activated, required: required)
            _ = machine.stepEnded(.success(.backendOpened(BackendSession(identities: [identity]))), session: .one)
            _ = machine.keyPressed(.enter)
            _ = machine.stepEnded(.success(.registrationConfirmed), session: .one)
            #expect(machine.view.lines.last?.key == (required == nil ? .newPINHelp : .newPINHelpExact))
            machine.typePIN(digits: digits)
            #expect(machine.view.entry == .masked(count: min(digits, most), capacity: most))
            #expect(machine.keyPressed(.enter).isEmpty == (digits < fewest))
        }
    }

    /// A length that only the person chose is in no sentence, and OK takes any that a PIN may have.
    @Test func aChosenLengthIsNotTold() {
        var machine = KioskMachine.askingPIN(
            BackendSession(identities: [Self.identity(.registered, required: nil)]))
        #expect(machine.view.lines.last == Prompt(.pinHelpAny))
        machine.typePIN(digits: 6)
        #expect(machine.view.entry == .masked(count: 6, capacity: 6))
        machine = KioskMachine.askingPIN(BackendSession(identities: [Self.identity(.registered, required: 5)]))
        #expect(machine.view.lines.last == Prompt(.pinHelpExact, [.minimum: "5"]))
    }

    /// "6 to 6 digits" would be no English.
    @Test func aSmallestLengthThatIsTheLargestIsOne() {
        var machine = KioskMachine(trustsAnything: true, policy: KioskPolicy(minimumPINLength: 6))
        _ = machine.symbolSeen(Samples.login())
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: .one)
        let identity = Self.identity(.activated, required: nil)
        _ = machine.stepEnded(.success(.backendOpened(BackendSession(identities: [identity]))), session: .one)
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.registrationConfirmed), session: .one)
        #expect(machine.view.lines.last == Prompt(.newPINHelpExact, [.minimum: "6"]))
    }
}
