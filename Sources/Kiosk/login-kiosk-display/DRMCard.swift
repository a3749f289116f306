// SPDX-License-Identifier: Apache-2.0

import CDRM
import Display
import Glibc
import KioskPorts
import LinuxSystem

/// A panel at a graphics card, drawn by the kernel's mode setting with one plain buffer: no GPU, no compositor.
@safe final class DRMCard: PanelSurface {
    /// The reason why a card shows nothing.
    enum Obstacle: Error {
        case held
        case missing(String)
    }

    /// The kernel's folder of graphics cards.
    static let folder = "/dev/dri"
    /// The flags for opening a card.
    static let openingFlags = UInt32(O_RDWR | O_CLOEXEC)
    /// The numbers of `ioctl` that this program uses through libdrm.
    static var requests: [UInt32] {
        // Safe: the count is the array's own.
        unsafe withUnsafeBytes(of: cdrm_requests) { bytes in
            unsafe Array(bytes.bindMemory(to: UInt32.self).prefix(Int(cdrm_request_count)))
        }
    }

    let width: Int
    let height: Int
    let millimetres: (width: Int, height: Int)

    private let descriptor: Int32
    private let modeSetting: ModeSetting
    private let buffer: DumbBuffer

    /// Opens the card, takes its panel and shows a black picture there. The kernel shows its console again when the
    /// card is closed.
    init(path: String, connector: String) throws(Obstacle) {
        // Safe: the text is lent for the call.
        let descriptor = unsafe open(path, Int32(bitPattern: DRMCard.openingFlags))
        guard descriptor >= 0 else {
            throw Obstacle.missing("\(path): \(systemErrorText(errno))")
        }
        var isOpen = false
        defer { if !isOpen { close(descriptor) } }
        var hasBuffers: UInt64 = 0
        guard unsafe drmGetCap(descriptor, UInt64(DRM_CAP_DUMB_BUFFER), &hasBuffers) == 0, hasBuffers != 0 else {
            throw .missing("\(path): it has no plain buffers")
        }
        let output = try DRMOutput(descriptor, connector, path: path)
        guard drmIsMaster(descriptor) != 0 || drmSetMaster(descriptor) == 0 else { throw .held }
        guard let buffer = DumbBuffer(descriptor, width: output.width, height: output.height) else {
            throw .missing("\(path): no buffer (\(systemErrorText(errno)))")
        }
        let modeSetting = ModeSetting(descriptor, output, buffer: buffer.number)
        let code = modeSetting.light(true)
        guard code == 0 else {
            buffer.unmap()
            if [EACCES, EPERM, EBUSY].contains(code) { throw .held }
            throw .missing("\(path): the panel takes no picture (\(systemErrorText(code)))")
        }
        isOpen = true
        (width, height, millimetres) = (output.width, output.height, output.millimetres)
        (self.descriptor, self.modeSetting, self.buffer) = (descriptor, modeSetting, buffer)
    }

    deinit {
        buffer.unmap()
        buffer.remove(from: descriptor)
        close(descriptor)
    }

    func light(_ isOn: Bool) -> Bool { modeSetting.light(isOn) == 0 }

    func show(_ canvas: Canvas, _ parts: [Rectangle], _ rotation: DisplaySettings.Rotation) {
        let pixelCopy = PixelCopy(rotation: rotation, width: width, height: height)
        unsafe canvas.withPixels { source in
            for part in parts {
                unsafe pixelCopy.copy(part, of: source, stride: canvas.stride, to: buffer.pixels, pitch: buffer.pitch)
            }
        }
        modeSetting.changed(parts.map(pixelCopy.place))
    }
}

/// A plain buffer of a card, black at first, mapped into this process. Closing the card releases it, but not the
/// mapping.
@safe private struct DumbBuffer {
    /// The card's number of it as a picture.
    let number: UInt32
    /// Bytes of a row.
    let pitch: Int
    // Safe: the mapping has `size` bytes until `unmap`.
    let pixels: UnsafeMutableRawPointer
    private let handle: UInt32
    private let size: Int

    /// - Returns: nil for a reason that `errno` has.
    init?(_ descriptor: Int32, width: Int, height: Int) {
        var (handle, pitch, size): (UInt32, UInt32, UInt64) = (0, 0, 0)
        var (number, offset): (UInt32, UInt64) = (0, 0)
        let (columns, rows) = (UInt32(width), UInt32(height))
        guard unsafe drmModeCreateDumbBuffer(descriptor, columns, rows, 32, 0, &handle, &pitch, &size) == 0,
            unsafe drmModeAddFB(descriptor, columns, rows, 24, 32, pitch, handle, &number) == 0,
            unsafe drmModeMapDumbBuffer(descriptor, handle, &offset) == 0,
            let mapped = unsafe mmap(nil, Int(size), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, Int(offset)),
            unsafe mapped != MAP_FAILED
        else { return nil }
        unsafe memset(mapped, 0, Int(size))
        unsafe pixels = mapped
        (self.number, self.pitch, self.handle, self.size) = (number, Int(pitch), handle, Int(size))
    }

    func unmap() { unsafe munmap(pixels, size) }

    func remove(from descriptor: Int32) {
        drmModeRmFB(descriptor, number)
        drmModeDestroyDumbBuffer(descriptor, handle)
    }
}
