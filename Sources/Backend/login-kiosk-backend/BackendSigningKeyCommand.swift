// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import MPinServer

struct BackendSigningKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signing-key", abstract: "Show or replace the key that signs tokens for applications.",
        discussion: """
            A new key signs an hour after it was made. Until then the key set shows it, so that relying parties and \
            caches know it in time; afterwards the set shows the previous key for a day. A running backend follows \
            within seconds. Several backends on one database need the same files: copy signing-key, signing-key.next \
            and signing-key.previous within the hour.
            For example: login-kiosk-backend signing-key --renew
            """)
    @OptionGroup var place: BackendStateDirectory
    @Flag(help: "Make a new key. If one waits for its time already, it stays the next one.") var renew = false
    @Flag(
        help: """
            Delete the keys that no longer sign; their tokens stop working. With --renew the new key signs at once and \
            all others are deleted, for keys that somebody may have.
            """)
    var dropPrevious = false
    @Flag(help: "Print a JSON object.") var json = false

    func run() async throws {
        let directory = try place.existingDirectory()
        let keys = try await LoginKioskBackend.complaining {
            try BackendState.signingKeys(inDirectory: directory, renewing: renew, droppingPrevious: dropPrevious)
        }
        if json { return try JSONOutput.write(Document(keys)) }
        print("signs with \(keys.current)")
        if let next = keys.next { print("signs from \(next.time) with \(next.id)") }
        for previous in keys.previous { print("shows the previous key \(previous)") }
        if renew || dropPrevious { print("copy the files to the other backends of the database, if there are any") }
    }

    /// The keys by their `kid`.
    private struct Document: Encodable {
        struct Next: Encodable {
            let kid: String
            /// The time from which it signs.
            let signsFrom: String
        }

        let version = 1
        let current: String
        let next: Next?
        let previous: [String]

        init(_ keys: BackendState.SigningKeys) {
            current = keys.current
            next = keys.next.map { Next(kid: $0.id, signsFrom: $0.time) }
            previous = keys.previous
        }
    }
}
