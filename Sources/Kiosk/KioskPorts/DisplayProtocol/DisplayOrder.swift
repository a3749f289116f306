// SPDX-License-Identifier: Apache-2.0

/// An order of the kiosk to the display's process.
public enum DisplayOrder: Sendable, Equatable {
    /// The settings for drawing from now on. Sent before the first view.
    case settings(DisplaySettings)
    /// Show this view in place of the last. The number comes back in ``DisplayMessage/shown(view:leftOut:keys:)``.
    case view(number: UInt32, DisplayView)
    /// The camera's picture, for a view that shows it.
    case preview(PreviewPicture)
    /// Show that a finger is on a key of the view of that number, or on none. Never sent for keys of a secret.
    case touch(view: UInt32, KeyPlace.Key?)
    /// End.
    case stop
}

/// The settings of a panel.
public struct DisplaySettings: Sendable, Equatable {
    /// Clockwise, so that the picture stands upright.
    public enum Rotation: UInt8, Sendable, CaseIterable {
        case none, right, half, left

        /// - Returns: nil unless the number is 0, 90, 180 or 270.
        public init?(degrees: Int) {
            guard degrees.isMultiple(of: 90), let rotation = Rotation(rawValue: UInt8(clamping: degrees / 90)) else {
                return nil
            }
            self = rotation
        }

        /// Whether width and height change places.
        public var isSideways: Bool { self == .right || self == .left }
    }

    /// Percent of the usual size.
    public static let scales = 75...200

    public var rotation: Rotation
    /// The size of letters and keys, in percent.
    public var scale: Int
    /// Whether fingers can press what the panel shows.
    public var isTouched: Bool

    public init(rotation: Rotation = .none, scale: Int = 100, isTouched: Bool = false) {
        self.rotation = rotation
        self.scale = scale
        self.isTouched = isTouched
    }
}

/// The first byte of an order.
enum DisplayOrderKind: UInt8 {
    case settings = 1
    case view = 2
    case preview = 3
    case stop = 4
    case touch = 5
}
