// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import KioskPorts

/// The place to which pictures go.
protocol PanelSurface: AnyObject {
    /// In pixels, as the panel is built.
    var width: Int { get }
    var height: Int { get }
    /// The panel's own size; zero when it does not report it.
    var millimetres: (width: Int, height: Int) { get }

    /// Switches the panel's light.
    ///
    /// - Returns: false when another program has taken the panel.
    func light(_ isOn: Bool) -> Bool

    /// Shows parts of a picture that was painted for the person, turned as the panel needs it.
    func show(_ canvas: Canvas, _ parts: [Rectangle], _ rotation: DisplaySettings.Rotation)
}

/// A panel that nobody sees, for tests.
final class MemoryPanel: PanelSurface {
    let width: Int
    let height: Int
    let millimetres = (width: 0, height: 0)

    init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    func light(_ isOn: Bool) -> Bool { true }

    func show(_ canvas: Canvas, _ parts: [Rectangle], _ rotation: DisplaySettings.Rotation) {}
}

/// Copies pixels of four bytes to a panel that may be mounted turned.
struct PixelCopy {
    let rotation: DisplaySettings.Rotation
    /// The size of the panel as it is built, in pixels.
    let width: Int
    let height: Int

    /// The place of a part on the panel.
    func place(of part: Rectangle) -> Rectangle {
        switch rotation {
        case .none: part
        case .right:
            Rectangle(x: width - part.y - part.height, y: part.x, width: part.height, height: part.width)
        case .half:
            Rectangle(
                x: width - part.x - part.width, y: height - part.y - part.height, width: part.width,
                height: part.height)
        case .left:
            Rectangle(x: part.y, y: height - part.x - part.width, width: part.height, height: part.width)
        }
    }

    /// - Parameters:
    ///   - part: within both pictures.
    ///   - source: rows of `stride` bytes.
    ///   - target: ``height`` rows of `pitch` bytes, of which ``width`` pixels show.
    @unsafe func copy(
        _ part: Rectangle, of source: UnsafeRawBufferPointer, stride: Int, to target: UnsafeMutableRawPointer,
        pitch: Int
    ) {
        guard let start = source.baseAddress else { return }
        for y in part.y..<part.y + part.height {
            if rotation == .none {
                unsafe memcpy(target + y * pitch + part.x * 4, start + y * stride + part.x * 4, part.width * 4)
                continue
            }
            for x in part.x..<part.x + part.width {
                let (column, row) =
                    switch rotation {
                    case .none: (x, y)
                    case .right: (width - 1 - y, x)
                    case .half: (width - 1 - x, height - 1 - y)
                    case .left: (y, height - 1 - x)
                    }
                let pixel = unsafe start.loadUnaligned(fromByteOffset: y * stride + x * 4, as: UInt32.self)
                unsafe target.storeBytes(of: pixel, toByteOffset: row * pitch + column * 4, as: UInt32.self)
            }
        }
    }
}
