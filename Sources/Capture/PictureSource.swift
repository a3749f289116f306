// SPDX-License-Identifier: Apache-2.0

public import KioskCore

/// Plays picture files in order. A file is read when its turn comes.
public struct PictureSource: FrameSource {
    public let isLive = false
    public let dropped: UInt64 = 0

    private let paths: [String]
    private let playback: Playback
    private var pacer: Pacer
    private var index = 0
    private var shown: (index: Int, picture: Picture)?

    /// One picture.
    public init(file path: String, playback: Playback = Playback(), clock: any FrameClock = MonotonicFrameClock()) {
        self.init([path], playback: playback, clock: clock)
    }

    /// All `.png`, `.jpg`, `.jpeg` and `.pgm` files of a folder, sorted by the bytes of their names.
    ///
    /// - Throws: when the folder cannot be listed, holds none, or more than `FolderListing.maximumCount`.
    public init(
        folder path: String, playback: Playback = Playback(), clock: any FrameClock = MonotonicFrameClock()
    ) throws(FrameSourceError) {
        self.init(try FolderListing.pictures(in: path), playback: playback, clock: clock)
    }

    private init(_ paths: [String], playback: Playback, clock: any FrameClock) {
        self.paths = paths
        self.playback = playback
        pacer = Pacer(rate: playback.rate ?? 10, clock: clock)
    }

    public mutating func lendNext(
        within limit: Duration, to body: (borrowing Frame) -> Void
    ) throws(FrameSourceError) -> FrameSourceAnswer {
        if index == paths.count {
            guard playback.loops else { return .ended }
            index = 0
        }
        guard let instant = pacer.next(within: limit) else { return .nothing }
        // A single looped picture is read once.
        let picture: Picture
        if let shown, shown.index == index {
            picture = shown.picture
        } else {
            picture = try Picture(decoding: try CappedFile.read(paths[index]), from: paths[index])
            shown = (index, picture)
        }
        index += 1
        picture.withFrame(captured: instant, body)
        return .lent
    }
}
