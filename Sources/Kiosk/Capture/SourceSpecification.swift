// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The source that `--source` names, in one grammar for every program:
///
///     camera[,OPTION...][:NAME] a camera: the first one, or the one of that name
///     PATH                      a device file, a picture, a Y4M file, a folder of pictures or a named pipe, as the
///                               path shows
///     file[,OPTION...]:PATH     a picture or a Y4M file
///     dir[,OPTION...]:PATH      a folder of pictures
///     y4m:PATH   y4m:fd/N       a Y4M stream on a named pipe, or on a descriptor the process was started with
///     rpicam[,OPTION...][:NUMBER]
///                               a sensor (CSI), filmed by rpicam-vid
///     yuv420,size=WxH:PATH      what rpicam-vid films, on a named pipe
///     http://... https://...    a page with a QR code, for a program that films it
///
/// The options of files and folders are `rate=FRAMES-A-SECOND` and `loop`, those of cameras `format=CODE`,
/// `size=WIDTHxHEIGHT` and `rate=FRAMES-A-SECOND` (these two for sensors, too), `vary-exposure=false`, and any control
/// as `CONTROL=NUMBER` or `CONTROL=auto`. NAME is a device file, a name below `/dev/v4l/by-path` or `/dev/v4l/by-id`,
/// or a part of the camera's own name.
public enum SourceSpecification: Sendable, Equatable {
    case camera(CameraRequest)
    case path(String)
    case file(String, Playback)
    case folder(String, Playback)
    case pipe(String)
    case descriptor(Int32)
    case sensor(SensorRequest)
    case rawStream(String, RawStreamFormat)
    case page(String)

    public init(_ text: String) throws(FrameSourceError) {
        if let refusal = SourceSpecification.refusal(of: text) { throw refusal }
        do throws(Problem) { self = try Self.parsed(text) } catch {
            throw FrameSourceError(
                .invalidSource, at: "--source '\(text)'", problem: error.text,
                remedy:
                    "give camera[,OPTION...][:NAME], rpicam[,size=WxH][,rate=N][:NUMBER], PATH, "
                    + "file[,rate=N][,loop]:PATH, dir[,rate=N][,loop]:PATH, y4m:PATH or y4m:fd/N")
        }
    }

    private static func parsed(_ text: String) throws(Problem) -> SourceSpecification {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let words = parts[0].split(separator: ",", omittingEmptySubsequences: false)
        let rest: Substring? = parts.count > 1 ? parts[1] : nil
        switch (words[0], rest) {
        case ("camera", _): return .camera(try camera(words, rest))
        case ("rpicam", _): return .sensor(try sensor(words, rest))
        case ("file", let rest?):
            return .file(try path(rest), try playback(words.dropFirst()))
        case ("dir", let rest?):
            return .folder(try path(rest), try playback(words.dropFirst()))
        case ("y4m", let rest?) where words.count == 1 && rest.hasPrefix("fd/"):
            guard let number = Int32(rest.dropFirst(3)), number > 2 else {
                throw Problem("names no descriptor above 2")
            }
            return .descriptor(number)
        case ("y4m", let rest?) where words.count == 1: return .pipe(try path(rest))
        case ("yuv420", let rest?) where words.count == 2:
            return .rawStream(try path(rest), try rawFormat(words[1]))
        case ("http", _?) where words.count == 1, ("https", _?) where words.count == 1: return .page(text)
        default: return try place(text)
        }
    }

    /// Refuses a source that people may try, and names the source to use instead; nil for any other text.
    private static func refusal(of text: String) -> FrameSourceError? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let (scheme, rest) = (parts[0], parts.count > 1 ? parts[1] : "")
        let known = ["http", "https", "file", "dir", "camera", "y4m"]
        if rest.hasPrefix("//"), scheme.allSatisfy({ $0.isLetter || $0.isNumber }), !known.contains(scheme.lowercased())
        {
            return FrameSourceError(
                .invalidSource, at: "--source '\(text)'",
                problem: "is a stream of the network, and the scanner has no network",
                remedy: "have it written to a named pipe: mkfifo PIPE; "
                    + "ffmpeg -i \(scheme)://... -pix_fmt gray -f yuv4mpegpipe -y PIPE & and give y4m:PIPE")
        }
        // Each process has its own, and the scanner's is where its orders come from.
        let path = parts.count > 1 ? rest : scheme
        guard path == "-" || ["/dev/stdin", "/dev/fd/", "/proc/self/fd/"].contains(where: { path.hasPrefix($0) }) else {
            return nil
        }
        return FrameSourceError(
            .invalidSource, at: "--source '\(text)'",
            problem: "is a file that this process has open, and pictures are read by another process",
            remedy: "give a named pipe: mkfifo PIPE; PROGRAM > PIPE & and give y4m:PIPE")
    }

    /// A camera's device file is known by its name, whether it is there or not.
    private static func place(_ text: String) throws(Problem) -> SourceSpecification {
        let path = try path(Substring(text))
        let isNode = ["/dev/video", "/dev/v4l/"].contains { path.hasPrefix($0) }
        return isNode ? .camera(CameraRequest(.node(path))) : .path(path)
    }

    static func path(_ path: Substring) throws(Problem) -> String {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw Problem("names no path") }
        return String(path)
    }

    private static func playback(_ options: ArraySlice<Substring>) throws(Problem) -> Playback {
        var playback = Playback()
        for option in options {
            if option == "loop" {
                playback.loops = true
            } else if option.hasPrefix("rate=") {
                playback.rate = try rate(option.dropFirst(5))
            } else {
                throw .unknown(option)
            }
        }
        return playback
    }

    /// Frames a second.
    static func rate(_ value: Substring) throws(Problem) -> Double {
        guard let rate = Double(value), Playback.rates.contains(rate) else {
            throw .wrong(
                "rate=\(value)",
                "a rate is a number of frames a second, \(Playback.rates.lowerBound) to \(Playback.rates.upperBound)")
        }
        return rate
    }

    /// The reason why a text names no source.
    struct Problem: Error {
        let text: String

        init(_ text: String) { self.text = text }

        static func unknown(_ option: Substring) -> Problem { Problem("has the unknown option '\(option)'") }

        /// - Parameter rule: the values that it may have.
        static func wrong(_ option: String, _ rule: String) -> Problem { Problem("says '\(option)', but \(rule)") }
    }
}
