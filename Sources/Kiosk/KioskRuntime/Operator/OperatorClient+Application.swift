// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
public import LoginValues
public import MPinClient

// Requests to an application's server: a session to register for, and documents to sign.
extension OperatorClient {
    /// Begins a session in the application's name.
    public func accessCode(of application: RelyingPartyApplication) async throws(CommandFailure) -> AccessCode {
        try await call("application's session", .connecting) { () throws(MPinError) in
            try await sdk.accessCode(fromAuthorizationURL: try await application.authorizationURL())
        }
    }

    /// Asks the application's server for its data about a document.
    ///
    /// - Throws: `documentDiffers` when the server's digest is not that of the shown document.
    public func documentData(
        of document: [UInt8], at application: RelyingPartyApplication
    ) async throws(CommandFailure) -> DocumentData {
        let data = try await call("document hash", .connecting) { () throws(MPinError) in
            try await application.createDocumentHash(document)
        }
        guard MPin.verifyDocument(document, hash: Array(data.hash.utf8)) else { throw CommandFailure(.documentDiffers) }
        return data
    }

    /// Lets the application's server check a signature.
    ///
    /// - Throws: `signatureRefused` when it is not valid there.
    public func verify(
        _ signature: DVSSignature, of data: DocumentData, at application: RelyingPartyApplication
    ) async throws(CommandFailure) {
        let verdict = try await call("signature check", .connecting) { () throws(MPinError) in
            try await application.verifySignature(signature, of: data)
        }
        guard verdict == .valid else { throw CommandFailure(.signatureRefused, status: verdict.rawValue) }
    }
}
