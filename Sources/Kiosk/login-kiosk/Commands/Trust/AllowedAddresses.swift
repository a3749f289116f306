// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import CurlTransport
import HostIntegration
import LinuxSystem

/// The setting `network.allowed-addresses` as `trust add` writes it: in a drop-in of its own.
enum AllowedAddresses {
    private static let name = "90-allowed-addresses.yaml"

    /// Adds networks to those in the settings.
    ///
    /// - Returns: those that the settings did not have.
    static func add(_ networks: [AddressNetwork], _ places: DirectoryOptions) throws -> [AddressNetwork] {
        let folder = SettingsFile.dropIns.path(in: try places.configuration.requireDirectory())
        let file = "\(folder)/\(name)"
        let lock: FileLock
        do throws(FileFault) {
            try OwnedFile.makeDirectory(folder)
            lock = try FileLock(file)
        } catch { throw Complaint.make(error, status: .cannotCreate) }
        defer { lock.release() }
        let known = try places.require()[\.network.allowedAddresses] ?? []
        let added = networks.filter { !known.contains($0) }
        guard !added.isEmpty else { return [] }
        let text = """
            # Written by login-kiosk trust add --address.
            network: {allowed-addresses: "\((known + added).text)"}

            """
        do throws(FileFault) { try OwnedFile.replace(file, with: Array(text.utf8), mode: 0o644) } catch {
            throw Complaint.make(error, status: .cannotCreate)
        }
        let now = try places.require()
        guard added.allSatisfy({ now[\.network.allowedAddresses]?.contains($0) == true }) else {
            throw Complaint.make(
                "\(file) has no effect: network.allowed-addresses is set elsewhere",
                hint: "add it there: login-kiosk config show", status: .configuration)
        }
        return added
    }
}

extension [AddressNetwork] {
    var text: String { map(\.description).joined(separator: " ") }
}
