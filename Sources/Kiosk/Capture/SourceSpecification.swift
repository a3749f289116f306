// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The source that `--source` names, in one grammar for every program:
///
///     camera[,OPTION...][:NAME] a camera: the first one, or the one of that name
///     PATH                      a device file, a picture, a Y4M file, a folder of pictures or a named pipe, told by
///                               what is there
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
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let words = parts[0].split(separator: ",", omittingEmptySubsequences: false)
        let rest: Substring? = parts.count > 1 ? parts[1] : nil
        switch (words[0], rest) {
        case ("camera", _): self = .camera(try Self.camera(words, rest, in: text))
        case ("rpicam", _): self = .sensor(try Self.sensor(words, rest, in: text))
        case ("file", let rest?):
            self = .file(try Self.path(rest, in: text), try Self.playback(words.dropFirst(), in: text))
        case ("dir", let rest?):
            self = .folder(try Self.path(rest, in: text), try Self.playback(words.dropFirst(), in: text))
        case ("y4m", let rest?) where words.count == 1 && rest.hasPrefix("fd/"):
            guard let number = Int32(rest.dropFirst(3)), number > 2 else {
                throw Self.invalid(text, "names no descriptor above 2")
            }
            self = .descriptor(number)
        case ("y4m", let rest?) where words.count == 1: self = .pipe(try Self.path(rest, in: text))
        case ("yuv420", let rest?) where words.count == 2:
            self = .rawStream(try Self.path(rest, in: text), try Self.rawFormat(words[1], in: text))
        case ("http", _?) where words.count == 1, ("https", _?) where words.count == 1: self = .page(text)
        default: self = try Self.place(text)
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
    private static func place(_ text: String) throws(FrameSourceError) -> SourceSpecification {
        let path = try path(Substring(text), in: text)
        let isNode = ["/dev/video", "/dev/v4l/"].contains { path.hasPrefix($0) }
        return isNode ? .camera(CameraRequest(.node(path))) : .path(path)
    }

    static func path(_ path: Substring, in text: String) throws(FrameSourceError) -> String {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw invalid(text, "names no path") }
        return String(path)
    }

    private static func playback(_ options: ArraySlice<Substring>, in text: String) throws(FrameSourceError) -> Playback
    {
        var playback = Playback()
        for option in options {
            if option == "loop" {
                playback.loops = true
            } else if option.hasPrefix("rate=") {
                playback.rate = try rate(option.dropFirst(5), in: text)
            } else {
                throw unknown(option, in: text)
            }
        }
        return playback
    }

    /// Frames a second.
    static func rate(_ value: Substring, in text: String) throws(FrameSourceError) -> Double {
        guard let rate = Double(value), Playback.rates.contains(rate) else {
            throw wrong(
                "rate=\(value)",
                "a rate is a number of frames a second, \(Playback.rates.lowerBound) to \(Playback.rates.upperBound)",
                in: text)
        }
        return rate
    }

    static func unknown(_ option: Substring, in text: String) -> FrameSourceError {
        invalid(text, "has the unknown option '\(option)'")
    }

    /// - Parameter rule: what its value may be.
    static func wrong(_ option: String, _ rule: String, in text: String) -> FrameSourceError {
        invalid(text, "says '\(option)', but \(rule)")
    }

    static func invalid(_ text: String, _ problem: String) -> FrameSourceError {
        FrameSourceError(
            .invalidSource, at: "--source '\(text)'", problem: problem,
            remedy:
                "give camera[,OPTION...][:NAME], rpicam[,size=WxH][,rate=N][:NUMBER], PATH, "
                + "file[,rate=N][,loop]:PATH, dir[,rate=N][,loop]:PATH, y4m:PATH or y4m:fd/N"
        )
    }
}
