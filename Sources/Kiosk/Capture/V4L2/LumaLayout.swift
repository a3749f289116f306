// SPDX-License-Identifier: Apache-2.0

/// The place of the luma in a captured buffer, which determines the cost of a frame.
enum LumaLayout: Sendable, Equatable {
    /// The luma comes first, as a plane of its own: the driver's buffer is lent as it is.
    case plane
    /// Every second byte, from this one: half of the buffer is copied.
    case everySecond(from: Int)
    /// A JPEG, to be decoded.
    case jpeg
    /// A format that libv4lconvert understands.
    case converted

    /// The cost of a frame; lower is cheaper.
    var cost: Int {
        switch self {
        case .plane: 0
        case .everySecond: 1
        case .jpeg: 2
        case .converted: 3
        }
    }

    private static let known: [String: LumaLayout] = [
        "GREY": .plane, "NV12": .plane, "NV21": .plane, "NV16": .plane, "NV61": .plane, "NV24": .plane,
        "YU12": .plane, "YV12": .plane, "422P": .plane, "YUYV": .everySecond(from: 0), "YVYU": .everySecond(from: 0),
        "UYVY": .everySecond(from: 1), "VYUY": .everySecond(from: 1), "MJPG": .jpeg, "JPEG": .jpeg,
    ]

    init(_ code: PixelCode) {
        self = LumaLayout.known[code.description] ?? .converted
    }
}
