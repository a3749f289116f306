// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ReferenceBackend

struct BackendSigningKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signing-key", abstract: "Show or replace the key that signs tokens for applications.",
        discussion: """
            The backend uses a new key after a restart. The key set also shows the previous key for a day, because \
            relying parties keep the set. Several backends on one database need the same files: copy signing-key and \
            signing-key.previous, then restart one backend after the other.
            """)
    @OptionGroup var place: BackendStateDirectory
    @Flag(help: "Make a new key first. The current key becomes the previous one.") var renew = false
    @Flag(help: "Delete the previous key, for example because it was stolen. Its tokens stop working.")
    var dropPrevious = false

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
