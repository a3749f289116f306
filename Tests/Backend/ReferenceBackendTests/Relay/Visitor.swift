// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import Synchronization
import Testing

@testable import MPinServer
@testable import ReferenceBackend

extension RunningBackend {
    /// The same backend for a client at `address` behind the proxy.
    func from(_ address: String) throws -> RunningBackend {
        var backend = self
        backend.headers[try #require(HTTPField.Name("X-Forwarded-For"))] = address
        return backend
    }

    /// Asks for the reply to a device that has read a code.
    func details(of code: String, _ dialect: Dialect) async throws -> Reply {
        try await report("wid", code, dialect)
    }

    @discardableResult
    func report(_ status: String, _ code: String, _ dialect: Dialect) async throws -> Reply {
        let path = dialect.platformGeneration == nil ? "/rps/codeStatus" : "/rps/v2/codeStatus"
        return try await client.post(path, ["status": .string(status), "wid": .string(code)])
    }
}

/// Records a backend's events.
final class WatchedBackend: BackendObserver {
    private let proofs = Mutex<[CheckedProof]>([])
    private let revocations = Mutex<[String]>([])

    var checkedProofs: [CheckedProof] { proofs.withLock { $0 } }
    var revoked: [String] { revocations.withLock { $0 } }

    func checked(_ proof: CheckedProof) { proofs.withLock { $0.append(proof) } }
    func revoked(userID: String, fingerprint: String) { revocations.withLock { $0.append(userID) } }
}
