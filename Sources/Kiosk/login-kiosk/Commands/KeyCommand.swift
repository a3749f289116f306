// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import HostIntegration
import SQLiteStore

struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Change the key that seals the identities.",
        discussion: "For example: login-kiosk key rotate", subcommands: [KeyRotateCommand.self])
}

struct KeyRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Seal all identities with a new key, and delete the old one.",
        discussion: """
            Use it if the key may have been read, or when it is due. Old copies of the database need the old key. Stop \
            the kiosk first. If the command is interrupted, nothing is lost: the next start of the kiosk finishes it.
            For example: login-kiosk key rotate
            """)

    @OptionGroup var places: DirectoryOptions
    @Flag(help: "Print the outcome as a JSON object.") var json = false

    private struct Document: Encodable {
        let version = 1
        let identities: Int
    }

    func run() async throws {
        let location = StoreLocation(try places.directories())
        let count: Int
        do { count = try SQLiteIdentityStorage.rotateKey(at: location) } catch { throw KioskParts.complaint(error) }
        if json { return try JSONOutput.write(Document(identities: count)) }
        print("sealed again: \(count) identities; the key is in \(location.keyFile)")
    }
}

extension StoreLocation {
    init(_ places: KioskDirectories) {
        self.init(directory: places.state, keyFile: places.identityKeyFile)
    }
}
