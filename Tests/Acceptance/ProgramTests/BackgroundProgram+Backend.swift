// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

extension BackgroundProgram {
    /// The key with which backends sign, made by the first one. Making a key takes as long as the rest of a start, and a
    /// backend finds this one in its state directory like a restarted one.
    private static let signingKey = Mutex<Data?>(nil)

    /// Starts a backend where anybody may register, with its state in the folder `backend`.
    ///
    /// - Parameter listen: host and port.
    /// - Returns: the program, and the address that it serves.
    static func backend(
        _ options: [String] = [], listen: String = "127.0.0.1:0", in scratch: Scratch
    ) async throws -> (program: BackgroundProgram, site: String) {
        let (state, key) = (scratch.path("backend"), scratch.url.appending(path: "backend/signing-key"))
        // With a database the key is there.
        if !options.contains("--database"), let known = signingKey.withLock({ $0 }),
            !FileManager.default.fileExists(atPath: key.path())
        {
            try FileManager.default.createDirectory(
                atPath: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try scratch.write(known, to: "backend/signing-key", mode: 0o600)
        }
        let program = try BackgroundProgram(
            "login-kiosk",
            ["backend", "--listen", listen, "--admit", "anybody", "--state", state] + options, in: scratch)
        let site = try await program.line(after: "serving ")
        signingKey.withLock { $0 = $0 ?? (try? Data(contentsOf: key)) }
        return (program, site)
    }
}
