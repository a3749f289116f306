// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The video device files of one moment. A camera that is plugged in again gets a new one, also where the name
/// is the same.
public struct VideoNodes: Sendable {
    private let numbers: Set<UInt64>
    public let paths: [String]

    public init() { self.init(DeviceFiles()) }

    init(_ files: DeviceFiles) {
        paths = files.videoNodes()
        numbers = Set(paths.compactMap { VideoNodes.number(of: $0) })
    }

    /// Whether one has come since `earlier`.
    public func hasNew(since earlier: VideoNodes) -> Bool { !numbers.isSubset(of: earlier.numbers) }

    private static func number(of path: String) -> UInt64? {
        var status = stat()
        // Safe: the structure is ours and written during the call.
        return unsafe stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }
}
