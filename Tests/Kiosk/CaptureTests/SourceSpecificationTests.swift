// SPDX-License-Identifier: Apache-2.0

import Patience
import KioskPorts
import PictureTestKit
import Testing
@testable import Capture

@Suite struct SourceSpecificationTests {
    private static func raw(_ width: Int, _ height: Int) -> RawStreamFormat {
        guard let format = RawStreamFormat(width: width, height: height) else {
            preconditionFailure("no raw stream has this size")
        }
        return format
    }

    @Test(arguments: [
        ("a.png", SourceSpecification.path("a.png")), ("/a/b c", .path("/a/b c")), ("./x:y", .path("./x:y")),
        ("usb:1", .path("usb:1")), ("file:a.png", .file("a.png", Playback())),
        ("file:a:b,c", .file("a:b,c", Playback())),
        ("file,loop:a", .file("a", Playback(loops: true))),
        ("dir,rate=2.5,loop:/pictures", .folder("/pictures", Playback(rate: 2.5, loops: true))),
        ("dir:/pictures", .folder("/pictures", Playback())), ("y4m:/run/x.fifo", .pipe("/run/x.fifo")),
        ("y4m:fd/3", .descriptor(3)), ("https://login.example/", .page("https://login.example/")),
        ("http://127.0.0.1:8480/", .page("http://127.0.0.1:8480/")),
        ("rpicam", .sensor(SensorRequest(raw(1280, 720), rate: 30))),
        ("rpicam,size=640x480,rate=15:1", .sensor(SensorRequest(raw(640, 480), rate: 15, number: 1))),
        ("yuv420,size=1920x1080:/run/a:b", .rawStream("/run/a:b", raw(1920, 1080))),
        ("camera", .camera(CameraRequest(.any))), ("camera:Some Webcam", .camera(CameraRequest(.named("Some Webcam")))),
        ("camera:/dev/video0", .camera(CameraRequest(.node("/dev/video0")))),
        ("/dev/video0", .camera(CameraRequest(.node("/dev/video0")))),
        ("/dev/v4l/by-path/a:1", .camera(CameraRequest(.node("/dev/v4l/by-path/a:1")))), ("cameras", .path("cameras")),
        (
            "camera,format=YUYV,size=640x480,rate=15,exposure=200,focus=auto:pci-0000:00:14.0-usb-0:1:1.0-video-index0",
            .camera(
                CameraRequest(
                    .named("pci-0000:00:14.0-usb-0:1:1.0-video-index0"),
                    settings: CameraSettings(
                        format: PixelCode("YUYV"), size: .init(width: 640, height: 480), rate: 15,
                        controls: [.init(name: "exposure", value: 200), .init(name: "focus", value: nil)])))
        ),
        (
            "camera,vary-exposure=false",
            .camera(CameraRequest(.any, settings: CameraSettings(variesExposure: false)))
        ),
        ("camera,vary-exposure=true", .camera(CameraRequest(.any))),
    ])
    func theGrammar(text: String, expected: SourceSpecification) throws {
        #expect(try SourceSpecification(text) == expected)
    }

    @Test(arguments: [
        "", "file:", "dir:", "y4m:", "y4m:fd/", "y4m:fd/2", "y4m:fd/-1", "y4m:fd/x", "dir,rate=0:/p", "dir,rate=x:/p",
        "dir,rate=1001:/p", "dir,fast:/p", "dir,:/p", "file:a\u{0}b",
        "camera:", "camera,", "camera,loop", "camera,size=640", "camera,size=8x8", "camera,format=",
        "camera,format=YUYVX", "camera,vary-exposure=no",
        "camera,rate=0", "camera,exposure=x", "camera,=1", "rpicam,size=600x480", "rpicam,size=640x481", "rpicam,loop",
        "rpicam,rate=0", "rpicam:", "rpicam:10", "rpicam:x", "yuv420,size=640x480:", "yuv420,size=64:/p",
        "yuv420,rate=1:/p",
    ])
    func whatTheGrammarRefuses(text: String) throws {
        let error = #expect(throws: FrameSourceError.self) { try SourceSpecification(text) }
        #expect(error?.code == .invalidSource)
    }

    @Test(arguments: [
        ("rtsp://camera.example/1", "mkfifo PIPE"), ("RTSP://u:p@10.0.0.1:554/x", "mkfifo PIPE"),
        ("srt://a", "y4m:PIPE"),
        ("-", "named pipe"), ("/dev/stdin", "named pipe"), ("y4m:/dev/stdin", "named pipe"),
        ("/dev/fd/0", "named pipe"),
        ("file:/proc/self/fd/0", "named pipe"),
    ])
    func whatPeopleTryIsToldWhatDoesItInstead(text: String, remedy: String) {
        let error = #expect(throws: FrameSourceError.self) { try SourceSpecification(text) }
        #expect(error?.code == .invalidSource && error?.remedy.contains(remedy) == true)
    }

    @Test func aPathIsWhatLiesThere() throws {
        let folder = try TemporaryFolder.made()
        let picture = try folder.write(Picture(width: 1, height: 1, shade: 9).png(), to: "a.png")
        let clip = try folder.write(Array("YUV4MPEG2 W1 H1 Cmono\nFRAME\n7".utf8), to: "clip")
        for (path, shade) in [(picture, 9), (folder.path, 9), (clip, UInt8(ascii: "7"))] as [(String, UInt8)] {
            var source = try SourceSpecification(path).open()
            var shown: [UInt8] = []
            #expect(
                try source.lendNext(within: .seconds(1)) { frame in shown.append(frame.withPixels { $0[0] }) } == .lent)
            #expect(shown == [shade])
        }
    }

    @Test(arguments: [
        ("/nowhere/a.png", FrameSourceError.Code.notFound), ("file:/nowhere", .notFound), ("dir:/nowhere", .notFound),
        ("y4m:/nowhere", .notFound), ("y4m:fd/1000", .notFound), ("/dev/null", .unsupportedFormat),
        ("file:/", .unsupportedFormat), ("https://login.example/", .invalidSource),
    ])
    func whatCannotBeOpenedIsNamed(text: String, code: FrameSourceError.Code) throws {
        let error = #expect(throws: FrameSourceError.self) { _ = try SourceSpecification(text).open() }
        #expect(error?.code == code && error?.remedy.isEmpty == false)
    }
}
