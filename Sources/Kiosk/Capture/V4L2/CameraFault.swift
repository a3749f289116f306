// SPDX-License-Identifier: Apache-2.0

import CV4L2
import KioskPorts
import LinuxSystem

/// Puts a failed system call on a camera into words.
enum CameraFault {
    /// - Parameters:
    ///   - path: the device file.
    ///   - action: what was tried, such as "start its stream".
    static func error(_ failure: SystemFailure, at path: String, trying action: String) -> FrameSourceError {
        switch failure.code {
        case ENOENT, ENODEV, ENXIO: missing(path)
        case EACCES, EPERM:
            FrameSourceError(
                .forbidden, at: path, problem: "may not be opened by this user",
                remedy: "add the user to the group video")
        case EBUSY: busy(path)
        case ENOSPC:
            FrameSourceError(
                .unreadable, at: path, problem: "has no room on its bus for any of its sizes",
                remedy: "plug it into another port, not into a hub, or unplug other cameras")
        default:
            FrameSourceError(
                .unreadable, at: path, problem: "did not \(action) (\(failure.reason))",
                remedy: "unplug the camera and plug it in again, or choose another: login-kiosk devices")
        }
    }

    static func missing(_ place: String) -> FrameSourceError {
        FrameSourceError(
            .notFound, at: place, problem: "is not there",
            remedy: "plug the camera in; login-kiosk devices lists what is there")
    }

    static func silent(_ place: String, after limit: Duration) -> FrameSourceError {
        FrameSourceError(
            .silent, at: place, problem: "has delivered no frame for \(limit.components.seconds) s",
            remedy: "it is opened again, after the second time with its next size or, without a name, the next camera; "
                + "if that does not help, unplug it and plug it in again")
    }

    static func undecodable(_ place: String, _ format: DeliveredFormat, _ reason: String) -> FrameSourceError {
        FrameSourceError(
            .undecodable, at: place,
            problem: "delivers frames of which none can be decoded (\(format.code) \(format.width) x \(format.height): "
                + "\(reason))",
            remedy: "its next format is tried; if that does not help, plug it in elsewhere, or choose another camera")
    }

    static func exchanged(_ place: String, _ old: String, _ new: CameraIdentity) -> FrameSourceError {
        FrameSourceError(
            .exchanged, at: place, problem: "was \(old) and is now \(new)",
            remedy: "if it was not exchanged on purpose, look at the camera; otherwise start again")
    }

    private static func busy(_ path: String) -> FrameSourceError {
        let holders = DeviceHolder.holders(of: DeviceFiles().resolved(path) ?? path)
        let who = holders.isEmpty ? "another program" : holders.map(\.description).joined(separator: ", ")
        return FrameSourceError(.inUse, at: path, problem: "is in use by \(who)", remedy: "end that program")
    }
}
