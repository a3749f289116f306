// SPDX-License-Identifier: Apache-2.0

package import Encoding
package import LinuxSystem

/// The folder with all lasting state. Folders are 0700 and files 0600, regardless of the umask.
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
        try run(try OwnedFile.find(path, need)?.read(upTo: maximumLength))
    }

    /// As `read`, for a file that must exist.
    package static func content(
        of path: String, _ need: OwnedFile.Need = .secret
    ) throws(BackendError) -> [UInt8] {
        guard let content = try read(path, need) else { throw .file(path: path, reason: "does not exist") }
        return content
    }

    /// The content of the file at `path`. A missing file is created with the content `initial`, unless another process
    /// is faster.
    package static func content(
        of path: String, orCreate initial: @autoclosure () throws(BackendError) -> [UInt8]
    ) throws(BackendError) -> [UInt8] {
        if let content = try read(path) { return content }
        var content = try initial()
        defer { wipe(&content) }
        try create(path, content: content)
        return try self.content(of: path)
    }

    /// The password or passphrase in the first line of a file.
    package static func firstLine(of path: String) throws(BackendError) -> SecretBytes {
        var content = try content(of: path)
        defer { wipe(&content) }
        let line = Array(content.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
        guard !line.isEmpty else { throw .file(path: path, reason: "its first line is empty") }
        return SecretBytes(line)
    }

    /// Whether there is a file at `path`.
    /// - Throws: `.exposedFile` when other users can access it.
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
        try run(try OwnedFile.create(path, with: content))
    }

    /// Replaces a file with all the new content or not at all.
    package static func replace(_ path: String, content: [UInt8]) throws(BackendError) {
        try run(try OwnedFile.replace(path, with: content, mode: 0o600))
    }

    /// Overwrites and deletes a file, if it is there.
    /// - Throws: `BackendError.file`.
    package static func remove(_ path: String) throws(BackendError) {
        try run(try OwnedFile.destroy(path))
    }

    private static func makeFolder(_ path: String) throws(BackendError) {
        try run(try OwnedFile.makeDirectory(path))
        try run(try OwnedFile.check(path, .unaltered, .directory))
    }

    /// Runs `call` and throws its fault as an error of the backend.
    @discardableResult
    private static func run<Value>(_ call: @autoclosure () throws(FileFault) -> Value) throws(BackendError) -> Value {
        do throws(FileFault) { return try call() } catch { throw BackendError(error) }
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
