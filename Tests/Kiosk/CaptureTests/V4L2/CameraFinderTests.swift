// SPDX-License-Identifier: Apache-2.0

import Patience
import Foundation
import KioskPorts
import PictureTestKit
import Testing
@testable import Capture

/// The camera that a request selects among several, with device files and udev's links in a temporary folder.
@Suite final class CameraFinderTests {
    private let folder: TemporaryFolder
    private let system: FakeVideoSystem
    private let byPath = "dev/v4l/by-path"

    init() throws {
        folder = try TemporaryFolder.made()
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/\(byPath)", withIntermediateDirectories: true)
        let cameras = [
            // Its metadata node, and a camera that appears twice.
            "video0": FakeCamera(name: "Door Camera", abilities: 0x0480_0000),
            "video2": FakeCamera(name: "Door Camera"),
            "video10": FakeCamera(name: "Yard Camera"), "video11": FakeCamera(name: "Yard Camera"),
        ]
        var known: [String: FakeCamera] = [:]
        for (name, camera) in cameras {
            _ = try folder.write([], to: "dev/\(name)")
            known["\(folder.path)/dev/\(name)"] = camera
            let link = "\(folder.path)/\(byPath)/plug-of-\(name)"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../../\(name)")
            known[link] = camera
        }
        system = FakeVideoSystem(known)
    }

    private func open(_ which: CameraRequest.Which, again known: String? = nil) throws -> String {
        let finder = CameraFinder(
            request: CameraRequest(which), files: DeviceFiles(root: folder.path), system: system)
        let device = try finder.open(again: known)
        return String(device.path.dropFirst(folder.path.utf8.count + 1))
    }

    @Test func aFreeChoiceIsTheFirstThatDeliversPictures() throws {
        #expect(try open(.any) == "dev/video2")
    }

    @Test func aFreeChoiceGoesToTheSameCameraAgain() throws {
        #expect(try open(.any, again: "Yard Camera") == "dev/video10")
        let error = #expect(throws: FrameSourceError.self) { try open(.any, again: "Gone") }
        #expect(error?.problem == "was Gone and is now Door Camera")
    }

    @Test func aNameIsALinksOrAPartOfTheCamerasOwn() throws {
        #expect(try open(.named("plug-of-video11")) == "\(byPath)/plug-of-video11")
        #expect(try open(.named("door")) == "\(byPath)/plug-of-video2")
    }

    @Test(arguments: [
        ("Yard", FrameSourceError.Code.invalidSource), ("Nobody", .notFound), ("../video2", .notFound),
        ("plug-of-video0", .unsupportedFormat),
    ])
    func aNameThatFitsNoneOrSeveralIsRefused(name: String, code: FrameSourceError.Code) {
        let error = #expect(throws: FrameSourceError.self) { try open(.named(name)) }
        #expect(error?.code == code)
        #expect(system.openCount == 0)
    }

    @Test func theListSaysWhatToPaste() throws {
        let list = CameraDescription.all(DeviceFiles(root: folder.path), system)
        #expect(list.map { $0.node.split(separator: "/").last } == ["video0", "video2", "video10", "video11"])
        #expect(list.map(\.problem) == ["delivers data about pictures, not pictures", nil, nil, nil])
        #expect(list[1].stableNames == ["\(folder.path)/\(byPath)/plug-of-video2"])
        #expect(list[1].formats == [CameraFormat(FakeCamera.code("GREY"), width: 32, height: 4)])
    }
}
