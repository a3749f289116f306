// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// What can be said about a video device: what a person needs to choose one.
public struct CameraDescription: Sendable {
    /// The device file of the moment, such as `/dev/video0`.
    public let node: String
    /// Names that stay, the best first; what to give as `--source`.
    public let stableNames: [String]
    /// Nil when the device cannot be opened.
    public let identity: CameraIdentity?
    /// Why it cannot be used; nil for a camera.
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
