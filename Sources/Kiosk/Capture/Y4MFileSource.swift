// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// Plays a Y4M file, every frame in order.
public struct Y4MFileSource: ~Copyable, FrameSource {
    public let isLive = false
    public let dropped: UInt64 = 0

    private let place: String
    private let loops: Bool
    private let header: Y4MHeader
    private var reader: Y4MReader
    private var pacer: Pacer
    private var picture = FrameBuffer()
    private var hasShownOne = false

    public init(
        path: String, playback: Playback = Playback(), clock: any FrameClock = MonotonicFrameClock()
    ) throws(FrameSourceError) {
        var reader = Y4MReader(try CappedFile.open(path), place: path)
        guard let header = try reader.header() else { throw Y4MFileSource.empty(path) }
        self.init(reader, header: header, place: path, playback: playback, clock: clock)
    }

    private init(
        _ reader: consuming Y4MReader, header: Y4MHeader, place: String, playback: Playback, clock: any FrameClock
    ) {
        self.place = place
        loops = playback.loops
        self.header = header
        self.reader = reader
        pacer = Pacer(rate: playback.rate ?? header.rate ?? 10, clock: clock)
    }

    public mutating func lendNext(
        within limit: Duration, to body: (borrowing Frame) -> Void
    ) throws(FrameSourceError) -> FrameSourceAnswer {
        guard let instant = pacer.next(within: limit) else { return .nothing }
        if try !reader.frame(header, into: &picture) {
            guard hasShownOne else { throw Y4MFileSource.empty(place) }
            guard loops else { return .ended }
            reader.rewind()
            guard try reader.header() == header, try reader.frame(header, into: &picture) else { return .ended }
        }
        hasShownOne = true
        picture.captured = instant
        picture.lend(to: body)
        return .lent
    }

    private static func empty(_ path: String) -> FrameSourceError {
        FrameSourceError(.empty, at: path, problem: "holds no whole frame", remedy: "give a Y4M file with frames")
    }
}
