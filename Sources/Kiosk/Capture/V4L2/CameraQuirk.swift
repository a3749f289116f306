// SPDX-License-Identifier: Apache-2.0

/// The known quirks of single drivers and cameras, as data.
enum CameraQuirk: Sendable, Equatable {
    /// Delivers the sensor's raw pixels, which need the image processing of libcamera.
    case rawSensor
    /// A coder or image processor that looks like a camera.
    case noCamera
    /// Delivers nothing once a frame rate was set.
    case refusesRate

    /// Keyed by the driver's name in the reply to `VIDIOC_QUERYCAP`.
    private static let drivers: [String: CameraQuirk] = [
        "unicam": .rawSensor, "rp1-cfe": .rawSensor, "bcm2835-isp": .noCamera, "bcm2835-codec": .noCamera,
        "pispbe": .noCamera, "rpivid": .noCamera,
    ]

    /// Keyed by USB vendor and product, from OctoPi's list of cameras, which its users report.
    private static let usb: [String: CameraQuirk] = [
        "046d:082b": .refusesRate, "1908:2310": .refusesRate, "0458:708c": .refusesRate, "1e4e:0102": .refusesRate,
    ]

    static func of(_ identity: CameraIdentity) -> CameraQuirk? {
        drivers[identity.driver] ?? identity.usbID.flatMap { usb[$0] }
    }
}
