// SPDX-License-Identifier: Apache-2.0

import CV4L2
import Glibc
import KioskPorts
import LinuxSystem

/// The owner of an open camera: closes it when it goes.
struct VideoDevice: ~Copyable {
    let path: String
    let number: Int32
    let identity: CameraIdentity
    let system: any VideoSystem

    /// - Throws: also when what is opened is not a camera that delivers pictures.
    init(opening path: String, files: DeviceFiles, system: any VideoSystem) throws(FrameSourceError) {
        let number: Int32
        do throws(SystemFailure) { number = try system.open(path) } catch {
            throw CameraFault.error(error, at: path, trying: "open")
        }
        do throws(FrameSourceError) {
            identity = try VideoDevice.identify(number, at: path, files: files, system: system)
        } catch {
            system.close(number)
            throw error
        }
        self.path = path
        self.number = number
        self.system = system
    }

    private static func identify(
        _ number: Int32, at path: String, files: DeviceFiles, system: any VideoSystem
    ) throws(FrameSourceError) -> CameraIdentity {
        var capability = v4l2_capability()
        do throws(SystemFailure) {
            try system.control(number, UInt(cv4l2_query_capability), &capability)
        } catch {
            // A device, but not a video device.
            if error.code == ENOTTY { throw noCamera(path, "is not a camera") }
            throw CameraFault.error(error, at: path, trying: "say what it is")
        }
        let identity = CameraIdentity(capability, usb: files.usb(path))
        if let problem = problem(capability, identity) { throw noCamera(path, problem) }
        return identity
    }

    deinit {
        system.close(number)
    }

    /// `ioctl`; a call that a signal interrupted is made again.
    borrowing func control<Argument>(
        _ request: UInt, _ argument: inout Argument
    ) throws(SystemFailure) {
        try system.controlUninterrupted(number, request, &argument)
    }

    /// The reason why the device is not a camera for us, if there is one.
    private static func problem(_ capability: v4l2_capability, _ identity: CameraIdentity) -> String? {
        let hasOwn = capability.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
        let abilities = hasOwn ? capability.device_caps : capability.capabilities
        switch CameraQuirk.of(identity) {
        case .rawSensor: return "delivers a sensor's raw pixels; such a camera is read as --source rpicam"
        case .noCamera: return "is a coder or image processor, not a camera"
        case .refusesRate, nil: break
        }
        guard abilities & UInt32(V4L2_CAP_VIDEO_CAPTURE) != 0 else {
            return abilities & UInt32(V4L2_CAP_META_CAPTURE) != 0
                ? "delivers data about pictures, not pictures" : "does not capture pictures"
        }
        return abilities & UInt32(V4L2_CAP_STREAMING) == 0 ? "does not lend its buffers" : nil
    }

    private static func noCamera(_ path: String, _ problem: String) -> FrameSourceError {
        FrameSourceError(
            .unsupportedFormat, at: path, problem: problem, remedy: "choose a camera: login-kiosk devices lists them")
    }
}

extension CameraIdentity {
    fileprivate init(_ capability: v4l2_capability, usb: (id: String, serial: String?)?) {
        name = CText.string(capability.card)
        driver = CText.string(capability.driver)
        bus = CText.string(capability.bus_info)
        usbID = usb?.id
        serial = usb?.serial
    }
}

extension VideoDevice {
    /// Gives a buffer to the driver, to be filled.
    borrowing func queue(_ index: Int) throws(SystemFailure) {
        var buffer = unsafe VideoDevice.emptyBuffer()
        unsafe buffer.index = UInt32(index)
        try unsafe control(UInt(cv4l2_queue_buffer), &buffer)
    }

    /// The structure that a call about a mapped buffer begins with.
    static func emptyBuffer() -> v4l2_buffer {
        var buffer = unsafe v4l2_buffer()
        unsafe buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        unsafe buffer.memory = V4L2_MEMORY_MMAP.rawValue
        return unsafe buffer
    }
}
