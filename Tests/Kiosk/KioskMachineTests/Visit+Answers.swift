// SPDX-License-Identifier: Apache-2.0

import Testing
import KioskMachine
import LoginValues

/// The people and the answers of scripts, by their names.
extension Visit {
    static let people: [String: KioskIdentity] = {
        func person(_ name: String, _ number: Int?, _ change: (inout KioskIdentity) -> Void = { _ in }) -> KioskIdentity
        {
            var person = KioskIdentity(
                userID: "\(name)@example.com", backend: "rps.example.com", number: number, progress: .registered)
            change(&person)
            return person
        }
        var people: [String: KioskIdentity] = [
            "alice": Samples.alice, "bob": Samples.bob, "alina": person("alina", 3), "dave": person("dave", 3),
            // The owner of a personal card, and a person of whom the device has stored nothing.
            "guest": person("alice", nil), "new-dave": person("dave", nil) { $0.progress = .activated },
            "held": person("alice", 1) { ($0.progress, $0.isHeld) = (.blocked, true) },
            "unheld": person("alice", 1) { $0.isHeld = true },
            "held-tried": person("alice", 1) { ($0.progress, $0.isHeld, $0.tries) = (.blocked, true, 2) },
            "unheld-tried": person("alice", 1) { ($0.isHeld, $0.tries) = (true, 2) },
            "tried": person("alice", 1) { $0.tries = 2 },
            "signer": person("alice", 1) { $0.signing = .withPIN },
            "own-signer": person("alice", 1) { $0.signing = .withOwnPIN },
            "keyless": person("alice", 1) { $0.signing = .needsKey },
            "six-digits": person("alice", 1) { $0.requiredPINLength = 6 },
        ]
        for progress in KioskIdentity.Progress.allCases where progress != .registered {
            people[progress.rawValue] = Samples.identity(progress)
        }
        return people
    }()

    static func named(_ name: String) -> [KioskIdentity] { [people[name]].compactMap(\.self) }

    private static func person(_ name: String?) throws -> KioskIdentity {
        guard let person = people[name ?? ""] else { throw UnknownWord(word: name ?? "") }
        return person
    }

    /// - Parameter words: people, and `named USER`, `verified`, `elsewhere`, `mails` for a backend that verifies
    ///   addresses.
    static func backend(_ words: [String]) throws -> BackendSession {
        let names = words.firstIndex(of: "named").flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil } ?? ""
        let others: Set = ["named", names, "verified", "elsewhere", "mails"]
        return BackendSession(
            namedUser: names, isUserVerified: words.contains("verified"),
            isBrowserElsewhere: words.contains("elsewhere"), verifiesAddresses: words.contains("mails"),
            identities: try words.filter { !others.contains($0) }.map { try person($0) })
    }

    static func answer(_ words: [String]) throws -> StepAnswer {
        let argument = words.count > 1 ? words[1] : nil
        func word<Value>(_ meanings: [String: Value]) throws -> Value? {
            guard let argument else { return nil }
            guard let value = meanings[argument] else { throw UnknownWord(word: argument) }
            return value
        }
        switch words.first {
        case "serviceFound": return .serviceFound(Samples.service, backend: argument)
        case "backendOpened": return .backendOpened(try backend(Array(words.dropFirst())))
        case "registrationStarted": return .registrationStarted(try person(argument))
        case "registrationConfirmed": return .registrationConfirmed
        case "registrationFinished": return .registrationFinished(try person(argument))
        case "verificationStarted":
            let contents = Dictionary(uniqueKeysWithValues: MailContent.allCases.map { ("\($0)", $0) })
            return .verificationStarted(try word(contents) ?? .codeOrLink)
        case "verified": return .verified
        case "authenticationStarted": return .authenticationStarted
        case "authenticated": return .authenticated(canLogout: try word(["logout": true]) ?? false)
        case "codeIssued":
            guard let seconds = Double(argument ?? "45") else { throw UnknownWord(word: argument ?? "") }
            return .codeIssued(lifetime: .seconds(seconds))
        case "taskDone": return .taskDone
        case "identityDeleted": return .identityDeleted
        case "loggedOut": return .loggedOut
        case "cardWritten": return .cardWritten()
        case "signerRead": return .signerRead(try person(argument))
        case "signingKeyStarted": return .signingKeyStarted
        case "signingKeyFinished": return .signingKeyFinished(try person(argument))
        case "documentPrepared": return .documentPrepared(Samples.hash)
        case "signed": return .signed
        default: throw UnknownWord(word: words.first ?? "")
        }
    }

    struct UnknownWord: Error { let word: String }
}

/// Visits up to some point.
extension Visit {
    static let connecting = Visit().play("qr login")
    static let openingBackend = connecting.play("answer serviceFound")

    /// The consent of a scanned login.
    ///
    /// - Parameter session: words of `connect`.
    static func consent(_ session: String = "alice", policy: KioskPolicy = KioskPolicy()) -> Visit {
        Visit(KioskMachine(trustsAnything: true, policy: policy)).play("qr login; connect \(session)")
    }

    static func consented(_ session: String = "alice", policy: KioskPolicy = KioskPolicy()) -> Visit {
        consent(session, policy: policy).play("key enter")
    }

    static func pin(_ session: String = "alice") -> Visit {
        consented(session).play("answer authenticationStarted")
    }

    static func proving(_ session: String = "alice") -> Visit {
        pin(session).play("key 2583 enter")
    }

    /// The first screen of a new PIN, after a confirmed mail.
    static func newPIN(policy: KioskPolicy = KioskPolicy()) -> Visit {
        consented("startedRegistration", policy: policy).play("key enter; answer registrationConfirmed")
    }

    /// The repetition of a new PIN.
    static let newPINAgain = newPIN().play("key 2583 enter")

    /// A task of the menu, once the backend has answered.
    static func task(_ task: KioskTask, _ session: String = "alice", offersCards: Bool = false) -> Visit {
        Visit(
            KioskMachine(
                trustsAnything: true, services: [Samples.domain], doors: [LocalLoginTests.doors[0]],
                tasks: [task], templates: Samples.templates, offersCards: offersCards)
        ).play("key menu 1; connect \(session)")
    }
}
