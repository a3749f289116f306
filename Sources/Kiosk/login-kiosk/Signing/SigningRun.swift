// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskRuntime
import LoginValues
import MPinClient

/// One signature: what is signed is seen first, then the PIN is asked for.
struct SigningRun {
    let parts: KioskParts
    let user: String
    let backend: String?
    let rpsPrefix: String?
    let newPIN: NewPINChoice
    /// Whether a person is at the terminal to be shown what is signed.
    let isShown: Bool

    /// Signs a document.
    ///
    /// - Parameter address: of the application's server that wants it; nil where no server wants it.
    func sign(_ text: DocumentText, for address: WebAddress?) async throws -> SignedDocument {
        let document = text.bytes
        let desk = parts.desk
        let user = try await desk.identity(of: user, at: backend)
        try await desk.open(user, backend: backend, rpsPrefix: rpsPrefix)
        _ = try desk.needsSigningKey(user)
        let application = address.map(parts.application)
        let data: DocumentData?
        if let application {
            data = try await desk.documentData(of: document, at: application)
        } else {
            data = nil
        }
        let digest = MPin.hashDocument(document)
        if isShown {
            let ending =
                "-- the document ends here: \(document.count) bytes, SHA-256 \(DocumentDigestText.hexadecimal(digest))"
            guard await DocumentReader.show(text, ending: ending) else { throw CommandFailure(.declined) }
        }
        let signer = try await signer(user)
        let signature = try await desk.sign(digest, as: signer, timestamp: data?.timestamp) {
            await PINPrompt.read(for: "Sign as \(DisplayText(signer.identity)):", name: "PIN for signing")
        }
        guard let application, let data else {
            return SignedDocument(signature, user: user.identity, isAccepted: nil)
        }
        try await desk.verify(signature, of: data, at: application)
        return SignedDocument(signature, user: user.identity, isAccepted: true)
    }

    /// Signs what a scanned code asks for.
    func signSession(_ symbol: SecretBytes) async throws -> SignedDocument {
        let desk = parts.desk
        let (code, place) = try await desk.open(symbol: symbol)
        let user = try await desk.identityHere(of: user)
        let session = try await desk.signingSession(code)
        _ = try desk.needsSigningKey(user)
        if isShown {
            PINPrompt.say(
                """
                to be signed: \(DisplayText(session.description))
                SHA-256 of the document: \(session.hash)

                """)
        }
        let signature = try await desk.sign(session, as: user) {
            await PINPrompt.read(for: "Sign as \(DisplayText(user.identity)), \(place):", name: "PIN for signing")
        }
        return SignedDocument(signature, user: user.identity, isAccepted: true)
    }

    /// The identity with a key for signing.
    private func signer(_ user: User) async throws -> User {
        guard try parts.desk.needsSigningKey(user) else { return user }
        PINPrompt.say("this identity cannot sign yet: a PIN for signing is chosen first\n")
        return try await parts.desk.enableSigning(
            user,
            askPIN: {
                await PINPrompt.read(for: "Register \(DisplayText(user.identity)) for signing:")
            }, newPIN: newPIN)
    }
}
