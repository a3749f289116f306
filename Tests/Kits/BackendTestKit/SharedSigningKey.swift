// SPDX-License-Identifier: Apache-2.0

package import Patience
package import BackendValues
import MPinServer

/// One RSA key for the backends of a whole test run, because making a key takes longer than most tests. A backend
/// finds it in its state directory like a restarted one.
package enum SharedSigningKey {
    private static let content: Result<[UInt8]?, any Error> = Result {
        let folder = TemporaryFolder()
        let state = try StateDirectory(path: folder.path)
        _ = try SigningKeyFiles(state: state).ringOrFirst()
        return try StateDirectory.read(state.file("signing-key"))
    }

    /// The key alone.
    package static func ring() throws -> SigningKeyRing {
        let folder = TemporaryFolder()
        try put(into: folder)
        return try SigningKeyFiles(state: try StateDirectory(path: folder.path)).ring()
    }

    /// Puts the key into a state directory that has none.
    package static func put(into folder: TemporaryFolder) throws {
        let state = try StateDirectory(path: folder.path)
        if let content = try content.get() { try StateDirectory.create(state.file("signing-key"), content: content) }
    }
}
