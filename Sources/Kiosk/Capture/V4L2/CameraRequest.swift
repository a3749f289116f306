// SPDX-License-Identifier: Apache-2.0

/// The camera that is meant, and the settings that are asked of it.
public struct CameraRequest: Sendable, Equatable {
    public enum Which: Sendable, Equatable {
        /// The first real one.
        case any
        /// A name below `/dev/v4l/by-path` or `/dev/v4l/by-id`, or the camera's own.
        case named(String)
        /// A device file.
        case node(String)
    }

    public var which: Which
    public var settings: CameraSettings

    init(_ which: Which, settings: CameraSettings = CameraSettings()) {
        self.which = which
        self.settings = settings
    }

    /// For error messages.
    var place: String {
        switch which {
        case .any: "camera"
        case .named(let name): "camera '\(name)'"
        case .node(let path): path
        }
    }
}
