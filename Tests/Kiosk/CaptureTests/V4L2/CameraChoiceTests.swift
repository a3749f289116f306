// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import KioskPorts
import Patience
import PictureTestKit
import Testing

@testable import Capture

/// Cameras that deliver no pictures make room for others, and sizes that deliver none for smaller ones.
@Suite(.timeLimit(.minutes(2))) struct CameraChoiceTests {
    private let clock = ManualFrameClock()

    /// The cameras are `/dev/video0` and so on.
    private final class Machine {
        let folder: TemporaryFolder
        let system: FakeVideoSystem
        let clock: ManualFrameClock

        init(_ cameras: [FakeCamera], _ clock: ManualFrameClock) throws {
            folder = try TemporaryFolder()
            self.clock = clock
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/dev", withIntermediateDirectories: true)
            var known: [String: FakeCamera] = [:]
            for (index, camera) in cameras.enumerated() {
                known[try folder.write([], to: "dev/video\(index)")] = camera
            }
            system = FakeVideoSystem(known, clock: clock)
        }

        func open(_ which: CameraRequest.Which = .any, again known: String? = nil) throws -> V4L2Camera {
            let finder = CameraFinder(
                request: CameraRequest(which), files: DeviceFiles(root: folder.path), system: system)
            return try V4L2Camera(finder, again: known, clock: clock)
        }

        func deliver(_ camera: inout V4L2Camera, width: Int, height: Int) throws -> Bool {
            system.does(.frame(.init(bytes: [UInt8](repeating: 90, count: width * height * 2), sequence: 0)))
            for _ in 0..<200 where try camera.lendNext(within: .milliseconds(100), to: { _ in }) == .lent {
                return true
            }
            return false
        }
    }

    private static func camera(_ name: String, _ formats: (String, Int, Int)...) -> FakeCamera {
        FakeCamera(name: name, formats: formats.map { (code: $0.0, width: $0.1, height: $0.2) })
    }

    private static let good = camera("Good", ("YUYV", 64, 16))

    private func wait(for camera: borrowing V4L2Camera, until isSo: (borrowing V4L2Camera) -> Bool) throws {
        var patience = Patience()
        while !isSo(camera), patience.pause() {}
        let hasCome = isSo(camera)
        try #require(hasCome, "the camera did not come so far")
    }

    @Test(arguments: [
        camera("Integrated Camera", ("GREY", 340, 340)), camera("Integrated IR Camera", ("YUYV", 340, 340)),
        camera("Infrared", ("YUYV", 340, 340)),
    ])
    func oneForInfraredLightComesLast(infrared: FakeCamera) throws {
        let machine = try Machine([infrared, Self.good], clock)
        #expect(try machine.open().camera == "Good")
        // Alone, or by its name, it is taken.
        #expect(try Machine([infrared], clock).open().camera == infrared.name)
        #expect(try machine.open(.named(infrared.name)).camera == infrared.name)
    }

    @Test func aNameWithTheLettersInItIsNoInfraredCamera() throws {
        let machine = try Machine([Self.camera("AIR Fire Cam", ("YUYV", 64, 16)), Self.good], clock)
        #expect(try machine.open().camera == "AIR Fire Cam")
    }

    @Test func oneThatDoesNotStartMakesRoom() throws {
        var loopback = Self.camera("OBS", ("YUYV", 640, 480))
        loopback.startRefusal = EIO
        let machine = try Machine([loopback, Self.good], clock)
        var camera = try machine.open()
        #expect(try machine.deliver(&camera, width: 64, height: 16))
        #expect(camera.camera == "Good")
        #expect(throws: FrameSourceError.self) { _ = try machine.open(.named("OBS")) }
    }

    @Test func oneWithoutAFormatThatIsReadMakesRoom() throws {
        let machine = try Machine([Self.camera("H264", ("H264", 1280, 720)), Self.good], clock)
        #expect(try machine.open().camera == "Good")
        do {
            _ = try Machine([Self.camera("H264", ("H264", 1280, 720))], clock).open()
            Issue.record("it was opened")
        } catch let error as FrameSourceError { #expect(error.code == .unsupportedFormat) }
    }

    @Test func aSilentOneMakesRoomUntilOneHasDelivered() throws {
        let machine = try Machine([Self.camera("Dead", ("YUYV", 32, 16)), Self.good], clock)
        machine.system.does(.silence)
        var camera = try machine.open()
        try wait(for: camera) { $0.counts.reopened == 1 }
        #expect(camera.trouble?.code == .silent)
        #expect(try machine.deliver(&camera, width: 64, height: 16))
        #expect(camera.camera == "Good" && camera.format.width == 64 && camera.trouble == nil)
        // The one that has delivered is waited for, although the other one is there.
        machine.system.does(.silence)
        try wait(for: camera) { $0.counts.reopened == 2 }
        #expect(machine.system.journal == ["YUYV 32x16", "YUYV 64x16", "YUYV 64x16"])
    }

    @Test func oneThatIsMeantIsWaitedFor() throws {
        for (which, known) in [(CameraRequest.Which.named("Dead"), nil), (.any, "Dead")] as [(_, String?)] {
            let machine = try Machine([Self.camera("Dead", ("YUYV", 32, 16)), Self.good], clock)
            machine.system.does(.silence, .silence)
            let camera = try machine.open(which, again: known)
            try wait(for: camera) { $0.counts.reopened == 2 }
            #expect(machine.system.journal == ["YUYV 32x16", "YUYV 32x16", "YUYV 32x16"])
        }
    }

    @Test func aSilentSizeMakesRoomForTheNextOneAndAllHaveTheirTurn() throws {
        let sizes = [("YUYV", 1280, 720), ("YUYV", 640, 480), ("YUYV", 320, 240)]
        let machine = try Machine([Self.camera("Cam", sizes[0], sizes[1], sizes[2])], clock)
        machine.system.does(.silence)
        let camera = try machine.open()
        try wait(for: camera) { $0.counts.reopened == 1 }
        #expect(machine.system.journal == ["YUYV 1280x720", "YUYV 640x480"])
        machine.system.does(.silence, .silence)
        try wait(for: camera) { $0.counts.reopened == 3 }
        #expect(machine.system.journal.dropFirst(2) == ["YUYV 320x240", "YUYV 1280x720"])
    }

    @Test func withoutRoomOnTheBusASmallerSizeIsTakenAtOnce() throws {
        var crowded = Self.camera("Cam", ("YUYV", 1280, 720), ("YUYV", 640, 480), ("YUYV", 64, 16))
        crowded.room = 64 * 16
        let machine = try Machine([crowded], clock)
        var camera = try machine.open()
        #expect(machine.system.journal == ["YUYV 1280x720", "YUYV 640x480", "YUYV 64x16"])
        #expect(try machine.deliver(&camera, width: 64, height: 16))
        #expect(camera.trouble == nil && camera.counts.reopened == 0)
    }

    @Test func aBusWithoutAnyRoomIsToldByItsName() throws {
        var crowded = Self.camera("Cam", ("YUYV", 640, 480), ("YUYV", 64, 16))
        crowded.room = 1
        let machine = try Machine([crowded], clock)
        do {
            _ = try machine.open()
            Issue.record("it was opened")
        } catch let error as FrameSourceError {
            #expect(error.problem == "has no room on its bus for any of its sizes")
        }
        #expect(machine.system.openCount == 0 && machine.system.mappedCount == 0)
    }
}
