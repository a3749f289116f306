// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The kiosk's condition, for its operator. It names no person, code or service.
public enum KioskCondition: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case untrusted, unprovisioned, waitingForTime, withoutPictures, withUnreadablePictures, withoutKeys, ready, resting,
        serving, stopping

    public var description: String {
        switch self {
        case .untrusted: "no service is trusted yet: login-kiosk trust add HOST"
        case .unprovisioned: "waiting for its operator's profile"
        case .waitingForTime: "waiting for the time: the clock is not set"
        case .withoutPictures: "no camera gives pictures"
        case .withUnreadablePictures: "not one of the camera's pictures can be decoded"
        case .withoutKeys: "no keypad works"
        case .ready: "ready for a QR code"
        case .resting: "ready for a QR code, and resting"
        case .serving: "a person is being served"
        case .stopping: "stopping"
        }
    }
}

extension KioskMachine {
    public var condition: KioskCondition {
        switch state {
        case .stopped: .stopping
        case _ where isUntrusted: .untrusted
        case _ where showsOwnKey: .unprovisioned
        case _ where !isScanning: .serving
        case _ where !isClockSet: .waitingForTime
        case _ where cameraTrouble == .undecodable: .withUnreadablePictures
        case _ where !isCameraWorking: .withoutPictures
        case _ where !isKeypadWorking: .withoutKeys
        default: isResting ? .resting : .ready
        }
    }
}
