// SPDX-License-Identifier: Apache-2.0

@testable import Capture

/// The properties of a fake camera.
struct FakeCamera {
    struct Control {
        var id: UInt32
        var name: String
        var range: ClosedRange<Int32>
        var value: Int32 = 0
        /// `V4L2_CTRL_FLAG_...`, beside what `needs` says.
        var flags: UInt32 = 0
        /// The control and its value without which this one is inactive and refused.
        var needs: (id: UInt32, value: Int32)?
        /// The error of every attempt to set it.
        var refusal: Int32?
        /// Calls about any control after which a new value counts; until then the old one is told.
        var lateness = 0
        /// The value that is on its way, and the calls until then.
        var coming: (value: Int32, calls: Int)?
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
    /// The error of attempts to start it in sizes of more pixels than `startsWith`.
    var startRefusal: Int32?
    var startsWith = 0
    /// The only size that the driver delivers, whatever it is asked for.
    var only: (width: Int, height: Int)?
    /// The driver rounds heights down to a multiple of this.
    var rounding = 1
}
