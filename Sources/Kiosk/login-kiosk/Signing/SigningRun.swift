// SPDX-License-Identifier: Apache-2.0

import Encoding
import KioskMachine
import KioskPorts
import KioskRuntime
import LoginValues
import MPinClient

/// One signature: the person sees the document first, then types the PIN.
struct SigningRun {
    let parts: KioskParts
    let user: String
    let backend: String?
    let rpsPrefix: String?
    let newPIN: NewPINChoice
    /// Whether to show the document to a person at the terminal.
    let isShown: Bool

    /// Signs a document.
    ///
    /// - Parameter address: the application's server that wants it, if there is one.
    func sign(_ text: DocumentText, for address: WebAddress?) async throws -> SignedDocument {
        let document = text.bytes
        let client = parts.client
        let user = try await client.identity(of: user, at: backend)
        try await client.open(user, backend: backend, rpsPrefix: rpsPrefix)
        _ = try client.needsSigningKey(user)
        let application = address.map(parts.application)
        let data: DocumentData?
        if let application {
            data = try await client.documentData(of: document, at: application)
        } else {
            data = nil
        }
        let digest = MPin.hashDocument(document)
        if isShown {
            let ending =
                "-- the document ends here: \(document.count) bytes, SHA-256 \(Hexadecimal.text(digest))"
            guard await DocumentReader.show(text, ending: ending) else { throw CommandFailure(.declined) }
        }
        let signer = try await signer(user)
        let signature = try await client.sign(digest, as: signer, timestamp: data?.timestamp) {
            await PINPrompt.read(for: "Sign as \(DisplayText(signer.identity)):", name: "PIN for signing")
        }
        guard let application, let data else {
            return SignedDocument(signature, user: user.identity, isAccepted: nil)
        }
        try await client.verify(signature, of: data, at: application)
        return SignedDocument(signature, user: user.identity, isAccepted: true)
    }

    /// Signs the document of a scanned code.
    func signSession(_ symbol: SecretBytes) async throws -> SignedDocument {
        let client = parts.client
        let (code, place) = try await client.open(symbol: symbol)
        let user = try await client.identityHere(of: user)
        let session = try await client.signingSession(code)
        _ = try client.needsSigningKey(user)
        if isShown {
            PINPrompt.say(
                """
                to be signed: \(DisplayText(session.description))
                SHA-256 of the document: \(session.hash)

                """)
        }
        let signature = try await client.sign(session, as: user) {
            await PINPrompt.read(for: "Sign as \(DisplayText(user.identity)), \(place):", name: "PIN for signing")
        }
        return SignedDocument(signature, user: user.identity, isAccepted: true)
    }

    /// The identity with a key for signing.
    private func signer(_ user: User) async throws -> User {
        guard try parts.client.needsSigningKey(user) else { return user }
        PINPrompt.say("this identity cannot sign yet: a PIN for signing is chosen first\n")
        return try await parts.client.enableSigning(
            user,
            askPIN: {
                await PINPrompt.read(for: "Register \(DisplayText(user.identity)) for signing:")
            }, newPIN: newPIN)
    }
}
