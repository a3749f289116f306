// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Patience
import PictureTestKit
import Testing

@testable import Capture

extension FakeVideoSystem {
    /// The place of the camera where a test needs one alone.
    static let path = "/nowhere/video0"

    convenience init(_ camera: FakeCamera = FakeCamera()) { self.init([FakeVideoSystem.path: camera]) }

    /// Opens a camera on this system's clock.
    func film(
        _ settings: CameraSettings = CameraSettings(), by which: CameraRequest.Which = .node(FakeVideoSystem.path),
        root: String = "/nowhere", again known: String? = nil, owed: [ControlSetting] = [],
        pauses: ClosedRange<Duration> = CameraLoop.pauses
    ) throws(FrameSourceError) -> V4L2Camera {
        let finder = CameraFinder(
            request: CameraRequest(which, settings: settings), files: DeviceFiles(root: root), system: self)
        return try V4L2Camera(finder, again: known, owed: owed, clock: clock, pauses: pauses)
    }
}

extension V4L2Camera {
    /// Waits for the camera's thread.
    func waitUntil(_ isSo: (borrowing V4L2Camera) -> Bool) throws {
        var patience = Patience()
        while !isSo(self), patience.pause() {}
        let hasCome = isSo(self)
        try #require(hasCome, "the camera did not come so far")
    }

    /// Waits for a frame.
    ///
    /// - Returns: its pixels, row by row.
    mutating func nextPixels() throws -> [UInt8] {
        var pixels: [UInt8] = []
        for _ in 0..<200 {
            let answer = try lendNext(within: .milliseconds(100)) { frame in
                pixels = frame.withPixels { span in
                    (0..<frame.height).flatMap { y in (0..<frame.width).map { span[y * frame.stride + $0] } }
                }
            }
            if answer == .lent { break }
        }
        try #require(!pixels.isEmpty, "no frame came")
        return pixels
    }
}
