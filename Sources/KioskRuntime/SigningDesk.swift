// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinClient
import Synchronization

/// What lies on the desk between two steps of signing: a scanned session, or what the service made of a document.
final class SigningDesk: Sendable {
    enum Paper: Sendable {
        case session(SigningSession)
        case document(DocumentData, RelyingPartyApplication)
    }

    private let newest = Mutex<Paper?>(nil)

    var paper: Paper? { newest.withLock { $0 } }

    /// Puts it in the place of what lay there.
    func lay(_ paper: Paper?) { newest.withLock { $0 = paper } }

    /// The session that this code was scanned for.
    func session(of accessCode: AccessCode) -> SigningSession? {
        guard case .session(let session) = paper, session.accessCode == accessCode else { return nil }
        return session
    }
}
