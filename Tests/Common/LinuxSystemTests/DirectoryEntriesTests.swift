// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Testing

@Suite struct DirectoryEntriesTests {
    @Test func namesOfADirectory() throws {
        let tree = try FileTree()
        try tree.file("first")
        try tree.file(".hidden")
        try tree.directory("folder")
        try tree.link("link", to: "first")
        #expect(try DirectoryEntries.names(in: tree.root).sorted() == [".hidden", "first", "folder", "link"])
        #expect(try DirectoryEntries.names(in: tree.root) { _, isLink in isLink } == ["link"])
        // The limit counts only the names that are meant.
        #expect(try DirectoryEntries.names(in: tree.root, atMost: 2).count == 2)
        #expect(try DirectoryEntries.names(in: tree.root, atMost: 1) { name, _ in name == "folder" } == ["folder"])
    }

    @Test func theSystemsReasonIsThrown() throws {
        let tree = try FileTree()
        try tree.file("file")
        #expect(throws: SystemFailure(ENOENT)) { try DirectoryEntries.names(in: tree.path("missing")) }
        #expect(throws: SystemFailure(ENOTDIR)) { try DirectoryEntries.names(in: tree.path("file")) }
    }
}
