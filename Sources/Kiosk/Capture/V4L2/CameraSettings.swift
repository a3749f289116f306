// SPDX-License-Identifier: Apache-2.0

/// The settings that are asked of a camera beyond its own choice.
public struct CameraSettings: Sendable, Equatable {
    public struct Size: Sendable, Equatable {
        public var width: Int
        public var height: Int

        public init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    public var format: PixelCode?
    public var size: Size?
    /// Frames a second.
    public var rate: Double?
    /// Controls by name, in the order they are set; nil stands for "auto".
    public var controls: [Control]
    /// Whether the exposure may be varied to read a code.
    public var variesExposure: Bool

    public struct Control: Sendable, Equatable {
        public var name: String
        public var value: Int32?

        public init(name: String, value: Int32?) {
            self.name = name
            self.value = value
        }
    }

    public init(
        format: PixelCode? = nil, size: Size? = nil, rate: Double? = nil, controls: [Control] = [],
        variesExposure: Bool = true
    ) {
        self.format = format
        self.size = size
        self.rate = rate
        self.controls = controls
        self.variesExposure = variesExposure
    }
}
