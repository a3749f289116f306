// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// Spares a camera that films an empty room: when the picture has not changed for a while and holds no code, only every
/// sixth frame is searched, and the next one that differs.
///
/// A kiosk that has long been unused ``mayRest``: after a minute without a change it asks for fewer and smaller
/// pictures, and searches none of them until one differs.
public struct IdleGovernor {
    /// Frames without a change until the kiosk rests, enough for every pass to run more than once.
    static let patience = 30
    static let restingDistance = 6
    /// A block of the picture has changed when its mean has by more than this.
    private static let tolerance = 4
    private static let columns = 16
    private static let rows = 9
    /// Samples of a block, to each side.
    private static let samples = 8

    /// The time without a change until a camera that may rest does.
    static let restDelay = Duration.seconds(60)
    /// The time between two pictures of a camera at rest: a change is seen at most this much later.
    public static let restInterval = Duration.milliseconds(250)

    private var reference = [UInt8](repeating: 0, count: columns * rows)
    private var quietFrames = 0
    /// The time of the last change of the picture, by the frames' clock; nil takes the next frame's.
    private var lastChange: Duration?
    /// Whether the next frame shows the same scene in another size, and becomes the reference.
    private var takesReference = false

    /// Whether the kiosk stands long unused.
    public var mayRest = false {
        didSet { if mayRest != oldValue { wake() } }
    }

    /// Whether fewer and smaller pictures are enough for the moment.
    public private(set) var isResting = false {
        didSet { if isResting != oldValue { takesReference = true } }
    }

    public init() {}

    /// Whether the frame is to be searched.
    public mutating func deserves(_ frame: borrowing Frame) -> Bool {
        // In another size the means of the same room differ a little.
        let hasChanged = compare(frame) && !takesReference
        takesReference = false
        if hasChanged || !mayRest { lastChange = frame.captured }
        let since = lastChange ?? frame.captured
        lastChange = since
        isResting = mayRest && frame.captured - since >= IdleGovernor.restDelay
        guard !isResting else { return false }
        quietFrames = hasChanged ? 0 : quietFrames + 1
        return quietFrames < IdleGovernor.patience || quietFrames.isMultiple(of: IdleGovernor.restingDistance)
    }

    /// Call it when a frame held a code, so that the person who holds it does not wait.
    public mutating func wake() {
        quietFrames = 0
        lastChange = nil
        isResting = false
    }

    /// - Returns: whether the frame differs from the one that was taken as reference, which it replaces then.
    private mutating func compare(_ frame: borrowing Frame) -> Bool {
        let (width, height, stride) = (frame.width, frame.height, frame.stride)
        let (columns, rows, samples) = (IdleGovernor.columns, IdleGovernor.rows, IdleGovernor.samples)
        guard width >= columns * samples, height >= rows * samples else { return true }
        var hasChanged = false
        let (stepX, stepY) = (width / (columns * samples), height / (rows * samples))
        frame.withPixels { pixels in
            for block in 0..<columns * rows {
                let left = block % columns * width / columns
                let top = block / columns * height / rows
                var sum = 0
                for sample in 0..<samples * samples {
                    let (x, y) = (left + sample % samples * stepX, top + sample / samples * stepY)
                    sum += Int(pixels[y * stride + x])
                }
                let mean = sum / (samples * samples)
                if abs(mean - Int(reference[block])) > IdleGovernor.tolerance {
                    hasChanged = true
                    reference[block] = UInt8(mean)
                }
            }
        }
        return hasChanged
    }
}
