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
        // A picture that stays as it is, and alone, is read once.
        let picture: Picture
        let path = paths[index]
        let file = FileStamp(of: path)
        if let shown, let file, shown.file == file {
            picture = shown.picture
        } else {
            var isFlawed = false
            do throws(FrameSourceError) {
                picture = try Picture(
                    decoding: try CappedFile.read(path), from: path, isFlawed: &isFlawed)
            } catch {
                failures += 1
                damaged += 1
                // The others of a folder are worth a look.
                guard folder != nil, failures < paths.count else { throw error }
                if failed.insert(path).inserted { skipped.append(error) }
                index += 1
                return .nothing
            }
            failures = 0
            if isFlawed { flawed += 1 }
            shown = file.map { (file: $0, picture: picture) }
        }
        index += 1
        picture.withFrame(captured: instant, body)
        return .lent
    }
}

/// The rate of pictures and clips, and whether they are repeated.
public struct Playback: Sendable, Equatable {
    /// Frames a second that may be asked for.
    public static let rates = 0.1...1000.0

    /// Frames a second; nil means a clip's own rate, and 10 for pictures.
    public var rate: Double?
    /// Whether the first frame follows the last one.
    public var loops: Bool

    public init(rate: Double? = nil, loops: Bool = false) {
        precondition(rate.map(Playback.rates.contains) ?? true)
        self.rate = rate
        self.loops = loops
    }
}
