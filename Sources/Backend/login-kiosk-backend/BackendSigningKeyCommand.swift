// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ReferenceBackend

struct BackendSigningKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signing-key", abstract: "Show or replace the key that tokens for applications are signed with.",
        discussion: """
            A new key counts when the backend starts again. The key set shows the previous key for a day, so that \
            relying parties that keep the set find both. Several backends on one database need the same files: copy \
            signing-key and signing-key.previous, then restart one after the other.
            """)
    @OptionGroup var place: BackendStateDirectory
    @Flag(help: "Make a new key first, and keep the present one as the previous one.") var renew = false
    @Flag(help: "Delete the previous key, which somebody may have: its tokens count no more.") var dropPrevious = false

    func run() async throws {
        let directory = try place.existingDirectory()
        let keys = try await LoginKioskBackend.complaining {
            try BackendState.signingKeys(inDirectory: directory, renewing: renew, droppingPrevious: dropPrevious)
        }
        print("signs with \(keys.current)")
        if let previous = keys.previous { print("shows the previous key \(previous)") }
        if renew || dropPrevious { print("restart the backend") }
    }
}
