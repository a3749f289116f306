// SPDX-License-Identifier: Apache-2.0

import CV4L2
import Glibc
import KioskPorts
import Patience
import Testing
@testable import Capture

/// A camera with a fake kernel, which can give every answer of a driver.
@Suite(.timeLimit(.minutes(10))) struct V4L2CameraTests {
    private let system = FakeVideoSystem()
    private let path = FakeVideoSystem.path

    private func grey(_ shade: UInt8, sequence: UInt32, flags: UInt32 = 0) -> FakeVideoSystem.Deed {
        .frame(.init(bytes: [UInt8](repeating: shade, count: 32 * 4), flags: flags, sequence: sequence))
    }

    @Test(arguments: [
        ("GREY", 0), ("GREY", 16), ("NV12", 0), ("YUYV", 0), ("YUYV", 8), ("UYVY", 0),
    ])
    func theLumaOfEveryFormatIsLent(code: String, padding: Int) throws {
        // 37 is no multiple of the copy's block size.
        let (width, height) = (37, 3)
        let system = FakeVideoSystem(FakeCamera(formats: [(code, width, height)], padding: padding))
        var camera = try system.film()
        var bytes: [UInt8] = []
        var luma: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let shade = UInt8(y * 50 + x)
                luma.append(shade)
                switch code {
                case "YUYV": bytes += [shade, 255]
                case "UYVY": bytes += [255, shade]
                default: bytes.append(shade)
                }
            }
            bytes += [UInt8](repeating: 254, count: padding)
        }
        system.does(.frame(.init(bytes: bytes, sequence: 0)))
        #expect(try camera.nextPixels() == luma)
    }

    @Test func aJPEGIsDecodedAndADamagedOneSkipped() throws {
        let system = FakeVideoSystem(FakeCamera(formats: [("MJPG", 64, 48)]))
        var camera = try system.film()
        let jpeg = Picture(width: 64, height: 48, shade: 90).jpeg()
        system.does(.frame(.init(bytes: Array(jpeg.prefix(jpeg.count / 2)), sequence: 0)))
        // The next frame would replace one that was not read yet.
        for _ in 0..<200 where camera.counts.damaged < 1 {
            #expect(try camera.lendNext(within: .milliseconds(100)) { _ in } == .nothing)
        }
        system.does(.frame(.init(bytes: jpeg, sequence: 1)))
        let pixels = try camera.nextPixels()
        #expect(pixels.count == 64 * 48 && pixels.allSatisfy { abs(Int($0) - 90) <= 1 })
        #expect(camera.counts.damaged == 1)
    }

    @Test func theNewestFrameWinsAndGapsAreCounted() throws {
        var camera = try system.film()
        system.does(grey(1, sequence: 5), grey(2, sequence: 6), grey(3, sequence: 9))
        try camera.waitUntil { $0.counts.replaced >= 2 }
        #expect(try camera.nextPixels()[0] == 3)
        #expect(camera.counts == CameraCounts(replaced: 2, missed: 2))
        #expect(camera.dropped == 4)
    }

    @Test func framesMarkedAsDamagedOrCutOffAreSkipped() throws {
        var camera = try system.film()
        system.does(grey(1, sequence: 0, flags: UInt32(V4L2_BUF_FLAG_ERROR)), .frame(.init(bytes: [7], sequence: 1)))
        // The next frame would replace one that was not read yet.
        for _ in 0..<200 where camera.counts.damaged < 2 {
            #expect(try camera.lendNext(within: .milliseconds(100)) { _ in } == .nothing)
        }
        system.does(grey(3, sequence: 2))
        #expect(try camera.nextPixels()[0] == 3)
        #expect(camera.counts.damaged == 2)
    }

    @Test func aSingleReadErrorIsNoReasonToBeginAnew() throws {
        var camera = try system.film()
        system.does(.failure(EIO), .failure(EAGAIN), .failure(EINTR), grey(4, sequence: 0))
        #expect(try camera.nextPixels()[0] == 4)
        #expect(camera.counts == CameraCounts(damaged: 1))
    }

    @Test func aSilentCameraIsOpenedAnew() throws {
        var camera = try system.film()
        // The first frame has more time.
        for (limit, count) in [(5, UInt64(1)), (2, 2)] {
            system.does(.silence)
            try camera.waitUntil { $0.counts.reopened == count }
            #expect(camera.trouble?.problem == "has delivered no frame for \(limit) s")
            system.does(grey(5, sequence: 0))
            #expect(try camera.nextPixels()[0] == 5)
            #expect(camera.trouble == nil)
            #expect(system.openCount == 1)
        }
    }

    @Test(arguments: [ENODEV, EINVAL, EPIPE])
    func anUnpluggedCameraIsWaitedFor(code: Int32) throws {
        var camera = try system.film()
        system.does(.unplug(path, code))
        try camera.waitUntil { $0.trouble?.code == .notFound }
        system.plug(FakeCamera(), at: path)
        system.does(grey(6, sequence: 0))
        #expect(try camera.nextPixels()[0] == 6)
        #expect(camera.counts.reopened == 1)
    }

    /// A decoder may hold a frame for longer than it takes to replug a camera.
    @Test func aFrameThatIsLentDoesNotHoldAnUnpluggedCamera() throws {
        var camera = try system.film()
        system.does(grey(8, sequence: 0))
        var isLetGo = false
        var last: UInt8 = 0
        let answer = try camera.lendNext(within: .seconds(20)) { frame in
            system.does(.unplug(path, ENODEV))
            var patience = Patience()
            while system.mappedCount > 0 || system.openCount > 0, patience.pause() {}
            isLetGo = system.mappedCount == 0 && system.openCount == 0
            last = frame.withPixels { $0[frame.stride * (frame.height - 1)] }
        }
        #expect(answer == .lent && isLetGo && last == 8)
        #expect(system.copyCount == 0)
        system.plug(FakeCamera(), at: path)
        system.does(grey(9, sequence: 0))
        #expect(try camera.nextPixels()[0] == 9)
    }

    @Test func aCameraIsClosedForARestAndFilmsAgainAfterIt() throws {
        var camera = try system.film()
        system.does(grey(1, sequence: 0))
        #expect(try camera.nextPixels()[0] == 1)
        camera.pause()
        var patience = Patience()
        while system.openCount > 0, patience.pause() {}
        #expect(system.openCount == 0 && system.mappedCount == 0)
        camera.resume()
        system.does(grey(2, sequence: 0))
        #expect(try camera.nextPixels()[0] == 2)
        // A camera that was exchanged in the pause is noticed.
        camera.pause()
        patience.renew()
        while system.openCount > 0, patience.pause() {}
        system.plug(FakeCamera(name: "Stranger"), at: path)
        camera.resume()
        let error = #expect(throws: FrameSourceError.self) { try Self.readToItsEnd(&camera) }
        #expect(error?.code == .exchanged)
    }

    private static func readToItsEnd(_ camera: inout V4L2Camera) throws {
        for _ in 0..<20 { _ = try camera.lendNext(within: .seconds(1)) { _ in } }
    }

    /// The state after the process was restarted.
    @Test func aCameraThatIsNotTheKnownOneIsRefused() throws {
        _ = try system.film(again: "Fake Camera")
        let error = #expect(throws: FrameSourceError.self) { _ = try system.film(again: "Door Camera (1209:0001)") }
        #expect(error?.problem == "was Door Camera (1209:0001) and is now Fake Camera")
        #expect(system.openCount == 0)
    }

    @Test func anotherCameraInItsPlaceEndsTheSource() throws {
        var camera = try system.film()
        system.does(.unplug(path, ENODEV))
        try camera.waitUntil { $0.trouble != nil }
        system.plug(FakeCamera(name: "Stranger"), at: path)
        let error = #expect(throws: FrameSourceError.self) { try Self.readToItsEnd(&camera) }
        #expect(
            error?.description
                == "\(path): was Fake Camera and is now Stranger; if it was not exchanged on purpose, look at the camera; "
                + "otherwise start again")
    }

    @Test(arguments: [
        (EBUSY, FrameSourceError.Code.inUse), (ENODEV, .notFound), (EACCES, .forbidden), (EIO, .unreadable),
        (EPIPE, .unreadable),
    ])
    func whatTheDriverRefusesIsNamed(code: Int32, expected: FrameSourceError.Code) throws {
        for request in [cv4l2_query_capability, cv4l2_set_format, cv4l2_request_buffers, cv4l2_stream_on] {
            let system = FakeVideoSystem()
            system.refuse(UInt(request), with: code)
            let error = #expect(throws: FrameSourceError.self) { _ = try system.film() }
            #expect(error?.code == expected && error?.place == path && error?.remedy.isEmpty == false)
            #expect(system.openCount == 0 && system.mappedCount == 0)
        }
    }

    @Test(arguments: [
        (FakeCamera(abilities: 0x0480_0000), "delivers data about pictures, not pictures"),
        (FakeCamera(abilities: 0x0400_0002), "does not capture pictures"),
        (FakeCamera(abilities: 1), "does not lend its buffers"),
        (FakeCamera(driver: "unicam"), "delivers a sensor's raw pixels; such a camera is read as --source rpicam"),
        (FakeCamera(driver: "bcm2835-isp"), "is a coder or image processor, not a camera"),
    ])
    func whatIsNoCameraIsExplained(camera: FakeCamera, problem: String) throws {
        let system = FakeVideoSystem(camera)
        let error = #expect(throws: FrameSourceError.self) { _ = try system.film() }
        #expect(error?.code == .unsupportedFormat && error?.problem == problem)
        #expect(system.openCount == 0)
    }

    @Test func controlsAreSetByNameAndTheirRangeIsTold() throws {
        let camera = FakeCamera(controls: [
            .init(id: UInt32(V4L2_CID_BRIGHTNESS), name: "Brightness", range: -64...64),
            .init(id: UInt32(V4L2_CID_EXPOSURE_AUTO), name: "Auto Exposure", range: 0...3),
            .init(id: UInt32(V4L2_CID_EXPOSURE_ABSOLUTE), name: "Exposure Time, Absolute", range: 1...5000),
        ])
        let system = FakeVideoSystem(camera)
        let settings = CameraSettings(controls: [
            .init(name: "exposure", value: 200), .init(name: "brightness", value: -3),
        ])
        _ = try system.film(settings)
        #expect(
            system.journal == ["GREY 32x4", "Auto Exposure = 1", "Exposure Time, Absolute = 200", "Brightness = -3"])
        for (control, error) in [
            (
                CameraSettings.Control(name: "brightness", value: 65),
                "does not take brightness=65; give -64 to 64; 0 is usual"
            ),
            (
                .init(name: "zoom", value: 1),
                "has no control 'zoom'; it has: brightness, auto_exposure, exposure_time_absolute"
            ),
        ] {
            let refusal = #expect(throws: FrameSourceError.self) {
                _ = try system.film(CameraSettings(controls: [control]))
            }
            #expect(refusal?.description == "\(path): \(error)")
        }
        #expect(system.openCount == 0 && system.mappedCount == 0)
    }

    /// Any call fails with any error. The camera reports it at once or continues, and nothing stays open or mapped.
    @Test(arguments: [EIO, EINVAL, ENODEV, EBUSY, ENOMEM, EINTR])
    func anyCallMayFail(code: Int32) throws {
        let calm = FakeVideoSystem()
        try film(calm)
        let calls = calm.callCount
        #expect(calls > 20)
        for call in 0..<calls {
            let system = FakeVideoSystem()
            system.fail(call: call, with: code)
            do { try film(system) } catch { #expect(error is FrameSourceError, "call \(call)") }
            #expect(system.openCount == 0 && system.mappedCount == 0, "call \(call)")
        }
    }

    private func film(_ system: FakeVideoSystem) throws {
        // Two hundred times, most of which reopen the camera.
        var camera = try system.film(pauses: .milliseconds(1)...(.milliseconds(2)))
        for sequence in 0..<3 {
            system.does(grey(UInt8(sequence), sequence: UInt32(sequence)))
            var answer = FrameSourceAnswer.nothing
            for _ in 0..<400 where answer == .nothing {
                answer = try camera.lendNext(within: .milliseconds(50)) { _ in }
                // The failed call may lose a frame. Another follows.
                if answer == .nothing { system.does(grey(9, sequence: UInt32(sequence))) }
            }
            // The camera could not answer, so it was asked for a guessed format.
            if camera.format.width == 32 { #expect(answer == .lent) } else { return }
        }
    }
}
