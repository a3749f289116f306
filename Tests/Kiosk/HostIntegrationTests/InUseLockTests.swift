// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostIntegration
import LinuxSystem
import Testing

@Suite struct InUseLockTests {
    private let files: FileTree
    private var path: String { files.path("lock") }

    init() throws { files = try FileTree() }

    /// Whether an update could take the lock before it restarts the kiosk.
    private func isFree() throws -> Bool {
        let file = try OpenedFile.open(path)
        return withExtendedLifetime(file) { flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 }
    }

    @Test("The lock is taken from a person's first key to the idle screen")
    func isHeldWhileInUse() throws {
        try files.file("lock", "")
        let lock = InUseLock(path: path)
        #expect(try isFree())
        lock.set(true)
        #expect(try !isFree())
        lock.set(true)
        #expect(try !isFree())
        lock.set(false)
        #expect(try isFree())
    }

    @Test("Two kiosks do not block each other, and an update waits for both")
    func isShared() throws {
        try files.file("lock", "")
        let first = InUseLock(path: path), second = InUseLock(path: path)
        first.set(true)
        second.set(true)
        first.set(false)
        #expect(try !isFree())
        second.set(false)
        #expect(try isFree())
    }

    @Test("A kiosk continues while an update has the lock, and without the file")
    func neverWaits() throws {
        let lock = InUseLock(path: path)
        lock.set(true)
        try files.file("lock", "")
        let update = try OpenedFile.open(path)
        #expect(flock(update.descriptor, LOCK_EX | LOCK_NB) == 0)
        lock.set(true)
        _ = flock(update.descriptor, LOCK_UN)
        #expect(try isFree())
        lock.set(true)
        #expect(try !isFree())
    }
}
