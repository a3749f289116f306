// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Patience
import Testing

@testable import LinuxSystem

/// Commands that change one file at the same time.
@Suite struct FileLockTests {
    let tree: FileTree
    private var path: String { tree.path("d/trusted") }
    private var lockFile: String { tree.path("d/.trusted.lock") }

    init() throws {
        tree = try FileTree()
        tree.give("", owner: geteuid(), mode: 0o755)
        try tree.directory("d", owner: geteuid())
    }

    private static func cause(_ path: String, patience: Duration = .zero) -> FileFault.Cause? {
        do throws(FileFault) { _ = try FileLock(path, patience: patience) } catch { return error.cause }
        return nil
    }

    @Test func oneAtATime() throws {
        let lock = try FileLock(path)
        #expect(Self.cause(path) == .locked)
        #expect(throws: FileFault.self) { try FileLock.ifPossible(path, patience: .zero) }
        // Another file in the same directory is not locked.
        #expect(Self.cause(tree.path("d/other")) == nil)
        lock.release()
        #expect(Self.cause(path) == nil)
        lock.release()
        // The lock leaves no file.
        #expect(try FileManager.default.contentsOfDirectory(atPath: tree.path("d")).isEmpty)
    }

    @Test("A locked file gives an error that says to try again")
    func isTold() throws {
        let lock = try FileLock(path)
        defer { lock.release() }
        let fault = #expect(throws: FileFault.self) { try FileLock(path, patience: .milliseconds(1)) }
        #expect(fault?.description == "\(path) is being changed by another command")
        #expect(fault?.hint.contains("try again") == true && fault?.isExposure == false)
    }

    @Test("Eight threads read and replace a counter without losing a count")
    func nothingIsLost() throws {
        let (path, threads, rounds) = (path, 8, 25)
        try Data("0".utf8).write(to: URL(filePath: path))
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            for _ in 0..<rounds {
                do {
                    let lock = try FileLock(path, patience: .seconds(120))
                    defer { lock.release() }
                    let text = String(decoding: try OwnedFile.read(path, upTo: 20), as: UTF8.self)
                    try OwnedFile.replace(path, with: Array("\((Int(text) ?? 0) + 1)".utf8))
                } catch { Issue.record("\(error)") }
            }
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "\(threads * rounds)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: tree.path("d")) == ["trusted"])
    }

    @Test("A killed process holds no lock, and the file it leaves locks nothing")
    func killed() async throws {
        try Data().write(to: URL(filePath: lockFile))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: lockFile)
        let holder = Process()
        holder.executableURL = URL(filePath: "/usr/bin/flock")
        holder.arguments = ["--no-fork", lockFile, "/bin/sleep", "600"]
        try holder.run()
        // The process now runs the program that holds the lock.
        let name = "/proc/\(holder.processIdentifier)/comm"
        let isHolding = try await Patience.wait {
            try? String(contentsOfFile: name, encoding: .utf8) == "sleep\n" ? true : nil
        }
        #expect(isHolding == true && Self.cause(path) == .locked)
        kill(holder.processIdentifier, SIGKILL)
        holder.waitUntilExit()
        #expect(Self.cause(path, patience: .seconds(60)) == nil)
    }

    @Test func aLinkIsFollowedToTheFileAndNotFromTheLock() throws {
        try tree.directory("elsewhere", owner: geteuid())
        try tree.file("elsewhere/list", owner: geteuid())
        try tree.link("d/trusted", to: "../elsewhere/list", owner: geteuid())
        let lock = try FileLock(path)
        // Both names are the same file.
        #expect(Self.cause(tree.path("elsewhere/list")) == .locked)
        lock.release()
        // A symbolic link in the lock's place is refused: no file is created, and nothing else is locked.
        try tree.link("elsewhere/.list.lock", to: tree.path("victim"), owner: geteuid())
        #expect(Self.cause(path) == .refused(ELOOP))
        #expect(!FileManager.default.fileExists(atPath: tree.path("victim")))
    }

    @Test("No file in the lock's place causes an endless wait")
    func inItsPlace() throws {
        #expect(unsafe mkfifo(lockFile, 0o600) == 0)
        #expect(Self.cause(path) == .wrongKind(.pipe, expected: .file))
        try FileManager.default.removeItem(atPath: lockFile)
        try tree.directory("d/.trusted.lock", owner: geteuid())
        #expect(Self.cause(path) == .refused(EISDIR))
        try FileManager.default.removeItem(atPath: lockFile)
        // A lock that every user may open could be held by every user.
        try tree.file("d/.trusted.lock", 0o644, owner: geteuid())
        guard case .readable = Self.cause(path) else {
            Issue.record("a lock that others may hold was taken")
            return
        }
    }

    @Test func aDirectoryOfOthersIsRefused() throws {
        tree.give("d", owner: geteuid(), mode: 0o777)
        guard case .changeable = Self.cause(path) else {
            Issue.record("locked where every user may change things")
            return
        }
        #expect(try FileLock.ifPossible(path) == nil)
        #expect(try FileLock.ifPossible(tree.path("missing/trusted")) == nil)
    }
}
