// SPDX-License-Identifier: Apache-2.0

import CV4L2
import Glibc
import KioskPorts
import Patience
import Testing
@testable import Capture

@Suite("The camera's regulation has the exposure back, whatever the camera does", .timeLimit(.minutes(10)))
struct ExposureHelpTests {
    private let path = FakeVideoSystem.path

    private static func control(
        _ id: Int32, _ name: String, _ range: ClosedRange<Int32>, _ value: Int32, needs: (Int32, Int32)? = nil
    ) -> FakeCamera.Control {
        FakeCamera.Control(
            id: UInt32(id), name: name, range: range, value: value, needs: needs.map { (UInt32($0.0), $0.1) })
    }

    /// As most USB cameras have them.
    private static var usual: [FakeCamera.Control] {
        [
            control(V4L2_CID_BRIGHTNESS, "Brightness", 0...255, 128), control(V4L2_CID_GAIN, "Gain", 0...255, 40),
            control(V4L2_CID_EXPOSURE_AUTO, "Auto Exposure", 0...3, 3),
            control(V4L2_CID_EXPOSURE_ABSOLUTE, "Exposure", 3...2047, 160, needs: (V4L2_CID_EXPOSURE_AUTO, 1)),
            control(V4L2_CID_EXPOSURE_AUTO_PRIORITY, "Dynamic Framerate", 0...1, 0),
        ]
    }

    /// As the kernel's test pattern has them.
    private static var gainOnly: [FakeCamera.Control] {
        [
            control(V4L2_CID_BRIGHTNESS, "Brightness", 0...255, 128),
            control(V4L2_CID_AUTOGAIN, "Autogain", 0...1, 1),
            control(V4L2_CID_GAIN, "Gain", 0...255, 100, needs: (V4L2_CID_AUTOGAIN, 0)),
        ]
    }

    private func help(_ system: FakeVideoSystem, keeping: [CameraSettings.Control] = []) throws -> ExposureHelp {
        ExposureHelp(ExposureControls(number: try system.open(path), system: system, keeping: keeping))
    }

    private func values(_ system: FakeVideoSystem) -> [Int32?] {
        let all = [
            V4L2_CID_EXPOSURE_AUTO, V4L2_CID_EXPOSURE_ABSOLUTE, V4L2_CID_AUTOGAIN, V4L2_CID_GAIN, V4L2_CID_BRIGHTNESS,
        ]
        return all.map { system.value(of: $0, at: path) }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var controls: [FakeCamera.Control]
        var keeping: [CameraSettings.Control] = []
        /// The settings for two stops less and one more, and until the regulation has the exposure back.
        var journal: [String]
        var testDescription: String { name }
    }

    private static func changed(
        _ controls: [FakeCamera.Control], _ id: Int32, _ change: (inout FakeCamera.Control) -> Void
    ) -> [FakeCamera.Control] {
        var controls = controls
        for index in controls.indices where controls[index].id == UInt32(id) { change(&controls[index]) }
        return controls
    }

    @Test(arguments: [
        Case(
            name: "a usual camera", controls: usual,
            journal: [
                "Auto Exposure = 1", "Exposure = 40", "Gain = 40", "Exposure = 320", "Gain = 40", "Exposure = 160",
                "Gain = 40", "Auto Exposure = 3",
            ]),
        Case(
            name: "gain alone", controls: gainOnly,
            journal: ["Autogain = 0", "Gain = 36", "Gain = 132", "Gain = 100", "Autogain = 1"]),
        Case(
            name: "brightness alone", controls: [usual[0]],
            journal: ["Brightness = 64", "Brightness = 160", "Brightness = 128"]),
        Case(name: "no controls", controls: [], journal: []),
        Case(
            name: "an exposure that another program has set",
            controls: changed(usual, V4L2_CID_EXPOSURE_AUTO) { $0.value = 1 },
            journal: []),
        Case(
            name: "a gain that another program has set",
            controls: changed(gainOnly, V4L2_CID_AUTOGAIN) { $0.value = 0 },
            journal: []),
        Case(
            name: "a gain that the operator has set", controls: usual,
            keeping: [.init(name: "gain", value: 40)],
            journal: [
                "Auto Exposure = 1", "Exposure = 40", "Exposure = 320", "Exposure = 160", "Auto Exposure = 3",
            ]),
        Case(
            name: "an exposure that the operator has set to auto", controls: Array(usual.dropFirst(2)),
            keeping: [.init(name: "exposure", value: nil)],
            journal: [
                "Auto Exposure = 1", "Exposure = 40", "Exposure = 320", "Exposure = 160", "Auto Exposure = 3",
            ]),
        Case(
            name: "an exposure that cannot be set",
            controls: changed(usual, V4L2_CID_EXPOSURE_ABSOLUTE) { $0.flags |= UInt32(V4L2_CTRL_FLAG_READ_ONLY) },
            journal: []),
        Case(
            name: "a brightness that rests",
            controls: changed([usual[0]], V4L2_CID_BRIGHTNESS) { $0.flags |= UInt32(V4L2_CTRL_FLAG_INACTIVE) },
            journal: []),
        Case(
            name: "an exposure out of its own range",
            controls: changed(usual, V4L2_CID_EXPOSURE_ABSOLUTE) { $0.value = 5000 },
            journal: []),
        Case(
            name: "a range upside down",
            controls: [FakeCamera.Control(id: UInt32(V4L2_CID_BRIGHTNESS), name: "Brightness", range: 9...9, value: 9)],
            journal: []),
    ])
    func onlyTheCamerasOwnIsVaried(_ it: Case) throws {
        let system = FakeVideoSystem(FakeCamera(controls: it.controls))
        var help = try help(system, keeping: it.keeping)
        let before = values(system)
        for (second, stops) in [nil, -2, -2, 1, nil, nil].enumerated() {
            help.shift(by: stops, at: .seconds(second))
        }
        #expect(system.journal == it.journal)
        #expect(values(system) == before)
        #expect(help.close().isEmpty)
        #expect(system.journal == it.journal)
    }

    @Test func aCameraThatRefusesIsGivenBackAndThenLeftAlone() throws {
        for id in [V4L2_CID_EXPOSURE_AUTO, V4L2_CID_EXPOSURE_ABSOLUTE, V4L2_CID_GAIN] {
            for code in [EIO, EINVAL, EBUSY, ERANGE, EACCES] {
                let system = FakeVideoSystem(FakeCamera(controls: Self.usual))
                system.change(id, at: path) { $0.refusal = code }
                var help = try help(system)
                for second in 0..<20 { help.shift(by: second % 2 == 0 ? -2 : nil, at: .seconds(second)) }
                system.change(id, at: path) { $0.refusal = nil }
                help.shift(by: nil, at: .seconds(30))
                #expect(values(system) == [3, 160, nil, 40, 128])
                let count = system.journal.count
                for second in 40..<60 { help.shift(by: second % 2 == 0 ? -2 : nil, at: .seconds(second)) }
                #expect(system.journal.count == count, "it is still asked")
            }
        }
    }

    /// The regulation is switched on again once the camera takes it; until then once a second is asked.
    @Test func aCameraThatDoesNotTakeItBackIsAskedAgain() throws {
        let system = FakeVideoSystem(FakeCamera(controls: Self.usual))
        var help = try help(system)
        help.shift(by: -2, at: .seconds(1))
        system.change(V4L2_CID_EXPOSURE_AUTO, at: path) { $0.refusal = EIO }
        let calls = system.callCount
        for frame in 0..<300 { help.shift(by: nil, at: .seconds(2) + .milliseconds(33 * frame)) }
        #expect(values(system)[0] == 1)
        #expect(system.callCount - calls < 40)
        // Nothing more is taken meanwhile.
        let journal = system.journal
        help.shift(by: 2, at: .seconds(20))
        #expect(system.journal == journal)
        system.change(V4L2_CID_EXPOSURE_AUTO, at: path) { $0.refusal = nil }
        help.shift(by: nil, at: .seconds(21))
        #expect(values(system)[0] == 3 && help.close().isEmpty)
    }

    @Test func aCameraThatAppliesValuesLateHasItsRegulationBack() throws {
        let late = Self.usual.map { one in
            var one = one
            one.lateness = 3
            one.needs = nil
            return one
        }
        let system = FakeVideoSystem(FakeCamera(controls: late))
        var help = try help(system)
        help.shift(by: -2, at: .seconds(1))
        help.shift(by: 1, at: .seconds(2))
        help.shift(by: nil, at: .seconds(3))
        // The camera still tells the old value, so that it is asked again.
        for second in 4..<10 { help.shift(by: nil, at: .seconds(second)) }
        #expect(values(system)[0] == 3 && help.close().isEmpty)
    }

    @Test func theExposureIsGivenBackAfterTwentySecondsWhateverIsWanted() throws {
        let system = FakeVideoSystem(FakeCamera(controls: Self.usual))
        var help = try help(system)
        for second in 0..<20 { help.shift(by: second % 2 == 0 ? -2 : 1, at: .seconds(second)) }
        #expect(values(system)[0] == 1)
        for second in 20..<60 { help.shift(by: -2, at: .seconds(second)) }
        #expect(values(system) == [3, 160, nil, 40, 128])
        help.shift(by: nil, at: .seconds(60))
        help.shift(by: -2, at: .seconds(61))
        #expect(values(system)[0] == 1)
    }

    /// Whichever call fails: when the camera is closed, its regulation has the exposure, or what it lacks is told.
    @Test(arguments: [EIO, EINVAL, ENODEV, EINTR]) func anyCallMayFail(code: Int32) throws {
        for controls in [Self.usual, Self.gainOnly, [Self.usual[0]]] {
            for call in 1..<60 {
                let system = FakeVideoSystem(FakeCamera(controls: controls))
                var help = try help(system)
                let before = values(system)
                system.fail(call: call, with: code)
                for (second, stops) in [-2, 1, -3, nil, nil, -2, -2].enumerated() {
                    help.shift(by: stops, at: .seconds(second))
                }
                #expect(help.close().isEmpty, "call \(call)")
                // Values that the regulation chooses again may stay.
                let after = values(system)
                #expect(after[0] == before[0] && after[2] == before[2] && after[4] == before[4], "call \(call)")
            }
        }
    }

    @Test func aVanishedCameraIsOwedItsControls() throws {
        let system = FakeVideoSystem(FakeCamera(controls: Self.usual))
        var help = try help(system)
        help.shift(by: -2, at: .seconds(1))
        system.refuse(UInt(cv4l2_set_control), with: ENODEV)
        help.shift(by: 1, at: .seconds(2))
        let owed = help.close()
        // The gain is as it was.
        #expect(owed.map(\.id) == [UInt32(V4L2_CID_EXPOSURE_AUTO)])
        system.refuse(UInt(cv4l2_set_control), with: 0)
        var next = try self.help(system)
        next.takeBack(owed, at: .seconds(9))
        #expect(values(system)[0] == 3 && next.close().isEmpty)
    }
}

@Suite("A camera varies its exposure while it films", .timeLimit(.minutes(10))) struct ExposureFilmingTests {
    private let path = FakeVideoSystem.path
    private let system = FakeVideoSystem(
        FakeCamera(controls: [
            FakeCamera.Control(id: UInt32(V4L2_CID_EXPOSURE_AUTO), name: "Auto Exposure", range: 0...3, value: 3),
            FakeCamera.Control(
                id: UInt32(V4L2_CID_EXPOSURE_ABSOLUTE), name: "Exposure", range: 3...2047, value: 160,
                needs: (UInt32(V4L2_CID_EXPOSURE_AUTO), 1)),
        ]))

    private func film(_ settings: CameraSettings = CameraSettings()) throws -> V4L2Camera {
        try system.film(settings, pauses: .milliseconds(1)...(.milliseconds(2)))
    }

    private func filmVaried() throws -> V4L2Camera {
        var camera = try film()
        try vary(&camera)
        return camera
    }

    private func frame(_ sequence: Int) -> FakeVideoSystem.Deed {
        .frame(.init(bytes: [UInt8](repeating: 9, count: 32 * 4), sequence: UInt32(sequence)))
    }

    /// Films a code in light that is too bright until the exposure is varied.
    private func vary(_ camera: inout V4L2Camera) throws {
        for _ in 0..<ExposureRule.delay { camera.hearSearch(.corners(.tooBright)) }
        system.does(frame(0))
        try wait { system.value(of: V4L2_CID_EXPOSURE_ABSOLUTE, at: path) == 40 }
    }

    private var hasItsOwn: Bool { system.value(of: V4L2_CID_EXPOSURE_AUTO, at: path) == 3 }

    /// Waits for the camera's own thread.
    private func wait(until isSo: () -> Bool) throws {
        var patience = Patience()
        while !isSo(), patience.pause() {}
        try #require(isSo(), "the camera did not come so far")
    }

    @Test func itIsGivenBackWhenTheCodeIsRead() throws {
        var camera = try filmVaried()
        try wait { camera.taken.map(\.value) == [160, 3] }
        camera.hearSearch(.read)
        system.does(frame(1))
        try wait { hasItsOwn && camera.taken.isEmpty }
    }

    /// As after a crash.
    @Test func anotherProcessGivesBackWhatTheFirstTook() throws {
        let owed = [
            ControlSetting(id: UInt32(V4L2_CID_EXPOSURE_ABSOLUTE), value: 160, kind: .chosenAgain),
            ControlSetting(id: UInt32(V4L2_CID_EXPOSURE_AUTO), value: 3, kind: .regulation),
        ]
        #expect([ControlSetting](argument: owed.argument) == owed)
        // As the first one left it.
        system.change(V4L2_CID_EXPOSURE_AUTO, at: path) { $0.value = 1 }
        let camera = try system.film(owed: owed)
        #expect(camera.taken == owed)
        try wait { hasItsOwn }
        system.does(frame(0))
        try wait { camera.taken.isEmpty }
    }

    @Test(arguments: ["1:2", "1:2:3", "1:2:x", "-1:2:0", "1:2:0,", ",", "1:99999999999:0", "1:2:0:0"])
    func nonsenseIsNoSetting(argument: String) { #expect([ControlSetting](argument: argument) == nil) }

    @Test func noMoreSettingsThanThereMayBe() {
        let many = [ControlSetting](repeating: ControlSetting(id: 1, value: 2), count: 9)
        #expect([ControlSetting](argument: many.argument) == nil)
    }

    @Test func itIsGivenBackWhenTheCameraIsClosedForARest() throws {
        var camera = try filmVaried()
        camera.pause()
        try wait { system.openCount == 0 }
        #expect(hasItsOwn)
        camera.resume()
        system.does(frame(1))
        try wait { system.openCount == 1 }
        #expect(hasItsOwn)
    }

    @Test func itIsGivenBackWhenTheSourceGoes() throws {
        _ = try filmVaried()
        #expect(hasItsOwn && system.openCount == 0 && system.mappedCount == 0)
    }

    /// Errors end a stream; the next one of the same camera goes on.
    @Test(arguments: [EPIPE, ENODEV]) func itIsGivenBackWhenTheStreamBreaks(code: Int32) throws {
        let camera = try filmVaried()
        system.does(.failure(code))
        try wait { camera.counts.reopened == 1 && hasItsOwn }
    }

    /// As when its plug was loose for a moment and its power stayed.
    @Test func aCameraThatReturnsHasItBack() throws {
        let camera = try filmVaried()
        // Gone, with its controls as they were.
        system.refuse(UInt(cv4l2_set_control), with: ENODEV)
        system.refuse(UInt(cv4l2_query_capability), with: ENODEV)
        system.does(.failure(ENODEV))
        try wait { camera.trouble != nil && system.openCount == 0 }
        #expect(!hasItsOwn)
        system.refuse(UInt(cv4l2_set_control), with: 0)
        system.refuse(UInt(cv4l2_query_capability), with: 0)
        try wait { camera.counts.reopened == 1 && hasItsOwn }
    }

    @Test func aSettingSwitchesItOff() throws {
        var camera = try film(CameraSettings(variesExposure: false))
        for _ in 0..<2 * ExposureRule.delay { camera.hearSearch(.corners(.tooBright)) }
        for sequence in 0..<3 {
            system.does(frame(sequence))
            var answer = FrameSourceAnswer.nothing
            for _ in 0..<200 where answer != .lent { answer = try camera.lendNext(within: .milliseconds(100)) { _ in } }
        }
        #expect(system.journal == ["GREY 32x4"])
    }
}
