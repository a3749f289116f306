// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// Plays picture files in order. A file is read when its turn comes; a folder that is played again and again is listed
/// again each time.
public struct PictureSource: FrameSource {
    public let isLive = false
    public let dropped: UInt64 = 0
    public private(set) var damaged: UInt64 = 0
    public private(set) var flawed: UInt64 = 0

    private var paths: [String]
    /// Nil for a single file.
    private let folder: String?
    private let playback: Playback
    private var pacer: Pacer
    private var index = 0
    private var shown: (file: FileStamp, picture: Picture)?
    /// The number of failures in a row.
    private var failures = 0
    private var failed: Set<String> = []
    private var skipped: [FrameSourceError] = []

    /// One picture.
    public init(file path: String, playback: Playback = Playback(), clock: any FrameClock = MonotonicFrameClock()) {
        self.init([path], of: nil, playback, clock)
    }

    /// All `.png`, `.jpg` and `.jpeg` files of a folder, sorted by the bytes of their names. Files that cannot be read
    /// are left out, and each is reported once. It is an error only if no file can be read.
    ///
    /// - Throws: when the folder cannot be listed, holds none, or more than `FolderListing.maximumCount`.
    public init(
        folder path: String, playback: Playback = Playback(), clock: any FrameClock = MonotonicFrameClock()
    ) throws(FrameSourceError) {
        self.init(try FolderListing.pictures(in: path), of: path, playback, clock)
    }

    private init(_ paths: [String], of folder: String?, _ playback: Playback, _ clock: any FrameClock) {
        self.paths = paths
        self.folder = folder
        self.playback = playback
        pacer = Pacer(rate: playback.rate ?? 10, clock: clock)
    }

    public mutating func takeSkipped() -> [FrameSourceError] {
        defer { skipped = [] }
        return skipped
    }

    public mutating func lendNext(
        within limit: Duration, to body: (borrowing Frame) -> Void
    ) throws(FrameSourceError) -> FrameSourceAnswer {
        if index == paths.count {
            guard playback.loops else { return .ended }
            index = 0
            if let folder { paths = try FolderListing.pictures(in: folder) }
        }
        guard let instant = pacer.next(within: limit) else { return .nothing }
        let picture = try picture(at: paths[index])
        index += 1
        guard let picture else { return .nothing }
        picture.withFrame(captured: instant, body)
        return .lent
    }

    /// The picture in a file; nil for one that cannot be read while others may be.
    private mutating func picture(at path: String) throws(FrameSourceError) -> Picture? {
        // A picture that stays as it is, and alone, is read once.
        let file = FileStamp(of: path)
        if let shown, shown.file == file { return shown.picture }
        do throws(FrameSourceError) {
            var isFlawed = false
            let picture = try Picture(decoding: try CappedFile.read(path), from: path, isFlawed: &isFlawed)
            failures = 0
            if isFlawed { flawed += 1 }
            shown = file.map { (file: $0, picture: picture) }
            return picture
        } catch {
            failures += 1
            damaged += 1
            guard folder != nil, failures < paths.count else { throw error }
            if failed.insert(path).inserted { skipped.append(error) }
            return nil
        }
    }
}
