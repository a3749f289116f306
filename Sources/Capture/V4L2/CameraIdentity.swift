// SPDX-License-Identifier: Apache-2.0

/// By what a camera is known again when it returns.
public struct CameraIdentity: Sendable, Equatable, CustomStringConvertible {
    /// The camera's own name.
    public let name: String
    public let driver: String
    /// Where it is plugged in, such as `usb-0000:00:14.0-1`.
    public let bus: String
    /// USB vendor and product, such as `046d:082b`; nil for a camera that is not on USB.
    public let usbID: String?
    /// The serial number that it gives on USB.
    public let serial: String?

    /// The same for the same piece of hardware, as far as one can tell, wherever it is plugged in.
    public var description: String {
        guard let usbID else { return name }
        return "\(name) (\(usbID)" + (serial.map { ", serial \($0))" } ?? ")")
    }
}
