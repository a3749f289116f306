// SPDX-License-Identifier: Apache-2.0

import KioskCore
import LoginValues
import MPinClient

// What a scanned code is for. A signing session is found in two ways: by its hash among the details, or, where a platform is
// older, by asking for it as such.
extension MPinSteps {
    /// - Returns: the details, and what they say is to be signed.
    func scanned(_ accessCode: AccessCode) async throws(MPinError) -> (SessionDetails, SigningSession?) {
        let details: SessionDetails
        do throws(MPinError) { details = try await sdk.sessionDetails(for: accessCode) } catch {
            guard let session = try? await sdk.signingSessionDetails(for: accessCode) else { throw error }
            return (session.details, session)
        }
        if details.isSigningSession { return (details, try await sdk.signingSessionDetails(for: accessCode)) }
        // A login says nothing about a document.
        guard !details.description.isEmpty else { return (details, nil) }
        return (details, try? await sdk.signingSessionDetails(for: accessCode))
    }
}

extension SigningRequest {
    /// - Throws: for a description that cannot be shown whole: nobody could agree to it.
    init(_ session: SigningSession) throws(MPinError) {
        guard let hash = DocumentHash(session.hash) else {
            throw MPinError(.badReply, detail: "the hash to be signed is no SHA-256 digest")
        }
        var description: DocumentText?
        if !session.description.isEmpty {
            do { description = try DocumentText(Array(session.description.utf8)) } catch {
                throw MPinError(
                    .badReply,
                    detail: "the description of what is to be signed cannot be shown: \(error)"
                )
            }
        }
        self.init(description: description, hash: hash, isSigned: session.isSigned)
    }
}
