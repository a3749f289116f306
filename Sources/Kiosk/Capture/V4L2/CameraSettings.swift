// SPDX-License-Identifier: Apache-2.0

/// The settings that are asked of a camera beyond its own choice.
public struct CameraSettings: Sendable, Equatable {
    public struct Size: Sendable, Equatable {
        public var width: Int
        public var height: Int
    }

    public var format: PixelCode?
    public var size: Size?
    /// Frames a second.
    public var rate: Double?
    /// Controls by name, in the order they are set; nil stands for "auto".
    public var controls: [Control] = []
    /// Whether the exposure may be varied to read a code.
    public var variesExposure = true

    public struct Control: Sendable, Equatable {
        public var name: String
        public var value: Int32?
    }
}
