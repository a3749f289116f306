// SPDX-License-Identifier: Apache-2.0

import Glibc
public import KioskPorts
import LinuxSystem

extension SourceSpecification {
    /// Opens the source.
    ///
    /// - Parameters:
    ///   - known: the camera's earlier description, if another camera must not replace it unnoticed.
    ///   - owed: controls that an earlier process took from the camera's own regulation.
    /// - Throws: also for a page and for a sensor: these are filmed by another process, which needs the network
    ///   or a program.
    public func open(
        again known: String? = nil, owed: [ControlSetting] = []
    ) throws(FrameSourceError) -> any FrameSource & ~Copyable {
        switch self {
        case .camera(let request): try V4L2Camera(request, again: known, owed: owed)
        case .path(let path): try SourceSpecification.openPath(path)
        case .file(let path, let playback): try SourceSpecification.openFile(path, playback)
        case .folder(let path, let playback): try PictureSource(folder: path, playback: playback)
        case .pipe(let path): try SourceSpecification.openStream(path)
        case .descriptor(let number): try Y4MStreamSource(descriptor: number)
        case .rawStream(let path, let format): try RawStreamSource(path: path, format)
        case .sensor:
            throw FrameSourceError(
                .invalidSource, at: "rpicam", problem: "is filmed by another program, and none is started here",
                remedy: "start it and give its stream as yuv420,size=WxH:PATH")
        case .page(let address):
            throw FrameSourceError(
                .invalidSource, at: address, problem: "is a page, and frames are read without network here",
                remedy:
                    "film a login page of the reference backend: login-kiosk demo film ADDRESS PIPE, and give y4m:PIPE")
        }
    }

    private static func openPath(_ path: String) throws(FrameSourceError) -> any FrameSource & ~Copyable {
        switch try kind(of: path) {
        case S_IFDIR: return try PictureSource(folder: path)
        case S_IFIFO: return try Y4MStreamSource(path: path)
        case S_IFREG: return try openFile(path, Playback())
        default:
            throw FrameSourceError(
                .unsupportedFormat, at: path, problem: "is neither a file, a folder nor a named pipe",
                remedy: "give one of these")
        }
    }

    private static func openFile(
        _ path: String, _ playback: Playback
    ) throws(FrameSourceError) -> any FrameSource & ~Copyable {
        guard try kind(of: path) == S_IFREG else {
            throw FrameSourceError(
                .unsupportedFormat, at: path, problem: "is not a plain file", remedy: "give a picture or a Y4M file")
        }
        let file = try CappedFile.open(path)
        var start = [UInt8](repeating: 0, count: Y4MHeader.magic.utf8.count)
        // Safe: the count is the buffer's own.
        let count = unsafe start.withUnsafeMutableBytes { unsafe read(file.number, $0.baseAddress, $0.count) }
        if count == start.count, start.elementsEqual(Y4MHeader.magic.utf8) {
            return try Y4MFileSource(path: path, playback: playback)
        }
        return PictureSource(file: path, playback: playback)
    }

    private static func openStream(_ path: String) throws(FrameSourceError) -> any FrameSource & ~Copyable {
        // A plain file has all its frames at once: newest wins would show its last one only.
        if try kind(of: path) == S_IFREG { return try Y4MFileSource(path: path) }
        return try Y4MStreamSource(path: path)
    }

    private static func kind(of path: String) throws(FrameSourceError) -> mode_t {
        var status = stat()
        // Safe: the structure is ours and written during the call.
        guard unsafe stat(path, &status) == 0 else {
            throw FrameSourceError(
                .notFound, at: path, problem: "cannot be found (\(systemErrorText()))", remedy: "check the path")
        }
        return status.st_mode & S_IFMT
    }
}
