// SPDX-License-Identifier: Apache-2.0

/// One way to look at a frame: how it is prepared, and which decoder reads it.
struct ScanPass: Sendable, Hashable {
    enum Scale: Sendable, Hashable {
        case full, half, third, quarter
        /// Half the width and the full height: for the rows of one field, and for two fields one above the other.
        case narrow
        /// For small pictures only.
        case enlarged

        /// The pixels of the frame in one of the picture, across and down; nil for an ``Enlargement``.
        var divisors: (across: Int, down: Int)? {
            switch self {
            case .full: (1, 1)
            case .half: (2, 2)
            case .third: (3, 3)
            case .quarter: (4, 4)
            case .narrow: (2, 1)
            case .enlarged: nil
            }
        }
    }

    enum Tone: Sendable, Hashable {
        case grey
        /// Black and white by an adaptive threshold.
        case threshold(Window)
    }

    /// The window of an adaptive threshold, by its side in pixels: an odd number.
    ///
    /// The larger the modules, the wider the window must be. Up to 251 pixels, the threshold's products are exact in
    /// single precision.
    enum Window: Int, Sendable {
        case small = 15
        case medium = 31
        case wide = 61

        /// Pixels to each side of the one in the middle.
        var reach: Int { rawValue / 2 }
    }

    enum Reader: Sendable, Hashable {
        case zbar
        case zxing(ZXingDecoder.Binarizer)
        /// The scanner's own reader, which prepares the frame itself. Thorough: in all its ways on each frame; else in
        /// one way, and the next frame in the next.
        case own(isThorough: Bool)
    }

    var scale: Scale
    var isInverted: Bool
    var tone: Tone
    var reader: Reader

    init(_ reader: Reader, scale: Scale = .full, isInverted: Bool = false, tone: Tone = .grey) {
        self.scale = scale
        self.isInverted = isInverted
        self.tone = tone
        self.reader = reader
    }

    /// The scanner's own reader, one of its ways a frame.
    static let own = ScanPass(.own(isThorough: false))

    /// Black and white, read by zxing-cpp without a further threshold.
    static func binary(_ window: Window, scale: Scale = .full, isInverted: Bool = false) -> ScanPass {
        ScanPass(.zxing(.none), scale: scale, isInverted: isInverted, tone: .threshold(window))
    }

    /// The cost of the pass, as a share of plain zbar on the whole frame: the median of photographs. Textures cost up to
    /// half as much again, and the scanner's own reader up to twelve times as much.
    var cost: Double {
        let area =
            switch scale {
            case .full: 1.0
            case .half: 0.25
            case .narrow: 0.5
            case .third: 0.11
            case .quarter: 0.0625
            case .enlarged: 9.0
            }
        let reading =
            switch reader {
            // Fewer edges are left in black and white.
            case .zbar: tone == .grey ? 1 : 0.53
            case .zxing: 0.1
            case .own(let isThorough): isThorough ? 1.3 : 0.4
            }
        let preparing =
            switch tone {
            case .grey: isInverted ? 0.01 : 0
            case .threshold: 0.07
            }
        return area * (reading + preparing) + (scale == .full ? 0 : 0.02)
    }
}
