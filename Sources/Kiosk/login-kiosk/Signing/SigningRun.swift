// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskRuntime
import LoginValues

/// One signature: the person sees the document first, then types the PIN.
struct SigningRun {
    let run: CommandRun
    let user: String
    let newPIN: NewPINChoice
    /// Whether to show the document to a person at the terminal.
    let isShown: Bool

    /// Signs a document.
    ///
    /// - Parameters:
    ///   - application: the server that wants it, if there is one.
    ///   - backend: of the user's identity.
    func sign(
        _ document: DocumentText, for application: WebAddress?, at backend: String?, rpsPrefix: String?
    ) async throws -> SignedDocument {
        var signer = try run.signer(try await run.open(user, at: backend, rpsPrefix: rpsPrefix))
        let hash = try await run.prepare(document, for: application)
        if isShown {
            let ending =
                "-- the document ends here: \(document.bytes.count) bytes, SHA-256 \(hash.hexadecimal)"
            guard await DocumentReader.show(document, ending: ending) else { throw KioskFailure(.declined) }
        }
        let name = DisplayText(signer.userID)
        if signer.signing == .needsKey {
            PINPrompt.say("this identity cannot sign yet: a PIN for signing is chosen first\n")
            signer = try await run.enableSigning(
                signer, askPIN: { await PINPrompt.read(for: "Register \(name) for signing:") }, newPIN: newPIN)
        }
        let signature = try await run.sign(hash, as: signer) {
            await PINPrompt.read(for: "Sign as \(name):", name: "PIN for signing")
        }
        return SignedDocument(signature, user: signer.userID, isAccepted: application == nil ? nil : true)
    }

    /// Signs the document of a scanned code.
    func signSession(_ symbol: SecretBytes) async throws -> SignedDocument {
        let (signer, request, place) = try await run.signingSession(symbol, for: user)
        if isShown {
            let description = request.description.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
            PINPrompt.say(
                """
                to be signed: \(DisplayText(description))
                SHA-256 of the document: \(request.hash.hexadecimal)

                """)
        }
        let signature = try await run.sign(request.hash, as: signer) {
            await PINPrompt.read(for: "Sign as \(DisplayText(signer.userID)), \(place):", name: "PIN for signing")
        }
        return SignedDocument(signature, user: signer.userID, isAccepted: true)
    }
}
