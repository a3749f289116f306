// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem
import Testing

/// Reading and writing files of any kind.
@Suite struct FileReadingTests {
    let tree: FileTree

    init() throws { tree = try FileTree() }

    @Test func theLimitIsExact() throws {
        for length in [0, 1, 4095, 4096, 4097, 10_000] {
            try tree.file("f", content: String(repeating: "x", count: length))
            #expect(try OpenedFile.read(tree.path("f"), upTo: length).count == length)
            guard length > 0 else { continue }
            #expect(throws: FileFault(.tooLong(limit: length - 1), path: tree.path("f"))) {
                try OpenedFile.read(tree.path("f"), upTo: length - 1)
            }
        }
    }

    /// A file may be cut off after its length was read.
    @Test func bytesAreFilledWithoutAGap() throws {
        try tree.file("f", content: "abc")
        #expect(try filled(3) == Array("abc".utf8))
        #expect(throws: FileFault(.refused(EIO), path: tree.path("f"))) { try filled(4) }
    }

    private func filled(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var span = bytes.mutableSpan
        try OpenedFile.open(tree.path("f")).read(into: &span)
        return bytes
    }

    @Test func filesWithoutALength() throws {
        #expect(try OpenedFile.read("/dev/null", upTo: 10).isEmpty)
        #expect(throws: FileFault(.tooLong(limit: 10_000), path: "/dev/zero")) {
            try OpenedFile.read("/dev/zero", upTo: 10_000)
        }
        // The kernel reports the size 0.
        #expect(try OpenedFile.read("/proc/self/status", upTo: 1 << 16).count > 100)
        // It gives a page of memory at a time.
        #expect(try OpenedFile.read("/proc/self/smaps", upTo: 1 << 24).count > 10_000)
    }

    @Test func nothingThatIsNoFileIsWaitedFor() throws {
        #expect(unsafe mkfifo(tree.path("pipe"), 0o600) == 0)
        #expect(throws: FileFault(.wrongKind(.pipe, expected: .file), path: tree.path("pipe"))) {
            try OpenedFile.read(tree.path("pipe"), upTo: 10)
        }
        #expect(throws: FileFault(.wrongKind(.directory, expected: .file), path: tree.root)) {
            try OpenedFile.read(tree.root, upTo: 10)
        }
        #expect(throws: FileFault(.missing, path: tree.path("none"))) {
            try OpenedFile.read(tree.path("none"), upTo: 10)
        }
        try tree.link("link", to: "none")
        #expect(throws: FileFault(.danglingLink(target: "none"), path: tree.path("link"))) {
            try OpenedFile.read(tree.path("link"), upTo: 10)
        }
    }

    /// Gives the tree to this user, who owns what the test writes.
    private func own() { tree.give("", owner: geteuid(), mode: 0o755) }

    @Test func aReplacedFileKeepsWhoseItIs() throws {
        own()
        try tree.file("f", 0o640, owner: geteuid())
        if FileTree.mayGiveAway { tree.give("f", owner: 0, group: FileTree.user, mode: 0o640) }
        try tree.link("link", to: "f", owner: geteuid())
        try OwnedFile.replace(tree.path("link"), with: Array("new".utf8))
        var status = stat()
        #expect(unsafe lstat(tree.path("f"), &status) == 0 && status.st_mode == S_IFREG | 0o640)
        #expect(!FileTree.mayGiveAway || status.st_gid == FileTree.user)
        #expect(try OpenedFile.read(tree.path("link"), upTo: 10) == Array("new".utf8))
        try OwnedFile.replace(tree.path("secret"), with: [1], mode: 0o600)
        #expect(unsafe lstat(tree.path("secret"), &status) == 0 && status.st_mode == S_IFREG | 0o600)
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: tree.root)) == ["f", "link", "secret"])
    }

    @Test func nothingIsWrittenWhereOthersMayWrite() throws {
        tree.give("", owner: geteuid(), mode: 0o777)
        let error = #expect(throws: FileFault.self) { try OwnedFile.replace(tree.path("f"), with: [1]) }
        #expect(error?.isExposure == true && error?.place == tree.root, "\(String(describing: error))")
        #expect(try FileManager.default.contentsOfDirectory(atPath: tree.root).isEmpty)
    }

    @Test func directoriesAreMadeForTheirOwnerAlone() throws {
        own()
        let old = umask(0o077)
        defer { umask(old) }
        try OwnedFile.makeDirectory(tree.path("a/b/../c"))
        try OwnedFile.makeDirectory(tree.path("a/c"))
        for name in ["a", "a/b", "a/c"] {
            let mode = try FileManager.default.attributesOfItem(atPath: tree.path(name))[.posixPermissions] as? Int
            #expect(mode == 0o700, "\(name)")
        }
        try tree.file("f")
        #expect(throws: FileFault(.wrongKind(.file, expected: .directory), path: tree.path("f"))) {
            try OwnedFile.makeDirectory(tree.path("f"))
        }
    }

    @Test("A dangling link is reported, and no directory is created below it")
    func noDirectoryBelowADanglingLink() throws {
        own()
        try tree.link("link", to: "none", owner: geteuid())
        for name in ["link", "link/a/b"] {
            let fault = FileFault(
                .danglingLink(target: "none"), path: tree.path(name), place: tree.path("link"))
            #expect(throws: fault) { try OwnedFile.makeDirectory(tree.path(name)) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: tree.root) == ["link"])
    }
}
