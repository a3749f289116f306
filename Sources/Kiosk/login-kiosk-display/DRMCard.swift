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
    private let buffer: UInt32
    private let handle: UInt32
    private let pitch: Int
    private let size: Int
    // Safe: the mapping has `size` bytes and ends in `deinit`.
    private let pixels: UnsafeMutableRawPointer

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
        // Closing the card releases the buffer.
        var (handle, pitch, size): (UInt32, UInt32, UInt64) = (0, 0, 0)
        var (buffer, offset): (UInt32, UInt64) = (0, 0)
        guard
            unsafe drmModeCreateDumbBuffer(
                descriptor, UInt32(output.width), UInt32(output.height), 32, 0, &handle, &pitch, &size) == 0,
            unsafe drmModeAddFB(
                descriptor, UInt32(output.width), UInt32(output.height), 24, 32, pitch, handle, &buffer) == 0,
            unsafe drmModeMapDumbBuffer(descriptor, handle, &offset) == 0
        else { throw .missing("\(path): no buffer (\(systemErrorText(errno)))") }
        let place = unsafe mmap(nil, Int(size), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, Int(offset))
        guard let mapped = unsafe place, unsafe mapped != MAP_FAILED else {
            throw .missing("\(path): no buffer (\(systemErrorText(errno)))")
        }
        unsafe memset(mapped, 0, Int(size))
        let modeSetting = ModeSetting(descriptor, output, buffer: buffer)
        let code = modeSetting.light(true)
        guard code == 0 else {
            unsafe munmap(mapped, Int(size))
            if [EACCES, EPERM, EBUSY].contains(code) { throw .held }
            throw .missing("\(path): the panel takes no picture (\(systemErrorText(code)))")
        }
        isOpen = true
        (width, height, millimetres) = (output.width, output.height, output.millimetres)
        (self.descriptor, self.modeSetting, self.buffer) = (descriptor, modeSetting, buffer)
        (self.handle, self.pitch, self.size) = (handle, Int(pitch), Int(size))
        unsafe pixels = unsafe mapped
    }

    deinit {
        unsafe munmap(pixels, size)
        drmModeRmFB(descriptor, buffer)
        drmModeDestroyDumbBuffer(descriptor, handle)
        close(descriptor)
    }

    func light(_ isOn: Bool) -> Bool { modeSetting.light(isOn) == 0 }

    func show(_ canvas: Canvas, _ parts: [Rectangle], _ rotation: DisplaySettings.Rotation) {
        unsafe canvas.withPixels { source in
            for part in parts {
                unsafe PixelCopy.copy(
                    part, of: source, stride: canvas.stride, to: pixels, pitch: pitch, width: width, height: height,
                    rotation)
            }
        }
        modeSetting.changed(parts.map { PixelCopy.place(of: $0, rotation, width: width, height: height) })
    }
}
