// SPDX-License-Identifier: Apache-2.0

/// The passes that a frame gets.
///
/// The order is by measurement (docs/scanner.md). The passes that read most at the least cost come first. A late pass
/// reads codes that no pass before it reads.
enum ScanPlan {
    /// The passes for a picture that is shown once: they run one after the other until something is read.
    static let picture: [ScanPass] = [
        ScanPass(.zxing(.localAverage)),
        ScanPass(.zxing(.localAverage), scale: .half),
        ScanPass(.zxing(.localAverage), scale: .quarter),
        .binary(.wide, scale: .half),
        ScanPass(.zxing(.localAverage), isInverted: true),
        ScanPass(.zxing(.globalHistogram)),
        ScanPass(.zxing(.none)), ScanPass(.zxing(.localAverage), scale: .third),
        ScanPass(.zxing(.localAverage), scale: .narrow),
        ScanPass(.own(isThorough: true)),
        .binary(.medium), .binary(.medium, isInverted: true), .binary(.wide),
        ScanPass(.zbar, tone: .threshold(.wide)),
        ScanPass(.zbar, tone: .threshold(.medium)),
        ScanPass(.zbar, isInverted: true, tone: .threshold(.wide)),
        ScanPass(.zxing(.localAverage), scale: .enlarged),
        ScanPass(.zxing(.localAverage), scale: .enlarged, isInverted: true),
    ]

    /// The highest cost of a picture altogether, in megapixels that plain zbar reads: about two seconds. Large pictures
    /// get the cheap passes only, so that no picture holds the scanner up.
    static let pictureBudget = 100.0

    /// The density of edges up to which the costs of the passes are right. Decoders look longer at textures and noise.
    static let usualDensity = 0.15

    /// The last of the cheap passes at the beginning of ``picture``.
    static let easy = 6
    /// Asked, too, when a later one finds.
    static let secondOpinion = ScanPass(.zbar, tone: .threshold(.medium))

    /// Sets of three finder patterns that zxing-cpp may try in a frame of a camera.
    static let setsOfFrame = 200_000
    /// The same in all passes and parts of a picture.
    static let setsOfPicture = 2_000_000
    /// Areas of the whole frame that a crowded one is searched for in parts, before the next one comes.
    static let partsOfFrame = 3.0

    /// The pass for every frame of a camera.
    static let everyFrame = ScanPass(.zxing(.localAverage))

    /// The passes that the frames of a camera get in turn, besides ``everyFrame``. Those that differ most from it come
    /// most often.
    static let inTurn: [[ScanPass]] = [
        [.binary(.medium)],
        [ScanPass(.zxing(.localAverage), isInverted: true), ScanPass(.zxing(.localAverage), scale: .half)],
        [.own],
        [.binary(.medium), ScanPass(.zxing(.localAverage), scale: .quarter)],
        [.binary(.small, isInverted: true)],
        [.own],
        [.binary(.wide, scale: .half), ScanPass(.zxing(.globalHistogram))],
        [.binary(.wide)],
        [.own],
        [ScanPass(.zbar, scale: .half, tone: .threshold(.medium))],
        [.binary(.medium, isInverted: true), ScanPass(.zxing(.localAverage), scale: .narrow)],
        [.own],
    ]

    /// The most that a frame without a code may cost on the average, as a share of plain zbar.
    static let budget = 0.45
}
