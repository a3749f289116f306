// SPDX-License-Identifier: Apache-2.0

/// A sensor without image processing (CSI), filmed by `rpicam-vid`, which the process that starts the scanner
/// starts as well.
public struct SensorRequest: Sendable, Equatable {
    public static let program = "rpicam-vid"

    public let format: RawStreamFormat
    /// Frames a second.
    public let rate: Double
    /// The number in the list of `rpicam-vid --list-cameras`.
    public let number: Int

    public init(_ format: RawStreamFormat, rate: Double, number: Int = 0) {
        self.format = format
        self.rate = rate
        self.number = number
    }

    /// For `rpicam-vid`, to film to its standard output until it is ended.
    public var arguments: [String] {
        [
            "--camera", "\(number)", "--codec", "yuv420", "--width", "\(format.width)", "--height",
            "\(format.height)", "--framerate", "\(rate)", "--timeout", "0", "--nopreview", "--flush", "--output", "-",
        ]
    }

    /// The source that the scanner is told to look at.
    ///
    /// - Parameter pipe: the named pipe into which the program films.
    public func source(readFrom pipe: String) -> String {
        "yuv420,size=\(format.width)x\(format.height):\(pipe)"
    }
}
