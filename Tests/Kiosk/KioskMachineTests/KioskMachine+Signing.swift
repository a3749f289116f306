// SPDX-License-Identifier: Apache-2.0

import KioskMachine

/// Paths to the states of signing, as of a person and the servers.
extension KioskMachine {
    static func signer(_ ability: SigningAbility) -> KioskIdentity {
        var identity = Samples.alice
        identity.signing = ability
        return identity
    }

    static func readingSigner(_ templates: [SigningTemplate] = Samples.templates) -> KioskMachine {
        var machine = KioskMachine(
            trustsAnything: true, services: [Samples.domain], errands: [.signing], templates: templates)
        _ = machine.keyPressed(.menu)
        _ = machine.keyPressed(.digit(1))
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: one)
        _ = machine.stepEnded(.success(.backendOpened(BackendSession(identities: [Samples.alice]))), session: one)
        return machine
    }

    static func choosingDocument(_ ability: SigningAbility = .withPIN) -> KioskMachine {
        var machine = readingSigner()
        _ = machine.stepEnded(.success(.signerRead(signer(ability))), session: one)
        return machine
    }

    /// - Parameter template: 1 has a page, 2 has three.
    static func reading(_ template: UInt8 = 1, ability: SigningAbility = .withPIN) -> KioskMachine {
        var machine = choosingDocument(ability)
        _ = machine.keyPressed(.digit(template))
        _ = machine.keyPressed(.enter)
        return machine
    }

    static func askingToSign(ability: SigningAbility = .withPIN) -> KioskMachine {
        var machine = reading(ability: ability)
        _ = machine.keyPressed(.enter)
        return machine
    }

    static func preparingDocument(ability: SigningAbility = .withPIN) -> KioskMachine {
        var machine = askingToSign(ability: ability)
        _ = machine.keyPressed(.enter)
        return machine
    }

    static func signing(ability: SigningAbility = .withPIN) -> KioskMachine {
        var machine = preparingDocument(ability: ability)
        _ = machine.stepEnded(.success(.documentPrepared(Samples.hash)), session: one)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        return machine
    }

    static func gettingSigningKey() -> KioskMachine {
        var machine = readingSigner()
        _ = machine.stepEnded(.success(.signerRead(signer(.needsKey))), session: one)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        return machine
    }

    static func keepingSigningKey() -> KioskMachine {
        var machine = gettingSigningKey()
        _ = machine.stepEnded(.success(.signingKeyStarted), session: one)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.newPINJudged(.good)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.newPINsCompared(areEqual: true)
        return machine
    }

    /// A scanned session up to its consent screen.
    static func consentingToSign(_ request: SigningRequest) -> KioskMachine {
        consenting(BackendSession(namedUser: "alice@example.com", signing: request, identities: [Samples.alice]))
    }

    static func readingScanned(_ description: String? = "A lease") -> KioskMachine {
        var machine = consentingToSign(
            SigningRequest(description: description.map(Samples.document), hash: Samples.hash))
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.signerRead(signer(.withPIN))), session: one)
        return machine
    }

    static func signingScanned() -> KioskMachine {
        var machine = readingScanned()
        _ = machine.keyPressed(.enter)
        _ = machine.keyPressed(.enter)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        return machine
    }
}
