// SPDX-License-Identifier: Apache-2.0

@testable import Capture

/// The properties of a fake camera.
struct FakeCamera {
    struct Control {
        var id: UInt32
        var name: String
        var range: ClosedRange<Int32>
    }

    /// A pixel format by name.
    static func code(_ name: String) -> PixelCode { PixelCode(name) ?? PixelCode(0) }

    var name = "Fake Camera"
    var driver = "fakevideo"
    /// Capturing and streaming.
    var abilities: UInt32 = 0x0400_0001
    var formats: [(code: String, width: Int, height: Int)] = [("GREY", 32, 4)]
    /// Bytes added to every row.
    var padding = 0
    var controls: [Control] = []
    /// The order of fields, a `v4l2_field`, which the driver answers to any request.
    var fields: UInt32 = 1
}
