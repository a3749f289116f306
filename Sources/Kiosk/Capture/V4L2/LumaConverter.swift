// SPDX-License-Identifier: Apache-2.0

import CV4L2
import KioskPorts

/// Converts formats that this module does not read itself, with libv4lconvert, to planes. The first plane is the luma.
// Safe to use: the handle is made, used and destroyed by this type alone.
@safe struct LumaConverter: ~Copyable {
    /// YU12: luma first, then colour in two planes of a quarter each.
    private static let planar = PixelCode(0x3231_5559)

    private let handle: OpaquePointer
    private let stream: VideoStream
    private var source: v4l2_format
    private var target: v4l2_format
    private var raw: [UInt8] = []
    private var planes: [UInt8]

    /// Nil when the library cannot start.
    init?(_ stream: VideoStream) {
        guard let handle = unsafe stream.makeConverter() else { return nil }
        unsafe self.init(owning: handle, stream)
    }

    private init(owning handle: OpaquePointer, _ stream: VideoStream) {
        unsafe self.handle = unsafe handle
        self.stream = stream
        let (width, height) = (stream.format.width, stream.format.height)
        unsafe source = unsafe V4L2Format.structure(
            stream.format.code, width: width, height: height, bytesPerLine: stream.format.bytesPerLine,
            size: stream.format.size)
        planes = [UInt8](repeating: 0, count: width * height * 3 / 2)
        unsafe target = unsafe V4L2Format.structure(
            LumaConverter.planar, width: width, height: height, bytesPerLine: width, size: planes.count)
    }

    /// The one of a camera's foreign formats that the library would convert from.
    ///
    /// - Parameter hasForeign: whether there is any; else the library need not ask the driver.
    static func bestSource(_ number: Int32, hasForeign: Bool) -> PixelCode? {
        guard hasForeign, let handle = unsafe v4lconvert_create(number) else { return nil }
        // Safe: ours until here.
        defer { unsafe v4lconvert_destroy(handle) }
        var target = unsafe V4L2Format.structure(planar, width: 640, height: 480)
        var source = unsafe v4l2_format()
        guard unsafe v4lconvert_try_format(handle, &target, &source) == 0,
            unsafe V4L2Format.delivered(target).code == planar
        else { return nil }
        return unsafe V4L2Format.delivered(source).code
    }

    deinit {
        unsafe v4lconvert_destroy(handle)
    }

    borrowing func belongs(to other: VideoStream) -> Bool { stream === other }

    mutating func convert(_ bytes: UnsafeRawBufferPointer, into frame: inout FrameBuffer) -> Bool {
        // The library may work in place, and the mapped buffer is read-only.
        unsafe raw.replaceSubrange(0..., with: bytes)
        let handle = unsafe handle
        // Safe: counts are the buffers' own.
        let count = unsafe raw.withUnsafeMutableBufferPointer { raw in
            unsafe planes.withUnsafeMutableBufferPointer { planes in
                unsafe v4lconvert_convert(
                    handle, &source, &target, raw.baseAddress, Int32(raw.count), planes.baseAddress,
                    Int32(planes.count))
            }
        }
        guard count == planes.count else { return false }
        frame.resize(stream.format.width, stream.format.height)
        frame.pixels.replaceSubrange(0..., with: planes[..<frame.pixels.count])
        return true
    }
}
