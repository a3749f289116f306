// SPDX-License-Identifier: Apache-2.0

import Patience
import Glibc
import PictureTestKit
import Testing

@testable import Capture

/// The real system calls, on a file instead of a driver's buffer.
@Suite struct KernelVideoSystemTests {
    @Test func aDetachedBufferKeepsItsBytesAndItsPlace() throws {
        let folder = try TemporaryFolder.made()
        let count = 10_000
        let written = try folder.write((0..<count).map { UInt8(truncatingIfNeeded: $0) }, to: "buffer")
        let path = try #require(DeviceFiles().resolved(written))
        let system = KernelVideoSystem()
        let file = try system.open(path)
        defer { system.close(file) }
        let memory = try unsafe system.map(file, length: count, offset: 0)
        #expect(try mappings().contains(path))
        try unsafe system.detach(memory)
        #expect(try !mappings().contains(path))
        var other: UInt8 = 200
        #expect(unsafe pwrite(file, &other, 1, 0) == 1)
        // Safe: the memory is mapped until the next line.
        #expect(unsafe memory.enumerated().allSatisfy { $0.element == UInt8(truncatingIfNeeded: $0.offset) })
        unsafe system.unmap(memory)
    }

    /// The mappings of this process, with their files.
    private func mappings() throws -> String {
        String(decoding: try CappedFile.read("/proc/self/maps"), as: UTF8.self)
    }
}
