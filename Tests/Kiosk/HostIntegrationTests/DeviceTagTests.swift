// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HostIntegration
import Synchronization
import Testing

@Suite final class DeviceTagTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "device-tag-\(UUID().uuidString)")
    private var path: String { folder.appending(path: "device-tag").path() }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test("The tag is made once, readable by this user only, and stays")
    func isMadeOnce() throws {
        let tag = try DeviceTag.readOrMake(path)
        #expect(tag.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        #expect(try DeviceTag.readOrMake(path) == tag)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? NSNumber == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["device-tag"])
        #expect(try DeviceTag.readOrMake(path + "-of-another") != tag)
    }

    @Test("Programs that ask at the same time get the same tag")
    func isOneForAll() {
        let path = path
        let tags = Tags()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in tags.add(try? DeviceTag.readOrMake(path)) }
        #expect(tags.all.count == 1 && !tags.all.contains(nil))
    }

    private final class Tags: Sendable {
        private let found = Mutex<Set<String?>>([])
        var all: Set<String?> { found.withLock { $0 } }
        func add(_ tag: String?) { found.withLock { _ = $0.insert(tag) } }
    }

    @Test(
        "A file with other content is reported, and stays",
        arguments: [
            "", "\n", "0123456789abcdef0123456789abcde", "0123456789ABCDEF0123456789ABCDEF\n",
            "0123456789abcdef0123456789abcdef0", "0123456789abcdef0123456789abcdef\n\n",
            " 123456789abcdef0123456789abcdef", String(repeating: "0", count: 4096),
        ])
    func isTold(text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        #expect(throws: DeviceTag.Problem.noTag(path)) { try DeviceTag.readOrMake(path) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test("Without its directory there is no tag")
    func needsItsDirectory() {
        #expect(throws: DeviceTag.Problem.self) { try DeviceTag.readOrMake(path + "/there/tag") }
    }
}
