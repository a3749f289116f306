// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import KioskPorts
import Patience
import PictureTestKit
import Testing

@testable import Capture

/// Cameras that deliver no pictures make room for others, and sizes that deliver none for smaller ones.
@Suite(.timeLimit(.minutes(10))) struct CameraChoiceTests {
    /// The cameras are `/dev/video0` and so on.
    private final class Machine {
        let folder: TemporaryFolder
        let system: FakeVideoSystem

        init(_ cameras: [FakeCamera]) throws {
            folder = try TemporaryFolder.made()
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/dev", withIntermediateDirectories: true)
            var known: [String: FakeCamera] = [:]
            for (index, camera) in cameras.enumerated() {
                known[try folder.write([], to: "dev/video\(index)")] = camera
            }
            system = FakeVideoSystem(known)
        }

        func open(_ which: CameraRequest.Which = .any, again known: String? = nil) throws -> V4L2Camera {
            try system.film(by: which, root: folder.path, again: known)
        }

        /// Without the folder that stands for the root.
        func names(_ texts: [String]?) -> [String]? {
            texts?.map { $0.replacingOccurrences(of: "\(folder.path)/dev/", with: "") }
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

    private static func dead(_ name: String) -> FakeCamera {
        var camera = camera(name, ("YUYV", 640, 480))
        camera.startRefusal = EIO
        return camera
    }

    @Test(arguments: [
        camera("Integrated Camera", ("GREY", 340, 340)), camera("Integrated IR Camera", ("YUYV", 340, 340)),
        camera("Infrared", ("YUYV", 340, 340)),
    ])
    func oneForInfraredLightComesLast(infrared: FakeCamera) throws {
        let machine = try Machine([infrared, Self.good])
        #expect(try machine.open().camera == "Good")
        // Alone, or by its name, it is taken.
        #expect(try Machine([infrared]).open().camera == infrared.name)
        #expect(try machine.open(.named(infrared.name)).camera == infrared.name)
    }

    @Test func aNameWithTheLettersInItIsNoInfraredCamera() throws {
        let machine = try Machine([Self.camera("AIR Fire Cam", ("YUYV", 64, 16)), Self.good])
        #expect(try machine.open().camera == "AIR Fire Cam")
    }

    @Test func oneThatDoesNotStartMakesRoom() throws {
        let machine = try Machine([Self.dead("OBS"), Self.good])
        var camera = try machine.open()
        #expect(try machine.deliver(&camera, width: 64, height: 16))
        #expect(camera.camera == "Good")
        #expect(throws: FrameSourceError.self) { _ = try machine.open(.named("OBS")) }
    }

    @Test func oneWithoutAFormatThatIsReadMakesRoom() throws {
        let machine = try Machine([Self.camera("H264", ("H264", 1280, 720)), Self.good])
        #expect(try machine.open().camera == "Good")
        let alone = try Machine([Self.camera("H264", ("H264", 1280, 720))])
        let error = #expect(throws: FrameSourceError.self) { _ = try alone.open() }
        #expect(error?.code == .unsupportedFormat)
    }

    private static func refusing(_ code: Int32, _ name: String = "Cam") -> FakeCamera {
        var camera = camera(name, ("YUYV", 1280, 720), ("YUYV", 640, 480), ("YUYV", 64, 16))
        (camera.startRefusal, camera.startsWith) = (code, 64 * 16)
        return camera
    }

    /// In sizes of more than 64 x 16.
    @Test(
        arguments: [
            (ENOSPC, nil, 3), (EIO, nil, 3), (EPROTO, nil, 3), (ENOMEM, nil, 3), (EINVAL, nil, 3),
            (ETIMEDOUT, .unreadable, 1), (EBUSY, .inUse, 1), (ENODEV, .notFound, 1), (EACCES, .forbidden, 1),
        ] as [(Int32, FrameSourceError.Code?, Int)])
    func aSizeThatDoesNotStartMakesRoomForASmallerOneAtOnce(
        refusal: Int32, code: FrameSourceError.Code?, tries: Int
    ) throws {
        let machine = try Machine([Self.refusing(refusal)])
        do {
            var camera = try machine.open(.named("Cam"))
            #expect(try machine.deliver(&camera, width: 64, height: 16))
            #expect(camera.trouble == nil && camera.counts.reopened == 0 && camera.passedOver?.count == 2)
            #expect(code == nil)
        } catch let error as FrameSourceError {
            #expect(error.code == code)
            #expect(machine.system.openCount == 0 && machine.system.mappedCount == 0)
        }
        #expect(machine.system.journal == Array(["YUYV 1280x720", "YUYV 640x480", "YUYV 64x16"].prefix(tries)))
    }

    @Test func fourSizesAreTriedAndACrowdedBusIsToldByItsName() throws {
        for (code, problem, tries) in [
            (EIO, "did not start its stream (Input/output error)", 4),
            (ENOSPC, "has no room on its bus for any of its sizes", 7),
        ] {
            var camera = FakeCamera(
                name: "Cam", formats: (1...6).map { (code: "YUYV", width: 64 * $0, height: 16 * $0) })
            camera.startRefusal = code
            let machine = try Machine([camera])
            let error = #expect(throws: FrameSourceError.self) { _ = try machine.open(.named("Cam")) }
            #expect(error?.problem == problem)
            // The last one was asked for to see that no other is left.
            #expect(machine.system.journal.count == tries)
            #expect(machine.system.openCount == 0 && machine.system.mappedCount == 0)
        }
    }

    @Test func aSilentOneMakesRoomUntilOneHasDelivered() throws {
        let machine = try Machine([Self.camera("Dead", ("YUYV", 32, 16)), Self.good])
        machine.system.does(.silence, .silence)
        var camera = try machine.open()
        try camera.waitUntil { $0.counts.reopened == 2 }
        #expect(camera.trouble?.code == .silent)
        #expect(try machine.deliver(&camera, width: 64, height: 16))
        #expect(camera.camera == "Good" && camera.format.width == 64 && camera.trouble == nil)
        #expect(machine.names(camera.passedOver) == ["Dead (video0): no frames in 32 x 16"])
        // The one that has delivered is waited for, although the other one is there.
        machine.system.does(.silence, .silence, .silence)
        try camera.waitUntil { $0.counts.reopened == 5 }
        #expect(machine.system.journal == Self.asked(("YUYV 32x16", 2), ("YUYV 64x16", 4)))
        #expect(machine.names(camera.passedOver) == ["Dead (video0): no frames in 32 x 16"])
    }

    private static func asked(_ formats: (String, Int)...) -> [String] {
        formats.flatMap { Array(repeating: $0.0, count: $0.1) }
    }

    @Test func oneThatIsMeantIsWaitedFor() throws {
        for (which, known) in [(CameraRequest.Which.named("Dead"), nil), (.any, "Dead")] as [(_, String?)] {
            let machine = try Machine([Self.camera("Dead", ("YUYV", 32, 16)), Self.good])
            machine.system.does(.silence, .silence, .silence, .silence, .silence)
            let camera = try machine.open(which, again: known)
            try camera.waitUntil { $0.counts.reopened == 5 }
            #expect(machine.system.journal == Self.asked(("YUYV 32x16", 6)))
        }
    }

    /// The behaviour of the first camera, and whether it is used in the end.
    @Test(
        arguments: [
            ([.silence], true), ([.silence, .failure(ENODEV), .silence], true), ([.silence, .silence], false),
            ([.silence, .failure(ENODEV), .silence, .silence], false),
        ] as [([FakeVideoSystem.Deed], Bool)])
    func oneSlowStartIsForgiven(deeds: [FakeVideoSystem.Deed], isUsed: Bool) throws {
        let machine = try Machine([Self.camera("Slow", ("YUYV", 32, 16)), Self.good])
        for deed in deeds { machine.system.does(deed) }
        var camera = try machine.open()
        try camera.waitUntil { $0.counts.reopened == deeds.count }
        #expect(try machine.deliver(&camera, width: 64, height: 16))
        #expect(camera.camera == (isUsed ? "Slow" : "Good"))
    }

    @Test func aSilentSizeMakesRoomForTheNextOneAndAllHaveTheirTurn() throws {
        let sizes = [("YUYV", 1280, 720), ("YUYV", 640, 480), ("YUYV", 320, 240)]
        let machine = try Machine([Self.camera("Cam", sizes[0], sizes[1], sizes[2])])
        machine.system.does(.silence, .silence)
        let camera = try machine.open()
        try camera.waitUntil { $0.counts.reopened == 2 }
        #expect(machine.system.journal == Self.asked(("YUYV 1280x720", 2), ("YUYV 640x480", 1)))
        #expect(machine.names(camera.passedOver) == ["Cam (video0): no frames in 1280 x 720"])
        machine.system.does(.silence, .silence, .silence, .silence)
        try camera.waitUntil { $0.counts.reopened == 6 }
        #expect(
            machine.system.journal
                == Self.asked(("YUYV 1280x720", 2), ("YUYV 640x480", 2), ("YUYV 320x240", 2), ("YUYV 1280x720", 1)))
    }

    /// Waits of the first camera, and all that is asked for.
    @Test func aSizeIsForgottenAfterADayAndWhenTheCameraWasAway() throws {
        for isUnplugged in [false, true] {
            let slow = Self.camera("Cam", ("YUYV", 1280, 720), ("YUYV", 64, 16))
            let machine = try Machine([slow])
            machine.system.does(.silence, .silence)
            var camera = try machine.open()
            try camera.waitUntil { $0.counts.reopened == 2 }
            #expect(try machine.deliver(&camera, width: 64, height: 16))
            machine.system.does(.silence)
            try camera.waitUntil { $0.counts.reopened == 3 }
            #expect(machine.system.journal == Self.asked(("YUYV 1280x720", 2), ("YUYV 64x16", 2)))
            if isUnplugged {
                let path = "\(machine.folder.path)/dev/video0"
                machine.system.does(.unplug(path, ENODEV))
                try camera.waitUntil { $0.trouble?.code == .notFound }
                machine.system.plug(slow, at: path)
            } else {
                machine.system.clock.wait(.seconds(24 * 3600))
                machine.system.does(.silence)
            }
            try camera.waitUntil { $0.counts.reopened == 4 }
            #expect(machine.system.journal.last == "YUYV 1280x720")
            #expect(camera.passedOver ?? [] == [])
        }
    }

    @Test func aSizeThatTheDriverRoundsIsNotAskedForAgain() throws {
        var rounding = Self.camera("Cam", ("YUYV", 1280, 720), ("YUYV", 640, 480))
        rounding.rounding = 32
        let machine = try Machine([rounding])
        machine.system.does(.silence, .silence)
        let camera = try machine.open()
        try camera.waitUntil { $0.counts.reopened == 2 }
        #expect(machine.system.journal == Self.asked(("YUYV 1280x720", 2), ("YUYV 640x480", 1)))
        #expect(machine.names(camera.passedOver) == ["Cam (video0): no frames in 1280 x 704"])
    }

    @Test func aDriverWithOneAnswerToEverySizeMakesRoomForTheNextCamera() throws {
        var only = Self.camera("Only", ("YUYV", 1280, 720), ("YUYV", 640, 480), ("YUYV", 320, 240))
        only.only = (64, 32)
        let machine = try Machine([only, Self.good])
        machine.system.does(.silence, .silence)
        var camera = try machine.open()
        try camera.waitUntil { $0.counts.reopened == 2 }
        #expect(try machine.deliver(&camera, width: 64, height: 16))
        #expect(camera.camera == "Good")
        #expect(machine.names(camera.passedOver) == ["Only (video0): no frames in 64 x 32"])
        #expect(machine.system.openCount == 1)
        // Alone it is asked again.
        let alone = try Machine([only])
        alone.system.does(.silence, .silence)
        var one = try alone.open()
        try one.waitUntil { $0.counts.reopened == 2 }
        #expect(try alone.deliver(&one, width: 64, height: 32))
    }

    /// The cameras, the one that is taken, and what is told of the others.
    @Test(
        arguments: [
            ([good], "Good", []),
            ([good, camera("IR", ("GREY", 64, 16))], "Good", []),
            ([camera("IR Camera", ("YUYV", 64, 16)), good], "Good", ["IR Camera (video0): sees infrared light only"]),
            ([camera("Grey", ("GREY", 64, 16)), good], "Good", ["Grey (video0): sees infrared light only"]),
            (
                [camera("H264", ("H264", 64, 16)), good], "Good",
                ["H264 (video0): offers no format that can be read, or not what was asked for"]
            ),
            ([FakeCamera(name: "Data", abilities: 0x0480_0000), good], "Good", []),
            (
                [camera("Grey", ("GREY", 64, 16)), refusing(EBADF, "Cam")], "Cam",
                [
                    "Grey (video0): sees infrared light only",
                    "Cam (video1): does not start in 1280 x 720 (Bad file descriptor)",
                    "Cam (video1): does not start in 640 x 480 (Bad file descriptor)",
                ]
            ),
            (
                [camera("Grey", ("GREY", 64, 16)), dead("OBS")], "Grey",
                ["OBS (video1): did not start its stream (Input/output error)"]
            ),
            (
                [refusing(ENOSPC)], "Cam",
                [
                    "Cam (video0): no room on its bus for YUYV 1280 x 720",
                    "Cam (video0): no room on its bus for YUYV 640 x 480",
                ]
            ),
        ] as [([FakeCamera], String, [String])])
    func allThatIsPassedOverIsTold(cameras: [FakeCamera], taken: String, told: [String]) throws {
        let machine = try Machine(cameras)
        let camera = try machine.open()
        #expect(camera.camera == taken && machine.names(camera.passedOver) == told)
        // Of a camera that is meant only its sizes are told.
        let meant = try machine.open(.named(taken)).passedOver
        #expect(machine.names(meant ?? []) == told.filter { $0.hasPrefix("\(taken) (") })
    }

    @Test func whenNoneStartsAllAreTold() throws {
        let machine = try Machine(
            [Self.dead("One"), Self.camera("Two", ("H264", 64, 16))])
        let error = #expect(throws: FrameSourceError.self) { _ = try machine.open() }
        let problem = try #require(error?.problem)
        #expect(
            machine.names([problem]) == [
                "did not start its stream (Input/output error); Two (video1): offers no format that can be read, or "
                    + "not what was asked for"
            ])
    }
}
