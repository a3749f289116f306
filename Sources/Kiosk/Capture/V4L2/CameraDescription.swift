// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The description of a video device: the facts that a person needs to choose one.
public struct CameraDescription: Sendable {
    /// The device file of the moment, such as `/dev/video0`.
    public let node: String
    /// Names that stay, the best first; what to give as `--source`.
    public let stableNames: [String]
    /// Nil when the device cannot be opened.
    public let identity: CameraIdentity?
    /// The reason why it cannot be used; nil for a camera.
    public let problem: String?
    public let formats: [CameraFormat]
    public let controls: [CameraControl]
    /// The processes that have it open, as far as this user may see.
    public let holders: [DeviceHolder]

    /// All video devices of this machine, by number.
    public static func all() -> [CameraDescription] {
        all(DeviceFiles(), KernelVideoSystem())
    }

    static func all(_ files: DeviceFiles, _ system: any VideoSystem) -> [CameraDescription] {
        files.videoNodes().map { node in
            let names = files.links(to: node)
            do throws(FrameSourceError) {
                let device = try VideoDevice(opening: node, files: files, system: system)
                return CameraDescription(
                    node: node, stableNames: names, identity: device.identity, problem: nil,
                    formats: device.offeredFormats(), controls: device.controls(),
                    holders: DeviceHolder.holders(of: node))
            } catch {
                return CameraDescription(
                    node: node, stableNames: names, identity: nil, problem: error.problem, formats: [], controls: [],
                    holders: DeviceHolder.holders(of: node))
            }
        }
    }
}

/// The identity by which a returning camera is recognised.
public struct CameraIdentity: Sendable, Equatable, CustomStringConvertible {
    /// The camera's own name.
    public let name: String
    public let driver: String
    /// The port at which it is plugged in, such as `usb-0000:00:14.0-1`.
    public let bus: String
    /// USB vendor and product, such as `046d:082b`; nil for a camera that is not on USB.
    public let usbID: String?
    /// The serial number that it gives on USB.
    public let serial: String?

    /// Whether the name marks an infrared camera, such as the second camera of many portable computers. To such a
    /// camera a screen is dark.
    var isInfrared: Bool {
        name.lowercased().split { !$0.isLetter }.contains { $0 == "ir" || $0 == "infrared" }
    }

    /// A description that stays the same for the same hardware, as far as can be detected, wherever it is plugged in.
    public var description: String {
        guard let usbID else { return name }
        return "\(name) (\(usbID)" + (serial.map { ", serial \($0))" } ?? ")")
    }
}

/// A setting of a camera that its driver offers.
public struct CameraControl: Sendable, Equatable {
    let id: UInt32
    /// In lower case with `_` between the words, such as `exposure_time_absolute`.
    public let name: String
    public let minimum: Int32
    public let maximum: Int32
    public let standard: Int32
    /// The current value; nil when the driver does not report it.
    public let value: Int32?
}
