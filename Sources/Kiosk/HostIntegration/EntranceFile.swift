// SPDX-License-Identifier: Apache-2.0

import Foundation
public import LinuxSystem

/// The file that leads a browser to the kiosk's page (`screen.web-file`). The kiosk writes it at each start, so a
/// wrong name must not overwrite a key or the identities.
public enum EntranceFile {
    /// The reason why the kiosk does not write there; nil when it may.
    ///
    /// - Parameter path: a file's name, in the current directory if it names no other.
    public static func problem(_ path: String, in configuration: KioskConfiguration) -> String? {
        let directory = resolved(URL(filePath: path).deletingLastPathComponent())
        let files = [configuration[\.storeKeyFile], configuration[\.fleetKeyFile], configuration[\.trustFile]]
        let directories = [configuration[\.storeDirectory], configuration[\.auditDirectory]]
        let own =
            files.compactMap(\.self).map { URL(filePath: $0).deletingLastPathComponent() }
            + directories.compactMap(\.self).map { URL(filePath: $0) }
            + [configuration.profileDirectory.map { URL(filePath: $0.folder) }].compactMap(\.self)
        guard own.map(resolved).contains(where: { directory == $0 || directory.hasPrefix($0 + "/") }) else {
            return nil
        }
        return "the kiosk's keys, identities or trust list are in \(directory); name a file elsewhere"
    }

    /// The reason why a file is not replaced.
    public struct Foreign: Error, CustomStringConvertible {
        let path: String

        public init(path: String) { self.path = path }

        public var description: String {
            "\(path) is there, and no page of login-kiosk: remove it, or name another file"
        }
    }

    /// Whether the file was written by this program, or is missing.
    ///
    /// - Parameter beginning: the first text of this program's files.
    public static func mayReplace(_ path: String, beginning: String) throws(FileFault) -> Bool {
        guard let file = try OwnedFile.find(path) else { return true }
        guard file.size <= maximumLength else { return false }
        return try file.read(upTo: maximumLength).starts(with: beginning.utf8)
    }

    private static let maximumLength = 64 * 1024

    private static func resolved(_ directory: URL) -> String {
        let path = directory.standardizedFileURL.resolvingSymlinksInPath().path
        return path == "/" ? "" : path
    }
}
