// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HostIntegration
import Synchronization
import Testing

@Suite struct DeviceTagTests {
    private let files: FileTree
    private var path: String { files.path("device-tag") }

    init() throws { files = try FileTree() }

    @Test("The tag is made once, readable by this user only, and stays")
    func isMadeOnce() throws {
        let tag = try DeviceTag.readOrMake(path)
        #expect(tag.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        #expect(try DeviceTag.readOrMake(path) == tag)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? NSNumber == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.path()) == ["device-tag"])
        #expect(try DeviceTag.readOrMake(path + "-of-another") != tag)
    }

    @Test("Programs that ask at the same time get the same tag")
    func isOneForAll() {
        let path = path
        let tags = Mutex<Set<String?>>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let tag = try? DeviceTag.readOrMake(path)
            tags.withLock { _ = $0.insert(tag) }
        }
        let all = tags.withLock(\.self)
        #expect(all.count == 1 && !all.contains(nil))
    }

    @Test(
        "A file with other content is reported, and stays",
        arguments: [
            "", "\n", "0123456789abcdef0123456789abcde", "0123456789ABCDEF0123456789ABCDEF\n",
            "0123456789abcdef0123456789abcdef0", "0123456789abcdef0123456789abcdef\n\n",
            " 123456789abcdef0123456789abcdef", String(repeating: "0", count: 4096),
        ])
    func isTold(text: String) throws {
        try files.file("device-tag", text)
        #expect(throws: DeviceTag.Problem.noTag(path)) { try DeviceTag.readOrMake(path) }
        #expect(try files.text("device-tag") == text)
    }

    @Test("Without its directory there is no tag")
    func needsItsDirectory() {
        #expect(throws: DeviceTag.Problem.self) { try DeviceTag.readOrMake(path + "/there/tag") }
    }
}
