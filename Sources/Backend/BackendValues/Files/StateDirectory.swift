// SPDX-License-Identifier: Apache-2.0

package import Encoding
package import LinuxSystem

/// The folder with all lasting state. Folders are 0700 and files 0600, whatever the umask is.
package struct StateDirectory: Sendable {
    /// More than any file of a state directory except the database, and more than a chain of certificates.
    private static let maximumLength = 1 << 20

    package let path: String

    /// Creates the folder if it is missing.
    /// - Throws: `BackendError.file`, `.exposedFile` when other users can change its content.
    package init(path: String) throws(BackendError) {
        self.path = path
        try Self.makeFolder(path)
    }

    package func file(_ name: String) -> String { path + "/" + name }

    /// The path of folder `name` inside, which is created if missing.
    package func folder(_ name: String) throws(BackendError) -> String {
        let folder = path + "/" + name
        try Self.makeFolder(folder)
        return folder
    }

    /// The content of the file at `path`; nil when there is none.
    /// - Parameter need: the access that other users may have.
    package static func read(_ path: String, _ need: OwnedFile.Need = .secret) throws(BackendError) -> [UInt8]? {
        do throws(FileFault) { return try OwnedFile.read(path, need, upTo: maximumLength) } catch {
            if error.cause == .missing { return nil }
            throw BackendError(error)
        }
    }

    /// As `read`, for a file that must exist.
    package static func content(of path: String, _ need: OwnedFile.Need) throws(BackendError) -> [UInt8] {
        guard let content = try read(path, need) else { throw .file(path: path, reason: "does not exist") }
        return content
    }

    /// The password or passphrase in the first line of a file.
    package static func firstLine(of path: String) throws(BackendError) -> SecretBytes {
        var content = try content(of: path, .secret)
        defer { wipe(&content) }
        let line = Array(content.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
        guard !line.isEmpty else { throw .file(path: path, reason: "its first line is empty") }
        return SecretBytes(line)
    }

    /// Whether there is a file at `path` that no other user can access.
    package static func has(_ path: String) throws(BackendError) -> Bool {
        do throws(FileFault) { try OwnedFile.check(path, .secret) } catch {
            if error.cause == .missing { return false }
            throw BackendError(error)
        }
        return true
    }

    /// Creates a file with all its content or not at all. If another process was faster its file stays, so read the
    /// file afterwards.
    package static func create(_ path: String, content: [UInt8]) throws(BackendError) {
        do throws(FileFault) { try OwnedFile.create(path, with: content) } catch { throw BackendError(error) }
    }

    /// Replaces a file with all the new content or not at all.
    package static func replace(_ path: String, content: [UInt8]) throws(BackendError) {
        do throws(FileFault) { try OwnedFile.replace(path, with: content, mode: 0o600) } catch {
            throw BackendError(error)
        }
    }

    /// Overwrites and deletes a file, if it is there.
    /// - Throws: `BackendError.file`.
    package static func remove(_ path: String) throws(BackendError) {
        do throws(FileFault) { try OwnedFile.destroy(path) } catch { throw BackendError(error) }
    }

    private static func makeFolder(_ path: String) throws(BackendError) {
        do throws(FileFault) {
            try OwnedFile.makeDirectory(path)
            try OwnedFile.check(path, .unaltered, .directory)
        } catch {
            throw BackendError(error)
        }
    }
}

extension BackendError {
    package init(_ fault: FileFault) {
        self =
            fault.isExposure
            ? .exposedFile(path: fault.path, problem: fault.problem, hint: fault.hint)
            : .file(path: fault.path, reason: fault.problem)
    }
}
