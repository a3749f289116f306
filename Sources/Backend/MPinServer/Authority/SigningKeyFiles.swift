// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding

/// Files of the state directory with the keys that sign tokens: `signing-key`; `signing-key.next` with a key and the
/// time from which it signs; `signing-key.previous` with a key and the time of its replacement.
///
/// Only commands change them, and each step leaves keys that a running backend may use. So the files may be read, or
/// copied to other machines, at any time.
package struct SigningKeyFiles: Sendable {
    private let path: String
    private var nextPath: String { path + ".next" }
    private var previousPath: String { path + ".previous" }

    package init(state: StateDirectory) { path = state.file("signing-key") }

    /// Reads the keys. The first start creates one.
    /// - Throws: `BackendError.file`, `.cryptographyFailed`.
    package func ringOrFirst() throws(BackendError) -> SigningKeyRing {
        var content = try StateDirectory.content(of: path, orCreate: try SigningKey.make())
        defer { wipe(&content) }
        return try ring(content)
    }

    /// - Throws: `BackendError.file`.
    package func ring() throws(BackendError) -> SigningKeyRing {
        var content = try StateDirectory.content(of: path)
        defer { wipe(&content) }
        return try ring(content)
    }

    private func ring(_ current: [UInt8]) throws(BackendError) -> SigningKeyRing {
        SigningKeyRing(try key(current, path), next: try timedKey(nextPath), previous: try timedKey(previousPath))
    }

    /// Makes a new key, which signs when it has been shown long enough. A key that waits for its time stays the next
    /// one.
    /// - Throws: `BackendError.file`, `.cryptographyFailed`.
    package func renew(now: WallTime) throws(BackendError) {
        let begin = now + SigningKeyRing.announcement
        if var next = try parts(of: nextPath) {
            defer { wipe(&next.key) }
            _ = try key(next.key, nextPath)
            guard next.time <= now else {
                // A time further away comes from a clock that was wrong.
                if next.time > begin { try write(next.key, nextPath, begin) }
                return
            }
            var replaced = try StateDirectory.content(of: path)
            defer { wipe(&replaced) }
            try write(replaced, previousPath, next.time)
            try StateDirectory.replace(path, content: next.key)
        }
        var made = try SigningKey.make()
        defer { wipe(&made) }
        try write(made, nextPath, begin)
    }

    /// Deletes the keys that no longer sign. After a kill the next call does the rest.
    /// - Throws: `BackendError.file`.
    package func dropPrevious(now: WallTime) throws(BackendError) {
        if var next = try parts(of: nextPath) {
            defer { wipe(&next.key) }
            if next.time <= now {
                _ = try key(next.key, nextPath)
                try StateDirectory.replace(path, content: next.key)
                try StateDirectory.remove(nextPath)
            }
        }
        try StateDirectory.remove(previousPath)
    }

    /// Deletes all keys, because somebody may have them, and makes one that signs from now on. After a kill the next
    /// call does the rest.
    /// - Throws: `BackendError.file`, `.cryptographyFailed`.
    package func replaceAll() throws(BackendError) {
        var made = try SigningKey.make()
        defer { wipe(&made) }
        try StateDirectory.replace(path, content: made)
        try StateDirectory.remove(nextPath)
        try StateDirectory.remove(previousPath)
    }

    private func write(_ key: [UInt8], _ path: String, _ time: WallTime) throws(BackendError) {
        var content = Array("\(time.seconds)\n".utf8) + key
        defer { wipe(&content) }
        try StateDirectory.replace(path, content: content)
    }

    /// A file that begins with a time; nil when there is none. The caller wipes the key.
    private func parts(of path: String) throws(BackendError) -> (time: WallTime, key: [UInt8])? {
        guard var content = try StateDirectory.read(path) else { return nil }
        defer { wipe(&content) }
        guard let end = content.firstIndex(of: UInt8(ascii: "\n")),
            let seconds = Int64(String(decoding: content[..<end], as: UTF8.self))
        else { throw .file(path: path, reason: "does not begin with a time") }
        return (WallTime(seconds: seconds), Array(content[(end + 1)...]))
    }

    private func timedKey(_ path: String) throws(BackendError) -> SigningKeyRing.TimedKey? {
        guard var parts = try parts(of: path) else { return nil }
        defer { wipe(&parts.key) }
        return SigningKeyRing.TimedKey(try key(parts.key, path), at: parts.time)
    }

    private func key(_ content: [UInt8], _ path: String) throws(BackendError) -> SigningKey {
        guard let key = SigningKey(content) else {
            throw .file(path: path, reason: "not an RSA key of 2048 bits or more, which tokens are signed with")
        }
        return key
    }
}
