// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues

/// The people and codes of these tests.
enum Samples {
    static let domain = "login.example.com"
    /// A person is at the kiosk.
    static let wake = KioskAction.startTimer(.rest, KioskTiming.rest, .none)
    static let service = DisplayText("Example")
    static let sighting = SymbolSighting(
        captured: .nanoseconds(1_234_567_890_123), frameWidth: 1280, frameHeight: 720, centreX: 600, centreY: 300,
        edge: 200, brightness: 130, sharpness: 17)
    static let alice = KioskIdentity(
        userID: "alice@example.com", backend: "rps.example.com", number: 1, progress: .registered)
    static let bob = KioskIdentity(
        userID: "bob@example.com", backend: "rps.example.com", number: 2, progress: .registered)

    /// The owner of Alice's personal card.
    static let holder = CardHolder(userID: "alice@example.com", domain: "rps.example.com", ends: "2027-11-26 18:02")

    static let profile = ProfileOffer(
        operatorName: "Example Ltd", operatorKey: "1234 5678", language: "Deutsch",
        services: ["login.example.com"], settings: ["policy.weak-pins: refuse"], bringsFleetKey: true)

    /// The handle of everything that is seen.
    static let handle = Handle("a secret")

    static let hash: DocumentHash = {
        guard let hash = DocumentHash(String(repeating: "0123456789abcdef", count: 4)) else { fatalError("no hash") }
        return hash
    }()
    /// One document with one page, one with three.
    static let templates = [("Rent", "I pay 10 euros."), ("Lease", (1...25).map { "\($0)" }.joined(separator: "\n"))]
        .map {
            SigningTemplate(title: DisplayText($0.0), text: document($0.1))
        }

    static func document(_ text: String) -> DocumentText {
        guard let document = try? DocumentText(Array(text.utf8)) else { fatalError("no document: \(text)") }
        return document
    }

    static func digest(_ text: String) -> CodeDigest { CodeDigest(SecretBytes(copying: Array(text.utf8))) }

    static func login(_ text: String = "code 1") -> CodeReading {
        CodeReading(digest: digest(text), decision: .login(domain: domain), handle: handle)
    }

    static func identity(_ progress: KioskIdentity.Progress) -> KioskIdentity {
        var identity = alice
        identity.progress = progress
        return identity
    }

    /// Failures of steps, at any stage.
    static let failures: [SessionOutcome] = [
        .untrusted, .anotherService, .serverKeyRefused, .versionRefused, .appRefused, .invalidConfiguration,
        .serviceUnavailable, .unreachable, .notAuthorized, .notVerified, .codeRefused, .mailTooSoon,
        .registrationExpired, .storageFailed, .notOffered, .notAllowed, .tooOften, .doorFailed, .doorUnknown,
        .documentDiffers, .signatureRefused, .unknownUser, .failed,
    ]
    /// The server's verdicts on a login, which occur only at its stage.
    static let verdicts: [SessionOutcome] = [
        .wrongPIN, .blocked, .revoked, .secretExpired, .sessionExpired, .browserTimedOut, .outcomeUnknown,
    ]

    static func failure(
        _ outcome: SessionOutcome, _ sentence: PromptKey? = nil, passTwoWasSent: Bool = false
    ) -> KioskFailure {
        KioskFailure(outcome, sentence, status: "STATUS", passTwoWasSent: passTwoWasSent)
    }
}
