// SPDX-License-Identifier: Apache-2.0

/// A value for a control of a camera.
public struct ControlSetting: Sendable, Hashable {
    /// The importance of the setting. The raw value is the byte on the pipe.
    public enum Kind: UInt8, Sendable {
        /// The camera's regulation chooses it again.
        case chosenAgain = 0
        /// The control stays as it is set.
        case lasting = 1
        /// The control switches the camera's regulation on or off.
        case regulation = 2
    }

    /// The most controls that are taken from a camera's regulation at a time.
    public static let maximumCount = 8

    /// V4L2's number of the control.
    public var id: UInt32
    public var value: Int32
    public var kind: Kind

    public init(id: UInt32, value: Int32, kind: Kind = .lasting) {
        self.id = id
        self.value = value
        self.kind = kind
    }
}

extension [ControlSetting] {
    /// The settings as an argument: `NUMBER:VALUE:KIND`, separated by commas.
    public var argument: String { map { "\($0.id):\($0.value):\($0.kind.rawValue)" }.joined(separator: ",") }

    /// - Returns: nil for another text, and for more settings than there may be.
    public init?(argument: String) {
        var settings: [ControlSetting] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: ":", omittingEmptySubsequences: false)
            guard words.count == 3, let id = UInt32(words[0]), let value = Int32(words[1]),
                let kind = UInt8(words[2]).flatMap(ControlSetting.Kind.init)
            else { return nil }
            settings.append(ControlSetting(id: id, value: value, kind: kind))
        }
        guard settings.count <= ControlSetting.maximumCount else { return nil }
        self = settings
    }
}
