// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostIntegration
import Testing

/// Files on sticks and boot partitions.
@Suite("Files on removable media")
final class RemovableMediaTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func stick(_ name: String) throws -> URL {
        let stick = folder.appending(path: name)
        try FileManager.default.createDirectory(at: stick, withIntermediateDirectories: true)
        return stick.appending(path: RemovableMedia.name)
    }

    private func found(_ pattern: String = "/*") throws -> [String: [UInt8]] {
        try #require(RemovableMedia(folders: "/nowhere:\(folder.path)\(pattern)")).look()
    }

    @Test func findsFilesInEveryFolder() throws {
        try Data("one".utf8).write(to: try stick("a"))
        try Data("two".utf8).write(to: try stick("b/c"))
        #expect(try found().values.map { $0 } == [Array("one".utf8)])
        #expect(try found("/*/*").values.map { $0 } == [Array("two".utf8)])
        #expect(try found("/a").count == 1 && found("").isEmpty)
        #expect(
            RemovableMedia(folders: "relative") == nil && RemovableMedia(folders: RemovableMedia.usualFolders) != nil)
    }

    @Test func readsPlainFilesOnly() throws {
        let secret = folder.appending(path: "secret")
        try Data("secret".utf8).write(to: secret)
        try FileManager.default.createSymbolicLink(at: try stick("link"), withDestinationURL: secret)
        try FileManager.default.createSymbolicLink(
            at: try stick("device"), withDestinationURL: URL(filePath: "/dev/zero"))
        #expect(unsafe mkfifo(try stick("pipe").path, 0o600) == 0)
        try FileManager.default.createDirectory(at: try stick("folder"), withIntermediateDirectories: false)
        try Data(count: RemovableMedia.maximumLength + 1).write(to: try stick("long"))
        // A folder that is a symbolic link may lead anywhere.
        try Data("one".utf8).write(to: try stick("real/inner"))
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "linked"), withDestinationURL: folder.appending(path: "real/inner"))
        #expect(try found().isEmpty)
        try Data(count: RemovableMedia.maximumLength).write(to: try stick("long"))
        #expect(try found().count == 1)
    }

    @Test func looksIntoFewFolders() throws {
        for number in 0..<200 { try Data("\(number)".utf8).write(to: try stick("stick \(number)")) }
        // Together with the missing one they are 64.
        #expect(try found().count == 63)
    }

    @Test("A file is reported once, and again when it was replaced or came back", .timeLimit(.minutes(10)))
    func watchesFiles() async throws {
        let path = try stick("a")
        let files = try #require(RemovableMedia(folders: "\(folder.path)/*"))
        var watched = files.watched(every: .milliseconds(10)).makeAsyncIterator()
        for text in ["one", "two", "three"] {
            try Data(text.utf8).write(to: path, options: .atomic)
            #expect(await watched.next() == Array(text.utf8))
        }
    }
}
